/* Exercises, which stand where the opponent of a game does; and those from the mistakes of a game. */

/** What became of a task: solved at first, after a wrong turn, or not. */
const RESULTS = { 1: "solved", 1.5: "later", 2: "missed" };

/** How long the line that goes on from an answer is searched. */
const CHECK_TIME = 500;

/** A position, in which a person is to find a move. The task of a series has rules, start, and the best turns; for a puzzle its goal, and if all other
    turns are proven to miss it (`isProven`), those to be found one after the other, with the replies between them (`turns`); for a mistake the best
    line, the turn that was played, its mark, and whether it was the person's. */
class Exercise {
  isOver = false;
  /** Whether the answer was told: what it does is not the person's. */
  isTold = false;
  /** What has been said last: that a turn is wrong, or right. */
  isWrong = false;
  isRight = false;
  /** What the other side plays after a wrong turn. */
  #reply = null;
  #isFlawed = false;
  /** Ends the sight of a wrong turn and the reply. */
  #retry = null;
  /** Writes what has been said last, in the language of now. */
  #said = () => "";
  #line = [];
  #checking = null;

  /** `before` is the game to which the page goes back. */
  constructor(app, series, known, before) {
    Object.assign(this, { app, series, task: series.task, before });
    this.tree = new GameTree({ rules: known.rules, start: known.fen, tags: series.tagsOf?.(before.tree) });
    // A puzzle has no moves before it.
    this.tree.firstNumber = series.task.goal ? 1 : this.tree.firstNumber;
    // A turn is asked for in `at`.
    this.root = this.at = this.node = this.tree.root;
    this.root.known = known;
    this.person = this.tree.whiteMoves(0) ? "w" : "b";
  }

  /** Begins the task of a series, instead of the game that is shown. */
  static async begin(app, series) {
    const [{ tree }, { task }] = [app, series];
    const known = await app.attempt(() => ask("/position", { place: { rules: task.rules, start: task.start } }));
    // In the game of a mistake positions may have occurred before.
    known && task.table && (known.table = task.table);
    // There may be another game by now, or another task.
    if (known && tree === app.tree && task === series.task) {
      await app.enter(new Exercise(app, series, known, app.game));
    }
  }

  /** The turns to be found, and the replies between them. */
  get #turns() {
    return this.task.turns ?? [this.task.best[0]];
  }

  /** The turn to be found, while it is. */
  get answer() {
    return this.isOver ? undefined : this.#turns[this.at.ply];
  }

  /** The bad move that was played, before another one is tried; a wrong one below its reply. */
  get arrows() {
    const { task: { played, mark }, app: { node, hand } } = this;
    if (this.isWrong && node.ply > this.at.ply + 1) {
      return [{ ...node.parent.turn, mark: "blunder" }];
    }
    return played && !this.isOver && node === this.root && !hand.at ? [{ ...turnOf(played), mark, sign: signOf(mark) }] : [];
  }

  mayMove(node) {
    return !this.isOver && node === this.at && !this.#checking;
  }

  played(node) {
    this.node = this.isOver ? this.node : node;
  }

  /** A position has come up: that after a try. Of one that has been answered nothing goes on after the server was away: it is taken back. */
  begin(node) {
    if (node !== this.at && !this.#checking) {
      node.parent === this.at ? this.#check(node) : this.#takeBack();
    }
  }

  /** Asks for the turn again. */
  #takeBack() {
    const { app, at, tree } = this;
    at.children = [];
    this.node = at;
    this.#say(() => "");
    app.view.moves.draw(tree);
    return app.go(at);
  }

  stop() {
    this.#checking?.abort();
    this.#checking = null;
  }

  close() {
    this.stop();
  }

  hinted() {
    this.#isFlawed = true;
  }

  /** There are no clocks. */
  showClocks() {
    Object.values(this.app.view.clocks).forEach((element) => { element.hidden = true; });
  }

  /** Whether a turn leads where another one does: it may be written in several ways. */
  #isSame(node, word) {
    return node.turn.text === turnOf(word).text || Board.play(this.at.stones, turnOf(word), this.tree.columns) === node.stones;
  }

  async #check(node) {
    const { app } = this;
    const began = performance.now();
    const { signal } = this.#checking = beginSearch();
    this.#say(() => t("checking"));
    try {
      const fault = await this.#faultOf(node, signal);
      // An answer at once would not be seen to be one.
      await pause(Math.max(REPLY_TIME - (performance.now() - began), app.view.board.rest));
      if (fault !== null && !signal.aborted) {
        await (fault ? this.#again(node, fault, signal) : this.#turns[node.ply] ? this.#goOn(node) : this.#finish(node));
      }
    } catch (error) {
      app.fail(error);
      // What has not been answered is asked again when the server is back.
      if (!signal.aborted && !(error instanceof NoServer)) {
        this.#again(node, undefined, signal);
      }
    }
  }

  /** What writes what is wrong with a turn: nothing if nothing is, `null` if the search was ended. */
  async #faultOf(node, signal) {
    const { root, at, answer, tree, task: { best, goal, isProven } } = this;
    const { table } = at.known;
    const move = table?.find(({ word }) => this.#isSame(node, word));
    if (move ? move.outcome === table[0].outcome : (isProven ? [answer] : best).some((word) => this.#isSame(node, word))) {
      return undefined;
    }
    const { table: replies, outcome: end } = node.known;
    const judged = isProven ? null : await judgeLine(tree, [root, node], this.app.start.review_nodes, signal);
    const found = judged ? node.found : isProven && !replies && !end ? await findLines(tree.place(node), { nodes: this.app.start.review_nodes }, signal) : {};
    if (!found || !(judged || isProven)) {
      return null;
    }
    const reply = this.#reply = replies?.[0]?.word ?? found.words?.[0] ?? found.turn;
    const missed = goal === "hold" || replies?.[0]?.outcome === "win" ? "loss" : replies?.[0]?.outcome === "draw" ? "draw" : "none";
    const outcome = move?.outcome ?? (isProven && missed);
    const { loss, mark } = judged?.moves[0] ?? {};
    const said = () => (outcome ? t(`try-${outcome}`, node.turn.text) : t("try-costs", node.turn.text, percent(loss / 100, 0)));
    return outcome || mark ? () => `${reply ? named(said(), this.#refutation(node, reply)) : said()}.` : undefined;
  }

  /** A reply, and what it does: what it takes, or what the tables say of it. */
  #refutation(node, reply) {
    const { text, captured } = turnOf(reply);
    const { outcome } = node.known.table?.[0] ?? {};
    const does = captured.length > 0 ? "reply-takes" : ["win", "draw"].includes(outcome) ? `reply-${outcome}` : "reply";
    return t(does, sideName(this.tree.whiteMoves(node.ply)), text, stonesText(captured.length));
  }

  /** Why an answer is right: what all turns up to it have taken, unless they were told, what is proven of it, and what the other turns are worth. */
  #why(node, isTold = false) {
    const { tree, root, person, task: { goal, isProven } } = this;
    const { table, outcome } = node.known;
    const count = (stones, mine) => [...stones].filter((stone) => stone !== "." && (stone === person) === mine).length;
    const [lost, taken] = [true, false].map((mine) => count(root.stones, mine) - count(node.stones, mine));
    const others = node.parent.known?.table?.slice(1).map((move) => move.outcome) ?? [];
    const isAll = (wanted) => others.length > 0 && others.every((one) => one === wanted);
    const only = goal === "hold" || isAll("loss") ? "others-lose" : isAll("draw") ? "others-draw" : "others-none";
    const forced = { loss: "win", draw: "draw", win: "loss" }[table?.[0]?.outcome] ?? (isProven && { win: "win", hold: "draw" }[goal]);
    if (!isProven && !table && !outcome) {
      const best = this.task.best.map(turnOf);
      const judged = isTold ? "" : best.some(({ text }) => text === node.turn.text) ? t("is-best") : t("is-good", best[0].text);
      return [judged, takesText(node.turn, node.known, sideName(person === "b"))].filter(Boolean).join(" ");
    }
    return [
      node.ply === 1 || outcome ? takesText(node.turn, node.known, sideName(person === "b")) : taken + lost > 0 && !isTold ? t("why-total", taken > 0 ? stonesText(taken) : t("nothing"), orNothing(lost)) : "",
      forced && !outcome ? t(`why-${forced}`) : "",
      !isProven ? "" : node.ply > 1 ? t(goal === "hold" ? "each-hold" : "each-win") : t(only),
    ].filter(Boolean).join(" ");
  }

  /** Says what a function writes, now and when the page is drawn anew. */
  #say(write, { isRight = false, isWrong = false } = {}) {
    this.#said = write;
    Object.assign(this, { isRight, isWrong });
    this.app.view.say(this.words);
    this.show();
  }

  /** What is read below the headline. */
  get words() {
    return this.#said() || (this.isOver || this.isWrong ? "" : this.question);
  }

  /** The next turn to be found is asked for, after the reply. */
  async #goOn(node) {
    const { app, tree } = this;
    this.at = this.node = tree.add(node, this.#turns[node.ply]);
    this.#checking = null;
    this.#say(() => "", { isRight: true });
    app.view.moves.draw(tree);
    await app.go(this.at);
  }

  /** A wrong turn is answered, for all to see, and taken back. */
  async #again(node, fault, signal) {
    const { app, tree } = this;
    this.#isFlawed ||= Boolean(fault);
    if (fault) {
      this.series.note?.(this.task, 2);
      this.#say(fault, { isWrong: true });
      if (this.#reply) {
        const reply = tree.add(node, this.#reply);
        app.view.moves.draw(tree);
        await app.go(reply);
      }
      await this.#seen(signal);
    }
    if (signal.aborted) {
      return;
    }
    this.#checking = null;
    const hadFocus = this.box.contains(document.activeElement);
    const went = this.#takeBack();
    hadFocus && app.view.board.focus();
    await went;
  }

  /** Until the button is pressed, or the board. */
  async #seen(signal) {
    const ending = new AbortController();
    await new Promise((resolve) => {
      this.#retry = resolve;
      signal.addEventListener("abort", resolve);
      // The page may have been drawn anew.
      addEventListener("pointerdown", ({ target }) => this.app.view.board.element.contains(target) && resolve(), ending);
      this.show();
    });
    ending.abort();
    this.#retry = null;
    this.show();
  }

  solution() {
    const { at, tree, answer } = this;
    this.stop();
    this.#isFlawed = true;
    at.children = [];
    const node = tree.add(at, answer);
    this.app.view.moves.draw(tree);
    this.#finish(node, () => t("solution-is", node.turn.text));
  }

  /** The last turn is found, or one is told: a line goes on from it. */
  async #finish(node, told = null) {
    const { app, task, tree, series } = this;
    this.#checking = null;
    const words = [...tree.path(node).map(({ word }) => word), ...this.#turns.slice(node.ply)];
    [this.isOver, this.isTold, this.node, this.#line] = [true, told !== null, node, task.line ?? words];
    // What follows can be stepped through.
    this.#turns.slice(node.ply).reduce((at, word) => tree.add(at, word), node);
    app.view.moves.draw(tree);
    series.note?.(task, told ? 2 : this.#isFlawed ? 1.5 : 1);
    this.#say(told ?? (() => (node.known ? this.#why(node) : "")), { isRight: !told });
    await app.go(node);
    // Somebody may have gone on meanwhile.
    if (told && node.known && app.exercise === this) {
      this.#say(() => `${told()} ${this.#why(node, true)}`);
    }
    if (!task.line) {
      const place = { rules: tree.rules, start: tree.start, moves: words.map((word) => turnOf(word).text) };
      const found = await app.attempt(() => findLines(place, { time: CHECK_TIME }, beginSearch().signal));
      this.#line = [...words, ...wordsOf(found?.lines[0]?.turns)];
      this.show();
    }
  }

  /** What is asked for, and which of the turns it is. */
  get question() {
    const count = (this.#turns.length + 1) / 2;
    return count > 1 && !this.isOver ? `${this.goal} ${t("turn-of", this.at.ply / 2 + 1, count)}` : this.goal;
  }

  draw() {
    const { app, series, tree, person, task } = this;
    // The second click of two is about what was there before.
    const button = (key, act, kind = "") => make("button", { type: "button", class: kind, click: ({ detail }) => detail > 1 || act() }, t(key));
    this.turns = make("div", { class: "turns" });
    this.sign = make("span", { "aria-hidden": "true" });
    this.headline = make("strong", { role: "status" });
    this.nextButton = button("", () => {
      const isMore = series.hasNext;
      isMore && series.next();
      return isMore ? Exercise.begin(app, series) : app.leaveExercise();
    });
    this.againButton = button("retry", () => this.#retry?.(), "primary");
    this.showButton = button("show-answer", () => {
      this.solution();
      this.nextButton.focus();
    });
    const replace = careful(app, (wait) => app.begin({ rules: tree.rules, start: app.node.known.fen }, { person, level: PERFECT_LEVEL - 1, clock: null }, wait));
    this.playButton = button("play-out", () => app.node.known && app.attempt(() => replace(always)));
    this.goal = t(task.goal ? `find-${task.goal}` : task.isOwn ? "you-played" : "was-played", task.played && turnOf(task.played).text, t(`a-${task.mark}`));
    return make("section", { class: "panel exercise", "aria-label": t(series.title) }, this.turns, make("h2", {}, t(series.title)), series.controls?.(app));
  }

  /** The box of the task: whose turn it is and what is asked for, then what became of it, and what comes next. `said` is where all is said. */
  drawTask(said) {
    const { app, series, task } = this;
    this.box = make("section", { "aria-label": t("exercise") },
      make("span", { class: "about muted" }, series.about), make("button", { type: "button", class: "leave", click: () => app.leaveExercise() }, t("leave-exercise")), this.sign, this.headline, this.sides = make("div", { class: "sides" }), said,
      make("div", { class: "row what" }, this.againButton, this.nextButton, task.goal && this.playButton, this.showButton));
    said.querySelector(".message").textContent = this.words;
    this.show();
    return this.box;
  }

  show() {
    const { isOver, isRight, isWrong, series, person } = this;
    showTurns(this.turns, isOver ? this.#line : [], this.tree, this.root, (words) => this.app.playLine(words, this.root));
    this.box.className = `panel asked ${isRight ? "good" : isWrong ? "bad" : ""}`;
    this.sign.className = isRight || isWrong ? "sign" : person === "w" ? "dot" : "dot dark";
    this.sign.textContent = isRight ? "✓" : isWrong ? "✗" : "";
    const headline = t(isWrong ? "wrong" : isRight ? (isOver ? "right" : "right-go-on") : isOver ? "the-answer" : person === "w" ? "white-to-move" : "black-to-move");
    if (this.headline.textContent !== headline) {
      this.headline.textContent = headline;
    }
    this.showButton.hidden = isOver;
    this.playButton.hidden = !isOver || Boolean(this.app.node.known?.outcome);
    this.nextButton.classList.toggle("primary", isOver);
    this.nextButton.textContent = t(!isOver ? "skip" : series.hasNext ? `next-${series.title}` : "back-to-game");
    this.againButton.hidden = !this.#retry;
    this.nextButton.hidden = !isOver && (Boolean(this.#retry) || !series.hasNext);
    this.app.view.showNext();
  }
}

/** The bad moves of one side in a reviewed line. */
class Mistakes {
  constructor({ tasks, place = 0 }) {
    Object.assign(this, { tasks, place, title: "learn" });
  }

  /** The nodes after them: mistakes and blunders in the order of the game, then inaccuracies. An exercise knows nothing of repetition. */
  static of(tree, line, side) {
    const isBad = ({ judged, ply }) => ["?", "??", "?!"].includes(judged) && (side === "w") === tree.isWhite(ply);
    const bad = line.filter((node) => isBad(node) && ![node.word, node.parent.found?.words[0] ?? node.word].some((word) => tree.repeats(node.parent, word)));
    return bad.sort((one, other) => (one.judged === "?!") - (other.judged === "?!"));
  }

  static async begin(app, line, side) {
    const tasks = [];
    for (const { parent, word: played, judged } of Mistakes.of(app.tree, line, side)) {
      parent.known ??= await app.attempt(() => ask("/position", { place: app.tree.place(parent) }));
      if (!parent.known) {
        return;
      }
      const { known: { rules, fen: start, table }, found: { words, best } } = parent;
      const count = parseInt(app.tree.count(parent.ply + 1));
      tasks.push({ rules, start, table, best: [words[0], ...best], line: words, played, count, mark: MARKS[judged], isOwn: side === app.opponent?.person });
    }
    await Exercise.begin(app, new Mistakes({ tasks }));
  }

  get state() {
    return { tasks: this.tasks, place: this.place };
  }

  get task() {
    return this.tasks[this.place];
  }

  get about() {
    return `${t(this.task.isOwn ? "at-your-move" : "at-move", this.task.count)} · ${t("mistake-of", this.place + 1, this.tasks.length)}`;
  }

  note(task, result) {
    task.result = Math.min(task.result ?? 2, result);
    this.#showResults();
  }

  /** All of them, with what has become of each. */
  controls(app) {
    this.buttons = this.tasks.map(({ count, played, mark }, place) => make("button", { type: "button", "aria-current": place === this.place && "true", click: () => {
      this.place = place;
      Exercise.begin(app, this);
    } }, `${count}. ${brief(turnOf(played))} `, make("span", { class: `mark ${mark}` }, signOf(mark))));
    this.#showResults();
    return make("div", { class: "list" }, make("div", { class: "row" }, this.buttons));
  }

  #showResults() {
    this.buttons?.forEach((button, place) => { button.className = RESULTS[this.tasks[place].result] ?? ""; });
  }

  /** Who has played the game. */
  tagsOf(tree) {
    return ["White", "Black"].map((name) => [name, tree.tag(name)]);
  }

  get hasNext() {
    return this.place + 1 < this.tasks.length;
  }

  next() {
    this.place += 1;
  }
}
