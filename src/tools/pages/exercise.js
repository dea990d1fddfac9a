/* Exercises: the mistakes of a game, played better, and puzzles. An exercise stands where the opponent of a game does. */

/** How long a tried move is searched, and the position before it. */
const CHECK_TIME = 500;

/** The most puzzles of somebody's own games that are kept. */
const OWN_PUZZLES = 50;

/** A position, in which a person is to find a move. Its task has rules, start, the best turns, what they reach (`win`, `hold`) or the mark of the turn
    that was played, and whether they are proven to be the only ones. */
class Exercise {
  isOver = false;
  #isFlawed = false;
  #said = "";
  #line = [];
  #checking = null;

  /** `before` is the game to which the page goes back. */
  constructor(app, series, known, before) {
    Object.assign(this, { app, series, task: series.task, before });
    this.tree = new GameTree({ rules: known.rules, start: known.fen });
    this.node = this.tree.root;
    this.node.known = known;
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

  get state() {
    return this.series.state;
  }

  get root() {
    return this.tree.root;
  }

  /** The turn to be found, while it is. */
  get answer() {
    return this.isOver ? undefined : this.task.best[0];
  }

  mayMove(node) {
    return !this.isOver && node === this.root && !this.#checking;
  }

  played(node) {
    if (!this.isOver) {
      this.node = node;
    }
  }

  /** A position has come up: that after a try. */
  begin(node) {
    if (node !== this.root && !this.#checking) {
      this.#check(node);
    }
  }

  stop() {
    this.#checking?.abort();
    this.#checking = null;
  }

  close() {
    this.stop();
    this.isOver = true;
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
    return node.turn.text === turnOf(word).text || Board.play(this.root.stones, turnOf(word), this.tree.columns) === node.stones;
  }

  async #check(node) {
    const { app } = this;
    const checking = beginSearch();
    const [began, { signal }] = [performance.now(), checking];
    this.#checking = checking;
    this.#say(t("checking"));
    try {
      const fault = await this.#faultOf(node, signal);
      // An answer at once would not be seen to be one.
      await pause(Math.max(REPLY_TIME - (performance.now() - began), app.view.board.rest));
      if (fault !== null && !signal.aborted) {
        this.#checking = null;
        await (fault ? this.#again(node, fault) : this.#solve(node));
      }
    } catch (error) {
      app.fail(error);
      // What has not been answered is asked again when the server is back.
      if (!signal.aborted && !(error instanceof NoServer)) {
        this.#checking = null;
        this.#again(node, "");
      }
    }
  }

  /** What is wrong with a turn: an empty text if nothing is, nothing if the search was ended. */
  async #faultOf(node, signal) {
    const { task, root, tree } = this;
    const move = root.known.table?.find(({ word }) => this.#isSame(node, word));
    if (move ? move.outcome === root.known.table[0].outcome : task.best.some((word) => this.#isSame(node, word))) {
      return "";
    }
    const judged = await judgeLine(tree, [root, node], CHECK_TIME, signal);
    if (!judged) {
      return null;
    }
    const { loss, mark } = judged.moves[0];
    const reply = node.known.table?.[0].word ?? node.found.words[0];
    const answer = reply ? ` (${tree.count(2)} ${turnOf(reply).text})` : "";
    const outcome = move?.outcome ?? (task.isProven ? this.#outcomeOf(node) : null);
    if (outcome) {
      return t(`try-${outcome}`, node.turn.text) + answer;
    }
    return mark ? t("try-costs", node.turn.text, fixed(loss / 100, 2)) + answer : "";
  }

  /** What a turn reaches that is proven not to be the best. */
  #outcomeOf(node) {
    const table = node.known.table?.[0].outcome;
    return this.task.goal === "hold" || table === "win" ? "loss" : table === "draw" ? "draw" : "none";
  }

  #say(text) {
    this.#said = text;
    this.show();
  }

  /** A wrong turn is taken back. */
  async #again(node, fault) {
    const { app, tree, root } = this;
    this.#isFlawed ||= fault !== "";
    this.series.tried(this.#isFlawed);
    tree.remove(node);
    this.node = root;
    app.view.moves.draw(tree);
    if (app.tree === tree) {
      await app.go(root);
    }
    this.#say(fault ? t("try-again", fault) : "");
  }

  /** The turn is right: a line goes on from it. */
  async #solve(node) {
    const { app, task } = this;
    this.isOver = true;
    this.series.solved(this.#isFlawed);
    this.#line = task.line && !this.#isSame(node, task.line[0]) ? task.line : [node.word];
    this.#say(t("right"));
    await app.go(app.node);
    await this.#goOn();
  }

  /** Shows the answer. */
  async solution() {
    const { app, task } = this;
    this.stop();
    this.isOver = this.#isFlawed = true;
    this.series.solved(true);
    this.root.children = [];
    this.node = this.root;
    this.#line = task.line ?? [task.best[0]];
    this.#say(t("solution-is", turnOf(task.best[0]).text));
    await app.go(this.root);
    app.playLine([task.best[0]], this.root);
    await this.#goOn();
  }

  /** Completes the line that is shown. */
  async #goOn() {
    const [word] = this.#line;
    if (this.#line.length === 1) {
      const moves = [turnOf(word).text];
      const { signal } = beginSearch();
      const found = await this.app.attempt(() => findLines({ ...this.tree.place(this.root), moves }, { time: CHECK_TIME }, signal));
      this.#line = [word, ...wordsOf(found?.lines[0]?.turns)];
    }
    this.show();
  }

  draw() {
    const { app, series } = this;
    const button = (key, act, kind = null) => make("button", { type: "button", class: kind, click: act }, t(key));
    this.verdict = make("p", { class: "said", role: "status" });
    this.turns = make("div", { class: "turns" });
    this.showButton = button("show-answer", () => {
      this.nextButton.focus();
      this.solution();
    });
    this.nextButton = button("next-exercise", () => series.next() ? Exercise.begin(app, series) : this.#say(t("no-more")));
    const replace = careful(app, (wait) => app.begin({ rules: this.tree.rules, start: app.node.known.fen }, { person: this.person, level: app.start.levels, clock: null }, wait));
    this.playButton = button("play-out", () => app.node.known && app.attempt(() => replace(always)));
    const element = make("section", { class: "panel exercise", "aria-label": t("exercise") },
      make("div", { class: "row" }, make("h2", {}, series.title), make("span", { class: "muted" }, series.about)),
      series.controls?.(app),
      make("p", { class: "task" }, this.#question()), this.verdict, this.turns,
      make("div", { class: "row" }, this.nextButton, this.showButton, series.controls && this.playButton, button("leave-exercise", () => app.leaveExercise())));
    this.show();
    return element;
  }

  #question() {
    const { goal, played, mark, isOwn } = this.task;
    const side = t(this.person === "w" ? "white-to-move" : "black-to-move");
    return goal ? t(`goal-${goal}`, side) : t(isOwn ? "you-played" : "was-played", turnOf(played).text, t(`a-${mark}`));
  }

  show() {
    if (this.verdict) {
      this.verdict.textContent = this.#said;
      this.verdict.classList.toggle("good", this.isOver);
      showTurns(this.turns, this.isOver ? this.#line : [], this.tree, this.root, (words) => this.app.playLine(words, this.root));
      this.showButton.disabled = this.isOver;
      this.playButton.disabled = !this.isOver;
      this.nextButton.classList.toggle("primary", this.isOver);
    }
  }
}

/** The bad moves of one side in a reviewed line, the worst marks first. */
class Mistakes {
  constructor({ tasks, place = 0 }) {
    Object.assign(this, { tasks, place });
  }

  /** The nodes after the bad moves: mistakes and blunders in the order of the game, then inaccuracies. */
  static of(tree, line, side) {
    const bad = line.filter((node) => ["?", "??", "?!"].includes(node.judged) && (side === "w") === tree.isWhite(node.ply));
    return [...bad.filter(({ judged }) => judged !== "?!"), ...bad.filter(({ judged }) => judged === "?!")];
  }

  static async begin(app, line, side) {
    const { tree } = app;
    const tasks = [];
    for (const node of Mistakes.of(tree, line, side)) {
      const { parent } = node;
      parent.known ??= await app.attempt(() => ask("/position", { place: tree.place(parent) }));
      if (!parent.known || tree !== app.tree) {
        return;
      }
      const { known: { rules, fen: start }, found: { words: line, best } } = parent;
      const isOwn = side === app.opponent?.person;
      tasks.push({ rules, start, best: [line[0], ...best], line, played: node.word, mark: MARKS[node.judged], isOwn });
    }
    await Exercise.begin(app, new Mistakes({ tasks }));
  }

  get state() {
    return { tasks: this.tasks, place: this.place };
  }

  get task() {
    return this.tasks[this.place];
  }

  get title() {
    return t("learn");
  }

  get about() {
    return `${this.place + 1} / ${this.tasks.length}`;
  }

  /** Goes to the next one; whether there is one. */
  next() {
    this.place = Math.min(this.place + 1, this.tasks.length);
    return this.place < this.tasks.length || (this.place -= 1, false);
  }

  tried() {}

  solved() {}
}

/** Puzzles in a random order: the proven ones of the program, and those of somebody's own games. */
class Puzzles {
  /** What there is, and what has become of each: 1 for one that was solved at first, 2 for one that was not. */
  static #proven = null;
  static #own = null;
  static #results = null;
  #seen = new Set();

  constructor({ task = null, goal, level } = {}) {
    this.task = task;
    this.goal = goal ?? stored.get("puzzle-goal") ?? "all";
    this.level = level ?? stored.get("puzzle-level") ?? "all";
  }

  static read(name, otherwise) {
    try {
      return JSON.parse(stored.get(name)) ?? otherwise;
    } catch {
      return otherwise;
    }
  }

  static get own() {
    Puzzles.#own ??= Puzzles.read("own-puzzles", []);
    return Puzzles.#own;
  }

  static get results() {
    Puzzles.#results ??= Puzzles.read("puzzles", {});
    return Puzzles.#results;
  }

  /** Keeps a puzzle of a game. */
  static add(puzzle) {
    Puzzles.#own = [...Puzzles.own.filter(({ name }) => name !== puzzle.name), puzzle].slice(-OWN_PUZZLES);
    stored.set("own-puzzles", JSON.stringify(Puzzles.#own));
  }

  /** Reads what there is, and begins with the next puzzle, or the one that was there. */
  static async begin(app, state = {}) {
    Puzzles.#proven ??= await app.attempt(async () => (await ask("/puzzles")).map((puzzle) => ({ ...puzzle, isProven: true })));
    const series = new Puzzles(state);
    if (Puzzles.#proven && (!app.isPlaying || app.exercise) && (series.task || series.next())) {
      await Exercise.begin(app, series);
    }
  }

  get state() {
    return { task: this.task, goal: this.goal, level: this.level };
  }

  get title() {
    return t("puzzles");
  }

  get about() {
    return this.task.isProven ? `${this.task.name} · ${t(this.task.level)}` : t("own-puzzles");
  }

  /** What is chosen from. */
  get #fitting() {
    const { goal, level } = this;
    const fits = (puzzle) => (goal === "all" || puzzle.goal === goal) && (level === "all" || puzzle.level === level);
    return goal === "own" ? Puzzles.own : Puzzles.#proven.filter(fits);
  }

  /** Chooses the next one: those first that have never been solved, and none twice before all have been seen. */
  next() {
    const fitting = this.#fitting;
    const unseen = fitting.filter(({ name }) => !this.#seen.has(name) && name !== this.task?.name);
    const fresh = unseen.filter(({ name }) => !Puzzles.results[name]);
    const [from] = [fresh, unseen, fitting].filter((puzzles) => puzzles.length > 0);
    if (!from) {
      return false;
    }
    if (from === fitting) {
      this.#seen.clear();
    }
    this.task = from[Math.floor(Math.random() * from.length)];
    this.#seen.add(this.task.name);
    return true;
  }

  tried(isFlawed) {
    this.#note(isFlawed ? 2 : 0);
  }

  solved(isFlawed) {
    this.#note(isFlawed ? 2 : 1);
  }

  /** The first result counts. */
  #note(result) {
    if (result > 0) {
      Puzzles.results[this.task.name] ??= result;
      stored.set("puzzles", JSON.stringify(Puzzles.results));
    }
    this.#showProgress();
  }

  controls(app) {
    const choice = (name, options) => {
      const select = make("select", { "aria-label": t(`puzzle-${name}`), title: t(`puzzle-${name}`), change: () => {
        leave(select);
        this[name] = select.value;
        stored.set(`puzzle-${name}`, select.value);
        if (!this.#fitting.some((puzzle) => puzzle.name === this.task.name) && this.next()) {
          Exercise.begin(app, this);
        } else {
          this.#showProgress();
        }
      } }, options.map(([value, text, disabled]) => make("option", { value, disabled, selected: value === this[name] }, text)));
      return select;
    };
    const goals = [["all", t("all-goals")], ["win", t("goal-win-short")], ["hold", t("goal-hold-short")], ["own", `${t("own-puzzles")} (${Puzzles.own.length})`, Puzzles.own.length === 0]];
    const levels = [["all", t("all-levels")], ...["easy", "medium", "hard"].map((level) => [level, t(level)])];
    this.progress = make("p", { class: "muted small" });
    this.#showProgress();
    return [make("div", { class: "row" }, choice("goal", goals), choice("level", levels)), this.progress];
  }

  #showProgress() {
    const results = this.#fitting.map(({ name }) => Puzzles.results[name]);
    const count = (wanted) => fixed(results.filter((result) => result === wanted).length);
    if (this.progress) {
      this.progress.textContent = t("puzzle-progress", count(1), count(2), fixed(results.length));
    }
  }
}

/** Keeps positions of a reviewed line as puzzles, in which somebody blundered and one move alone is good: by the tables, or by a longer search. */
async function collectPuzzles(app, tree, line, signal) {
  const { blunder } = Object.fromEntries(app.start.marks);
  const blunders = line.filter(({ judged }) => judged === "??").slice(0, MOST_PUZZLES);
  for (const { parent } of blunders) {
    parent.known ??= await ask("/position", { place: tree.place(parent) });
    const { rules, fen: start, table } = parent.known;
    let [best, goal] = [null, "best"];
    if (table) {
      const isOnly = table[0].outcome !== "loss" && table[1]?.outcome !== table[0].outcome;
      best = isOnly ? table[0].word : null;
      goal = table[0].outcome === "win" ? "win" : "hold";
    } else {
      const found = await findLines(tree.place(parent), { lines: 2, time: PUZZLE_TIME }, signal);
      const [first, second] = found?.lines ?? [];
      const gain = second ? Math.abs(first.chance - second.chance) : 0;
      best = gain >= blunder ? wordsOf(first.turns)[0] : null;
    }
    if (signal.aborted) {
      return;
    }
    if (best) {
      Puzzles.add({ name: start, rules, start, goal, best: [best] });
    }
  }
}
