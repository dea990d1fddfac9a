/* Exercises: the mistakes of a game, played better, and puzzles. An exercise stands where the opponent of a game does. */

/** How long the line that goes on from an answer is searched. */
const CHECK_TIME = 500;

/** How many puzzles of somebody's own games are kept. */
const OWN_PUZZLES = 50;

/** A position, in which a person is to find a move. The task of a series has rules, start, and the best turns; for a puzzle its goal, and if all other
    turns are proven to miss it (`isProven`), those to be found one after the other, with the replies between them (`turns`); for a mistake the best
    line, the turn that was played, its mark, and whether it was the person's. */
class Exercise {
  isOver = false;
  /** What has been said last: that a turn is wrong, or right. */
  isWrong = false;
  isRight = false;
  /** What the other side plays after a wrong turn. */
  #reply = null;
  #isFlawed = false;
  /** Ends the sight of a wrong turn and the reply. */
  #retry = null;
  said = "";
  #line = [];
  #checking = null;

  /** `before` is the game to which the page goes back. */
  constructor(app, series, known, before) {
    Object.assign(this, { app, series, task: series.task, before });
    this.tree = new GameTree({ rules: known.rules, start: known.fen });
    // A turn is asked for in `at`.
    this.root = this.at = this.node = this.tree.root;
    this.root.known = known;
    this.person = this.tree.whiteMoves(0) ? "w" : "b";
  }

  /** Begins the task of a series, instead of the game that is shown. */
  static async begin(app, series) {
    const [{ tree }, { task }] = [app, series];
    const known = await app.attempt(() => ask("/position", { place: { rules: task.rules, start: task.start } }));
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

  /** The bad move that was played, before another one is tried. */
  get arrows() {
    const { task: { played, mark }, app: { node, hand } } = this;
    return played && !this.isOver && node === this.root && !hand.at ? [{ ...turnOf(played), mark }] : [];
  }

  mayMove(node) {
    return !this.isOver && node === this.at && !this.#checking;
  }

  played(node) {
    this.node = this.isOver ? this.node : node;
  }

  /** A position has come up: that after a try. */
  begin(node) {
    if (node !== this.at && !this.#checking) {
      this.#check(node);
    }
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
    this.#say(t("checking"));
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
        this.#again(node, "", signal);
      }
    }
  }

  /** What is wrong with a turn: an empty text if nothing is, nothing if the search was ended. */
  async #faultOf(node, signal) {
    const { root, at, answer, tree, task: { best, goal, isProven } } = this;
    const { table } = at.known;
    const move = table?.find(({ word }) => this.#isSame(node, word));
    if (move ? move.outcome === table[0].outcome : (isProven ? [answer] : best).some((word) => this.#isSame(node, word))) {
      return "";
    }
    const { table: replies, outcome: end } = node.known;
    const judged = isProven ? null : await judgeLine(tree, [root, node], REVIEW_NODES, signal);
    const found = judged ? node.found : isProven && !replies && !end ? await findLines(tree.place(node), { nodes: REVIEW_NODES }, signal) : {};
    if (!found || !(judged || isProven)) {
      return null;
    }
    const reply = this.#reply = replies?.[0]?.word ?? found.words?.[0] ?? found.turn;
    const missed = goal === "hold" || replies?.[0]?.outcome === "win" ? "loss" : replies?.[0]?.outcome === "draw" ? "draw" : "none";
    const outcome = move?.outcome ?? (isProven && missed);
    const { loss, mark } = judged?.moves[0] ?? {};
    const said = outcome ? t(`try-${outcome}`, node.turn.text) : mark && t("try-costs", node.turn.text, percent(loss / 100, 0));
    return said ? (reply ? named(said, this.#refutation(node, reply)) : said) : "";
  }

  /** A reply, and what it does: what it takes, or what the tables say of it. */
  #refutation(node, reply) {
    const { text, captured } = turnOf(reply);
    const { outcome } = node.known.table?.[0] ?? {};
    const does = captured.length > 0 ? "reply-takes" : ["win", "draw"].includes(outcome) ? `reply-${outcome}` : "reply";
    return t(does, sideName(this.tree.whiteMoves(node.ply)), text, captured.length);
  }

  /** Why an answer is right: what all turns up to it have taken, what is proven of it, and what the other turns are worth. */
  #why(node) {
    const { tree, root, person, task: { goal, isProven } } = this;
    const { table, outcome } = node.known;
    const count = (stones, mine) => [...stones].filter((stone) => stone !== "." && (stone === person) === mine).length;
    const [lost, taken] = [true, false].map((mine) => count(root.stones, mine) - count(node.stones, mine));
    const others = node.parent.known?.table?.slice(1).map((move) => move.outcome) ?? [];
    const isAll = (wanted) => others.length > 0 && others.every((one) => one === wanted);
    const only = goal === "hold" || isAll("loss") ? "others-lose" : isAll("draw") ? "others-draw" : "others-none";
    const forced = { loss: "win", draw: "draw", win: "loss" }[table?.[0]?.outcome] ?? (isProven && { win: "win", hold: "draw" }[goal]);
    return [
      node.ply === 1 || outcome ? takesText(node.turn, node.known, sideName(person === "b")) : taken + lost > 0 ? t("why-total", orNothing(taken), orNothing(lost)) : "",
      forced && !outcome ? t(`why-${forced}`) : "",
      !isProven ? "" : node.ply > 1 ? t(goal === "hold" ? "each-hold" : "each-win") : t(only),
    ].filter(Boolean).join(" ");
  }

  #say(text, { isRight = false, isWrong = false } = {}) {
    [this.said, this.isRight, this.isWrong] = [text && `${isRight ? "✓ " : isWrong ? "✗ " : ""}${text}`, isRight, isWrong];
    this.app.view.say(this.spoken);
    this.show();
  }

  /** The next turn to be found is asked for, after the reply. */
  async #goOn(node) {
    const { app, tree } = this;
    this.at = this.node = tree.add(node, this.#turns[node.ply]);
    this.#checking = null;
    this.#say(t("right"), { isRight: true });
    app.view.moves.draw(tree);
    await app.go(this.at);
  }

  /** A wrong turn is answered, for all to see, and taken back. */
  async #again(node, fault, signal) {
    const { app, tree, at } = this;
    this.#isFlawed ||= fault !== "";
    if (fault && this.#reply) {
      this.#say(t("try-again", fault), { isWrong: true });
      await app.go(tree.add(node, this.#reply));
      await this.#seen(signal);
    }
    if (signal.aborted) {
      return;
    }
    this.#checking = null;
    fault && this.series.note?.(this.task, 2);
    tree.remove(node);
    this.node = at;
    app.view.moves.draw(tree);
    await app.go(at);
    this.#say(fault && t("try-again", fault), { isWrong: fault !== "" });
  }

  /** Until the button is pressed, or the board. */
  async #seen(signal) {
    const { board } = this.app.view;
    await new Promise((resolve) => {
      this.#retry = resolve;
      signal.addEventListener("abort", resolve);
      board.element.addEventListener("pointerdown", resolve, { signal, once: true });
      this.show();
    });
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
    this.#finish(node, t("solution-is", node.turn.text));
  }

  /** The last turn is found, or one is told: a line goes on from it. */
  async #finish(node, told = "") {
    const { app, task, tree, series } = this;
    this.#checking = null;
    const words = [...tree.path(node).map(({ word }) => word), ...this.#turns.slice(node.ply)];
    [this.isOver, this.node, this.#line] = [true, node, task.line ?? words];
    series.note?.(task, this.#isFlawed ? 2 : 1);
    const why = told || !node.known ? "" : this.#why(node);
    this.#say(told || `${t("right")} ${why}`.trim(), { isRight: !told });
    await app.go(node);
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
    return count > 1 && !this.isOver ? `${this.goal} · ${t("turn-of", this.at.ply / 2 + 1, count)}` : this.goal;
  }

  /** What is announced: that a turn is right, and what is asked for next. */
  get spoken() {
    return this.isRight && !this.isOver ? `${this.said} ${this.question}` : this.said || this.question;
  }

  draw() {
    const { app, series, tree, person, task } = this;
    const button = (key, act) => make("button", { type: "button", click: act }, t(key));
    this.turns = make("div", { class: "turns" });
    // Its text is announced by the message, which is in sight where there is no room for it beside the board.
    this.asked = make("p", { class: "asked" });
    this.verdict = make("p", {});
    this.box = make("div", { class: "task", "aria-hidden": "true" }, make("span", { class: `stone ${person}` }), this.asked, this.verdict);
    this.nextButton = button("next-exercise", () => (series.next() ? Exercise.begin(app, series) : this.#say(t("no-more"))));
    this.againButton = make("button", { type: "button", class: "primary", click: () => this.#retry?.() }, t("retry"));
    this.showButton = button("show-answer", () => {
      this.nextButton.focus();
      this.solution();
    });
    const replace = careful(app, (wait) => app.begin({ rules: tree.rules, start: app.node.known.fen }, { person, level: app.start.levels.length - 1, clock: null }, wait));
    this.playButton = button("play-out", () => app.node.known && app.attempt(() => replace(always)));
    const side = t(person === "w" ? "white-to-move" : "black-to-move");
    this.goal = task.goal ? t(`goal-${task.goal}`, side) : t(task.isOwn ? "you-played" : "was-played", turnOf(task.played).text, t(`a-${task.mark}`));
    const element = make("section", { class: "panel exercise", "aria-label": t("exercise") },
      make("div", { class: "row title" }, make("h2", {}, t(series.title)), button("leave-exercise", () => app.leaveExercise())),
      make("p", { class: "muted about" }, series.about), this.box, make("div", { class: "row what" }, this.againButton, this.nextButton, this.showButton, task.goal && this.playButton), this.turns, series.controls?.(app));
    this.show();
    return element;
  }

  show() {
    showTurns(this.turns, this.isOver ? this.#line : [], this.tree, this.root, (words) => this.app.playLine(words, this.root));
    this.asked.textContent = this.question;
    this.verdict.textContent = this.said;
    this.box.className = `task ${this.isRight ? "good" : this.isWrong ? "bad" : ""}`;
    this.showButton.hidden = this.isOver;
    this.playButton.hidden = !this.isOver;
    this.nextButton.classList.toggle("primary", this.isOver);
    this.nextButton.textContent = t(this.isOver ? "next-exercise" : "skip");
    this.againButton.hidden = !this.#retry;
    this.app.view.showNext();
  }
}

/** The bad moves of one side in a reviewed line. */
class Mistakes {
  constructor({ tasks, place = 0 }) {
    Object.assign(this, { tasks, place, title: "learn" });
  }

  /** The nodes after them: mistakes and blunders in the order of the game, then inaccuracies. */
  static of(tree, line, side) {
    const bad = line.filter(({ judged, ply }) => ["?", "??", "?!"].includes(judged) && (side === "w") === tree.isWhite(ply));
    return bad.sort((one, other) => (one.judged === "?!") - (other.judged === "?!"));
  }

  static async begin(app, line, side) {
    const tasks = [];
    for (const { parent, word: played, judged } of Mistakes.of(app.tree, line, side)) {
      parent.known ??= await app.attempt(() => ask("/position", { place: app.tree.place(parent) }));
      if (!parent.known) {
        return;
      }
      const { known: { rules, fen: start }, found: { words, best } } = parent;
      const turn = Math.floor(parent.ply / 2) + 1;
      tasks.push({ rules, start, best: [words[0], ...best], line: words, played, turn, mark: MARKS[judged], isOwn: side === app.opponent?.person });
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
    return `${t("mistake-of", this.place + 1, this.tasks.length)} · ${t("at-turn", this.task.turn)}`;
  }

  /** Goes to the next one; whether there is one. */
  next() {
    const isLast = this.place + 1 === this.tasks.length;
    this.place += isLast ? 0 : 1;
    return !isLast;
  }
}

/** The proven puzzles of the program, those of somebody's own games, and what has become of each: 1 if it was solved at first, else 2. */
const puzzles = { proven: null, own: recalled("own-puzzles", []), results: recalled("puzzles", {}) };

/** Keeps a puzzle of a game. */
function addPuzzle(puzzle) {
  puzzles.own = [...recalled("own-puzzles", puzzles.own).filter(({ name }) => name !== puzzle.name), puzzle].slice(-OWN_PUZZLES);
  stored.set("own-puzzles", JSON.stringify(puzzles.own));
}

/** Puzzles in a random order. */
class Puzzles {
  #seen = new Set();

  constructor({ task = null, goal = stored.get("puzzle-goal") ?? "all", level = stored.get("puzzle-level") ?? "all" } = {}) {
    // Where there is nothing of the kind any longer, all are chosen from.
    Object.assign(this, { task, goal, level, title: "puzzles" });
    if (this.#fitting.length === 0) {
      [this.goal, this.level] = ["all", "all"];
    }
  }

  /** Begins with the one that was there, or with any. */
  static async begin(app, state = {}) {
    if (app.isPlaying && !app.exercise) {
      return app.view.say(t("puzzles-later"));
    }
    puzzles.proven ??= await app.attempt(async () => (await ask("/puzzles")).map((puzzle) => ({ ...puzzle, isProven: true })));
    const series = new Puzzles(state);
    if (puzzles.proven && (series.task || series.next())) {
      await Exercise.begin(app, series);
    }
  }

  get state() {
    return { task: this.task, goal: this.goal, level: this.level };
  }

  get about() {
    const { isProven, goal, level, name } = this.task;
    const alike = (puzzles.proven ?? []).filter((puzzle) => puzzle.goal === goal && puzzle.level === level);
    const place = alike.findIndex((puzzle) => puzzle.name === name) + 1;
    return isProven ? [t(`goal-${goal}-short`), t("puzzle-number", place, alike.length), t(level)].join(" · ") : t("own-puzzles");
  }

  /** What is chosen from. */
  get #fitting() {
    const { goal, level } = this;
    const isWanted = (puzzle) => (goal === "all" || puzzle.goal === goal) && (level === "all" || puzzle.level === level);
    return goal === "own" ? puzzles.own : (puzzles.proven ?? []).filter(isWanted);
  }

  /** Chooses the next one: those first that have never been solved, and none twice before all have been seen. */
  next() {
    const rest = this.#fitting.filter(({ name }) => name !== this.task?.name);
    const unseen = rest.filter(({ name }) => !this.#seen.has(name));
    const [from = []] = [unseen.filter(({ name }) => !puzzles.results[name]), unseen, rest].filter((some) => some.length > 0);
    const isNew = Object.keys(puzzles.results).length === 0 && this.#seen.size === 0;
    const first = isNew && from.find(({ level }) => level === "easy");
    this.task = first || (from[Math.floor(Math.random() * from.length)] ?? this.task);
    this.#seen.add(this.task?.name);
    return from.length > 0;
  }

  /** The first result counts. */
  note(task, result) {
    puzzles.results = { [task.name]: result, ...recalled("puzzles", puzzles.results) };
    stored.set("puzzles", JSON.stringify(puzzles.results));
    this.#showProgress();
  }

  controls(app) {
    const choice = (name, options) => setting(`puzzle-${name}`, options, this[name], (value) => {
      this[name] = value;
      this.#showProgress();
      if (!this.#fitting.some((puzzle) => puzzle.name === this.task.name) && this.next()) {
        Exercise.begin(app, this);
      }
    })[1];
    const own = puzzles.own.length > 0 ? [["own", `${t("own-puzzles")} (${puzzles.own.length})`]] : [];
    const goals = [["all", t("all-goals")], ["win", t("goal-win-short")], ["hold", t("goal-hold-short")], ...own];
    const levels = [["all", t("all-levels")], ...["easy", "medium", "hard"].map((level) => [level, t(level)])];
    this.progress = make("summary", { class: "muted small" });
    this.grid = make("div", { class: "grid" });
    const toggle = () => this.#showList();
    this.list = make("details", { open: stored.get("puzzle-list") === "open", toggle }, this.progress, this.grid);
    this.app = app;
    this.#showProgress();
    return [make("div", { class: "row filters" }, choice("goal", goals), choice("level", levels)), this.list];
  }

  /** All that are chosen from, in order, with what has become of each. */
  #showList() {
    stored.set("puzzle-list", this.list.open ? "open" : "");
    this.#showProgress();
    this.grid.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  #showProgress() {
    const results = this.#fitting.map(({ name }) => puzzles.results[name]);
    const count = (wanted) => fixed(results.filter((result) => result === wanted).length);
    this.progress.textContent = t("puzzle-progress", count(1), count(2), fixed(results.filter((result) => !result).length));
    const begin = (task) => {
      this.task = task;
      Exercise.begin(this.app, this);
    };
    this.grid.replaceChildren(...(this.list.open ? this.#fitting : []).map((task, place) => {
      const [state, key] = { 1: ["solved", "puzzle-solved"], 2: ["missed", "puzzle-missed"] }[results[place]] ?? ["", "puzzle-new"];
      return make("button", { type: "button", class: state, "aria-current": task.name === this.task.name && "true", "aria-label": t(key, place + 1), click: () => begin(task) }, String(place + 1));
    }));
  }
}

/** Keeps positions of a reviewed line as puzzles, in which somebody blundered and one move alone is good: by the tables, or by a longer search. */
async function collectPuzzles(app, tree, line, signal) {
  const { blunder } = Object.fromEntries(app.start.marks);
  for (const { parent } of line.filter(({ judged }) => judged === "??").slice(0, MOST_PUZZLES)) {
    parent.known ??= await ask("/position", { place: tree.place(parent) });
    const { rules, fen: start, table } = parent.known;
    const found = table ? null : await findLines(tree.place(parent), { lines: 2, nodes: PUZZLE_NODES }, signal);
    const [first, second] = table ?? found?.lines ?? [];
    const isOnly = second && (table ? first.outcome !== "loss" && first.outcome !== second.outcome : Math.abs(first.chance - second.chance) >= blunder);
    if (signal.aborted) {
      return;
    }
    if (isOnly) {
      const goal = table ? { win: "win", draw: "hold" }[first.outcome] : "best";
      addPuzzle({ name: start, rules, start, goal, best: [first.word ?? wordsOf(first.turns)[0]] });
    }
  }
}
