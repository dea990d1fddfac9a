/* Puzzles: the proven ones of the program, and those from somebody's own games. */

/** How many puzzles of somebody's own games are kept. */
const OWN_PUZZLES = 50;

/** The puzzles that are stored, without what is none. */
const ownPuzzles = (otherwise) => recalled("own-puzzles", otherwise).filter((puzzle) => [puzzle?.name, puzzle?.start, puzzle?.best?.[0]].every((text) => typeof text === "string"));

/** The proven puzzles of the program, those of somebody's own games, and what has become of each (a key of `RESULTS`). */
const puzzles = { proven: null, own: ownPuzzles([]), results: recalled("puzzles", {}) };

/** Keeps a puzzle of a game. One that is there keeps its name, by which its result is known: older ones are named by their position alone. */
function addPuzzle(puzzle) {
  const others = ownPuzzles(puzzles.own);
  const known = others.find(({ rules, start }) => rules === puzzle.rules && start === puzzle.start);
  puzzles.own = [...others.filter((other) => other !== known), { ...puzzle, name: known?.name ?? puzzle.name }].slice(-OWN_PUZZLES);
  stored.set("own-puzzles", JSON.stringify(puzzles.own));
}

/** Puzzles by difficulty and goal: what is next is the first after this one that is new, else one that was missed. */
class Puzzles {
  title = "puzzles";
  /** How many were solved at first one after the other, since they were begun. */
  #streak = 0;

  constructor({ task, goal = stored.get("puzzle-goal") ?? "all", level = stored.get("puzzle-level") ?? "all" } = {}) {
    Object.assign(this, { goal, level });
    // Where there is nothing of the kind, all are chosen from.
    if (this.#fitting.length === 0) {
      [this.goal, this.level] = ["all", "all"];
    }
    // Where somebody was last, if it is still to be solved.
    const name = stored.get("puzzle");
    this.task = task ?? this.#fitting.find((puzzle) => puzzle.name === name);
    if (!task && (!this.task || puzzles.results[name])) {
      this.next();
    }
  }

  /** Begins with the one that was there, or where somebody was last. A game waits meanwhile. */
  static async begin(app, state = {}) {
    puzzles.proven ??= await app.attempt(async () => (await ask("/puzzles")).map((puzzle) => ({ ...puzzle, isProven: true })));
    if (puzzles.proven) {
      await Exercise.begin(app, new Puzzles(state));
    }
  }

  get state() {
    return { task: this.task, goal: this.goal, level: this.level };
  }

  get about() {
    const [title, all, first] = Puzzles.#groups.find(([, tasks]) => tasks.some(({ name }) => name === this.task.name)) ?? [t("own-puzzles"), puzzles.own, 1];
    const place = all.findIndex(({ name }) => name === this.task.name);
    return place >= 0 ? `${t("puzzle-number", first + place)} · ${title}` : title;
  }

  /** The proven ones, each kind with its name and the number of its first: they are numbered through. */
  static get #groups() {
    const kinds = ["easy", "medium", "hard"].flatMap((level) => ["win", "hold"].map((goal) => [level, goal]));
    let next = 1;
    return kinds.map(([level, goal]) => {
      // What captures comes first.
      const takes = ({ turns }) => Number(turnOf(turns[0]).captured.length > 0);
      const tasks = (puzzles.proven ?? []).filter((puzzle) => puzzle.level === level && puzzle.goal === goal).sort((one, other) => takes(other) - takes(one));
      next += tasks.length;
      return [`${t(`goal-${goal}-short`)} · ${t(level)}`, tasks, next - tasks.length];
    });
  }

  /** What is chosen from. */
  get #chosen() {
    const { goal, level } = this;
    const isWanted = ([, [first]]) => first && (goal === "all" || first.goal === goal) && (level === "all" || first.level === level);
    return goal === "own" ? [[t("own-puzzles"), puzzles.own, 1]] : Puzzles.#groups.filter(isWanted);
  }

  get #fitting() {
    return this.#chosen.flatMap(([, tasks]) => tasks);
  }

  get hasNext() {
    return this.#fitting.some(({ name }) => name !== this.task.name);
  }

  next() {
    const all = this.#fitting;
    const at = all.findIndex(({ name }) => name === this.task?.name);
    const others = [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0))];
    const first = (wanted) => others.find(({ name }) => puzzles.results[name] === wanted);
    this.task = first(undefined) ?? first(2) ?? others[0] ?? this.task;
  }

  /** Once solved at the first try, it is solved. */
  note({ name }, result) {
    const before = recalled("puzzles", puzzles.results);
    puzzles.results = { ...before, [name]: Math.min(before[name] ?? 2, result) };
    stored.set("puzzles", JSON.stringify(puzzles.results));
    this.#streak = result === 1 ? this.#streak + 1 : 0;
    this.#showProgress();
  }

  controls(app) {
    stored.set("puzzle", this.task.name);
    const begin = (task) => {
      this.task = task;
      Exercise.begin(app, this);
    };
    const choice = (name, options) => setting(`puzzle-${name}`, options, this[name], (value) => {
      this[name] = value;
      const all = this.#fitting;
      if (all.some((puzzle) => puzzle.name === this.task.name)) {
        draw();
      } else if (all.length > 0) {
        this.next();
        begin(this.task);
      }
    })[1];
    const own = puzzles.own.length > 0 ? [["own", `${t("own-puzzles")} (${puzzles.own.length})`]] : [];
    const goals = [["all", t("all-goals")], ["win", t("goal-win-short")], ["hold", t("goal-hold-short")], ...own];
    const levels = [["all", t("all-levels")], ...["easy", "medium", "hard"].map((level) => [level, t(level)])];
    this.progress = make("p", { class: "muted small" });
    this.list = make("div", { class: "list", keydown: (event) => this.#key(event) });
    const draw = () => {
      this.kinds = this.#chosen.map(([title, tasks, first]) => {
        const buttons = tasks.map((task, at) => make("button", { type: "button", click: () => begin(task) }, String(first + at)));
        const tally = make("span", { class: "tally" });
        const isHere = tasks.some(({ name }) => name === this.task.name);
        const element = make("details", { open: isHere }, make("summary", {}, title, tally), make("div", { class: "grid", role: "group", "aria-label": title }, buttons));
        return { tasks, buttons, tally, element };
      });
      this.list.replaceChildren(...this.kinds.map(({ element }) => element));
      this.#showProgress();
      // Where it stands is known when all is on the page. Its kind scrolls, or in a low window all of the part.
      const here = this.list.querySelector("[aria-current]");
      requestAnimationFrame(() => [here?.closest("details"), here?.closest(".part")].forEach((box) => {
        box && (box.scrollTop += here.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2);
      }));
    };
    draw();
    return [make("div", { class: "row filters" }, choice("goal", goals), choice("level", levels)), this.progress, this.list];
  }

  /** What has become of each. */
  #showProgress() {
    const count = (states, wanted) => states.filter((state) => state === wanted).length;
    const all = this.kinds.flatMap(({ tasks, buttons, tally }) => {
      const place = tasks.findIndex(({ name }) => name === this.task.name);
      const states = tasks.map(({ name }) => RESULTS[puzzles.results[name]] ?? "new");
      buttons.forEach((button, at) => {
        button.className = states[at];
        button.tabIndex = at === Math.max(place, 0) ? 0 : -1;
        at === place && button.setAttribute("aria-current", "true");
        button.setAttribute("aria-label", t(`puzzle-${states[at]}`, button.textContent));
      });
      const solved = count(states, "solved") + count(states, "later");
      tally.textContent = `${fixed(solved)} / ${fixed(tasks.length)}`;
      tally.style.setProperty("--share", `${(100 * solved) / tasks.length}%`);
      return states;
    });
    const progress = t("puzzle-progress", fixed(count(all, "solved") + count(all, "later")), ...["missed", "new"].map((wanted) => fixed(count(all, wanted))));
    this.progress.textContent = this.#streak > 1 ? `${progress} · ${t("in-a-row", this.#streak)}` : progress;
  }

  /** The cursor keys go from one to the next of those that can be seen. */
  #key(event) {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const all = this.kinds.flatMap(({ buttons }) => buttons).filter((button) => button.checkVisibility());
    const at = all.indexOf(event.target);
    if (by && at >= 0 && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      event.stopPropagation();
      const next = all.at((at + by) % all.length);
      [event.target.tabIndex, next.tabIndex] = [-1, 0];
      next.focus();
    }
  }
}

/** Keeps positions of a reviewed line as puzzles, in which somebody blundered and one move alone is good: by the tables, or by a longer search. */
async function collectPuzzles(app, tree, line, signal) {
  const { blunder } = Object.fromEntries(app.start.marks);
  for (const { parent, word } of line.filter(({ judged }) => judged === "??").slice(0, MOST_PUZZLES)) {
    parent.known ??= await ask("/position", { place: tree.place(parent) });
    const { rules, fen: start, table } = parent.known;
    const found = table ? null : await findLines(tree.place(parent), { lines: 2, nodes: PUZZLE_NODES }, signal);
    const [first, second] = table ?? found?.lines ?? [];
    const isOnly = second && (table ? first.outcome !== "loss" && first.outcome !== second.outcome : Math.abs(first.chance - second.chance) >= blunder);
    if (signal.aborted) {
      return;
    }
    const best = isOnly && (first.word ?? wordsOf(first.turns)[0]);
    if (isOnly && ![word, best].some((turn) => tree.repeats(parent, turn))) {
      const goal = table ? { win: "win", draw: "hold" }[first.outcome] : "best";
      addPuzzle({ name: `${rules} ${start}`, rules, start, goal, best: [best] });
    }
  }
}
