/* The review of a game: its positions are searched, and the program judges its moves, as `vato analyse` does. */

/** How far positions are searched in which somebody's own puzzle may be: in positions, as a time would not find the same again. */
const PUZZLE_NODES = 2_000_000;

/** The most positions of a game that may become puzzles. */
const MOST_PUZZLES = 6;

/** What a search finds in a position within limits: its lines, the best first, and the turn that it would play. Nothing if it is ended. */
async function findLines(place, limits, signal, hear = () => {}) {
  const lines = [];
  const end = await search("/analyse", { place, lines: 1, ...limits }, signal, (report) => {
    lines[report.rank - 1] = report;
    hear(report);
  });
  return end && { lines: lines.filter(Boolean), turn: end.turn };
}

/** Searches the positions of a line from the last to the first, as the end tells of what comes before, and judges its moves. Nothing if it
    is ended. `hear` is told how many have been searched. */
async function judgeLine(tree, line, nodes, signal, hear = () => {}) {
  for (const [count, node] of [...line].reverse().entries()) {
    hear(count);
    const found = await findLines(tree.place(node), { nodes }, signal);
    if (!found) {
      return null;
    }
    const [best] = found.lines;
    const words = wordsOf(best?.turns);
    const turns = [...new Set([words[0], found.turn].filter(Boolean).map((word) => turnOf(word).text))];
    node.found = { chance: best?.chance ?? null, best: turns, words };
    node.score = best ? scoreOf(best) : node.score;
  }
  const found = line.map(({ found: { chance, best } }) => ({ chance, best }));
  const judged = await ask("/judge", { place: tree.place(line.at(-1)), found });
  // What is proven counts more than what was found.
  line.forEach((node, place) => {
    const { score } = node;
    const chance = node.chance = judged.chances[place];
    if (Math.abs(chance - (found[place].chance ?? chance)) > 1e-6) {
      Object.assign(score, provenScore(chance), { chance });
    }
  });
  return judged;
}

/** The score of a position that is proven: 0, 50 or 100 % for White. */
const provenScore = (chance) => ({ text: { 0: "-TB", 100: "+TB" }[chance] ?? "+0.00", height: chance / 50 - 1 });

const scoreOf = ({ score, chance }) => ({ text: score, height: heightOf(score), chance });

/** A player by name: White's is the first. */
const nameOf = (tree, place) => {
  const name = tree.tag(["White", "Black"][place]);
  return /^\??$/.test(name) ? t(["white", "black"][place]) : name;
};

/** A player's name beside the board: in a game against the engine in the language of now. */
const shownName = ({ tree, opponent, exercise }, place) => {
  const name = nameOf(tree, place);
  if (!opponent || exercise || opponent.isOfPeople) {
    return name;
  }
  const isPerson = "wb"[place] === opponent.person;
  return isPerson && TEXTS.you.includes(name) ? t("you") : !isPerson && name.startsWith("Vato, ") ? vatoName(opponent.level) : name;
};

/** The mark by which a move is drawn, if a review has given it one that is bad. */
const judgedAs = ({ judged }) => (judged ? { mark: MARKS[judged], sign: judged } : {});

class Review {
  #running = null;
  #line = [];

  constructor(app) {
    this.app = app;
  }

  draw() {
    this.button = make("button", { type: "button", id: "review", click: ({ detail }) => detail > 1 || (this.isRunning ? this.stop() : this.start()) });
    this.progress = make("span", { class: "muted" });
    this.turns = make("span", { class: "turns" });
    this.reason = make("p", { role: "status" });
    this.label = make("strong");
    const see = (isSeen) => () => this.app.view.seeBetter(isSeen);
    this.better = make("div", { class: "better", pointerenter: see(true), focusin: see(true), pointerleave: see(false), focusout: see(false) }, this.reason, this.label, " ", this.turns);
    this.summary = make("div");
    return make("div", { class: "review" }, make("div", { class: "row" }, this.button, this.progress), this.summary, this.better);
  }

  get isRunning() {
    return this.#running?.signal.aborted === false;
  }

  stop() {
    this.#running?.abort();
  }

  /** A move is removed: a line that has it is not reviewed any longer. */
  removed(node) {
    this.#line.includes(node) && this.stop();
  }

  /** Whether it has a tab: after a game against Vato a button begins it. */
  get isOpen() {
    const { opponent, exercise, tree } = this.app;
    return !exercise && (!opponent || this.isRunning || tree.review !== undefined);
  }

  /** Reviews the line that is shown. */
  async start() {
    const { app } = this;
    const { tree } = app;
    const line = this.#line = tree.playedLine(app.node);
    const { signal } = this.#running = beginSearch();
    app.engine.turnOff();
    // After a game it has no tab before.
    app.view.show();
    app.view.tabs.choose("review");
    // The button that began it is gone. On a telephone this one is below what is seen: the board stays.
    (document.activeElement === document.body || !document.activeElement.checkVisibility()) && this.button.focus({ preventScroll: true });
    try {
      const judged = await judgeLine(tree, line, app.start.review_nodes, signal, (count) => {
        this.progress.textContent = `${count} / ${line.length}`;
        app.engine.show();
      });
      if (judged && !signal.aborted) {
        this.stop();
        this.#mark(tree, line, judged);
        await collectPuzzles(app, tree, line, beginSearch().signal);
      }
    } catch (error) {
      app.fail(error);
    }
    if (this.#running.signal === signal) {
      this.stop();
      app.engine.show();
    }
  }

  /** Marks the moves of the line as they were judged. */
  #mark(tree, line, { moves, players }) {
    moves.forEach(({ mark }, place) => {
      line[place + 1].judged = signOf(mark);
    });
    const { view, engine, node } = this.app;
    // What there is to learn from.
    const person = this.app.opponent?.person;
    const all = line.filter(({ judged }) => ["??", "?", "?!"].includes(judged));
    const own = all.find(({ ply }) => !person || (person === "w") === tree.isWhite(ply));
    const bad = own ?? all[0];
    tree.reviews = [{ line, players, isClean: !own }, ...tree.reviews.filter((other) => other.line.at(-1) !== line.at(-1))];
    view.moves.draw(tree);
    view.moves.show(node);
    engine.show();
    view.whisper(t("reviewed"));
    if ((node === tree.root || node === line.at(-1)) && !this.app.isInUse) {
      this.app.go(bad ?? (tree.playedLine(tree.root).at(-1) === line.at(-1) ? tree.root : node));
    }
  }

  show() {
    const { app, isRunning } = this;
    const { node, tree } = app;
    this.button.textContent = t(isRunning ? "stop" : "review");
    const line = tree.playedLine(node);
    const review = tree.reviewOf(node);
    const isReviewed = review?.line.at(-1) === line.at(-1);
    // After a game there is another one.
    const [after] = app.view.afterwards ?? [];
    this.button.hidden = !isRunning && (line.length < 2 || isReviewed);
    if (after) {
      after.hidden = isRunning || isReviewed || line.length < 2;
    }
    this.progress.hidden = !isRunning;
    const words = node.judged ? node.parent.found?.words ?? [] : [];
    const { why = "", better = "" } = node.judged ? judgedParts(tree, node) : {};
    this.better.className = `better ${MARKS[node.judged] ?? ""}`;
    if (this.reason.textContent !== why) {
      writeMoves(this.reason, why);
    }
    this.label.textContent = better && named(better, "").trimEnd();
    // Its place is kept free.
    this.better.hidden = !tree.review;
    this.better.classList.toggle("empty", !node.judged);
    showTurns(this.turns, words, tree, node.parent ?? node, (played) => app.playLine(played, node.parent));
    if (this.summary.review !== review) {
      this.summary.review = review;
      this.summary.replaceChildren(...(review ? this.#table(tree, review) : []));
    }
    after && app.view.showAfterwards();
    app.view.showNext?.();
  }

  /** How both have played, and what can be learnt from it. */
  #table(tree, { players, line }) {
    const sides = [["w", "white"], ["b", "black"]];
    const counted = [["?!", "inaccuracies"], ["?", "mistakes"], ["??", "blunders"]];
    const person = this.app.opponent?.person;
    const taught = sides.map(([side, key]) => [side, key, Mistakes.of(tree, line, side).length]).filter(([side,, count]) => (!person || side === person) && count > 0);
    const learn = taught.map(([side, key, number]) => {
      const text = t(number === 1 ? "learn-one" : "learn-some", fixed(number));
      return make("button", { type: "button", class: person ? "primary" : "", "aria-label": person ? text : `${nameOf(tree, side === "w" ? 0 : 1)}: ${text}`, title: t("learn"), click: () => Mistakes.begin(this.app, line, side) }, person ? text : t("learn-short"));
    });
    const head = make("tr", {}, make("td"), make("th", { scope: "col" }, t("accuracy")), counted.map(([sign, key]) => make("th", { scope: "col", class: `mark ${MARKS[sign]}`, title: t(key), "aria-label": t(key) }, sign)), person ? "" : make("td"));
    const rows = sides.map(([side, key], place) => make("tr", {}, make("th", { scope: "row", title: nameOf(tree, place) }, nameOf(tree, place).split(",")[0]),
      players[place].accuracy === null ? make("td", { title: t("accuracy-few") }, "–") : make("td", {}, percent(players[place].accuracy / 100)), counted.map(([, name]) => make("td", {}, fixed(players[place][name]))), person ? "" : make("td", { class: "learn" }, learn[taught.findIndex(([one]) => one === side)])));
    return [person && learn.length > 0 ? make("div", { class: "row learn" }, learn) : "", make("table", {}, make("thead", {}, head), make("tbody", {}, rows))];
  }
}
