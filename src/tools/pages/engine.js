/* The engine's view of the position: its best lines, the evaluation bar and the graph; what the tables know. */

/** A number of nodes: thousands or millions. */
const nodesText = (count) => (count < 1e6 ? `${fixed(count / 1e3)} k` : `${short(count / 1e6)} M`);

/** A score: who wins, where it is that of the tables. */
const wonText = (score) => (score?.endsWith("TB") ? t("wins-by-tables", sideName(score[0] === "+")) : scoreText(score));

/** Shows the turns of a line after a position as buttons; `play` is told which were chosen. They are changed in place: they keep the focus,
    and stay below the pointer. */
function showTurns(element, words, tree, node, play) {
  Object.assign(element, { words, play });
  while (element.children.length > words.length) {
    element.lastChild.remove();
  }
  words.forEach((word, place) => {
    if (!element.children[place]) {
      // By keyboard a line is played move by move.
      element.append(make("button", { type: "button", tabindex: place === 0 ? null : "-1", click: () => element.play(element.words.slice(0, place + 1)) }));
    }
    const ply = node.ply + place + 1;
    const count = place === 0 || tree.isWhite(ply) ? `${tree.count(ply)} ` : "";
    element.children[place].textContent = count + turnOf(word).text;
  });
}

class EnginePanel {
  /** Whether it is on, which it stays when the page is loaded anew. */
  isOn = kept("engine") === "on";
  #lines = [];
  #search = null;
  #node = null;
  #isDrawn = true;
  /** The line that is pointed at. */
  #pointed = 0;

  constructor(app) {
    this.app = app;
    this.count = Math.min(Math.max(Math.trunc(stored.get("lines") ?? 3) || 3, 1), 8);
    this.areArrowsOn = stored.get("arrows") !== "off";
  }

  draw() {
    this.toggleButton = make("button", { type: "button", class: "switch", role: "switch", id: "engine", click: () => this.toggle() },
      make("span", { class: "knob", "aria-hidden": "true" }), t("engine"));
    this.figures = make("p", { class: "muted small figures" });
    this.countSelect = make("select", { "aria-label": t("line-count"), title: t("line-count"), change: () => {
      this.count = Number(this.countSelect.value);
      stored.set("lines", this.count);
      leave(this.countSelect);
      this.restart();
    } }, Array.from({ length: this.app.start.lines }, (_, index) => index + 1).map((count) => make("option", { value: count, selected: count === this.count }, t(count === 1 ? "one-line" : "some-lines", count))));
    this.arrowButton = make("button", { type: "button", class: "tool", title: t("arrows"), click: () => {
      this.areArrowsOn = !this.areArrowsOn;
      stored.set("arrows", this.areArrowsOn ? "on" : "off");
      this.show();
    } }, icon("arrows"), make("span", {}, t("arrow")));
    this.list = make("ol", { class: "lines", "aria-label": t("best-lines") });
    this.table = make("div", { class: "known" });
    const go = (ply) => {
      const node = this.app.tree.line(this.app.node)[ply];
      if (node && node !== this.app.node) {
        this.app.go(node);
      }
    };
    this.graph = new EvaluationGraph(go, this.app.view.isBelow ? [innerWidth * 0.42, 80] : [340, 60]);
    // On a telephone upright it is at the steps.
    this.strip = new EvaluationGraph(go, [360, 38]);
    this.graphPart = make("div", { hidden: true }, this.graph.element);
    this.reviewPart = [this.graphPart, this.app.review.draw()];
    const element = [make("div", { class: "enginehead" }, this.toggleButton, this.figures, this.countSelect, this.arrowButton), this.table, this.list];
    this.fill = make("div", { class: "fill" });
    this.barText = make("span", { class: "text" });
    this.bar = make("div", { class: "bar", role: "img" }, this.fill, this.barText);
    this.show();
    return element;
  }

  /** With Black below, White's part of the bar is above. */
  flip(isFlipped) {
    this.bar.classList.toggle("flipped", isFlipped);
  }

  #switch(isOn) {
    this.isOn = isOn;
    keep("engine", isOn ? "on" : "off");
  }

  toggle() {
    this.#switch(!this.isOn);
    this.isOn && this.app.view.tabs.current !== "explorer" && this.app.view.tabs.choose("engine");
    this.app.review.stop();
    this.restart();
    this.app.view.showBoard();
    this.app.view.whisper(t(this.isOn ? "engine-on" : "engine-off"));
  }

  /** Turns the engine off for a game against it. */
  turnOff() {
    this.#switch(false);
    this.restart();
  }

  /** Searches the position that is shown now, or nothing. */
  restart() {
    this.#search?.abort();
    this.#lines = [];
    this.#node = this.app.node;
    const { known } = this.#node;
    // Whether the game is over there is known before.
    if (this.isOn && !this.app.isPlaying && known && !known.outcome) {
      this.#run();
    }
    this.show();
  }

  /** Searches until it is ended. What goes wrong is said, and ends the analysis. */
  async #run() {
    this.#search = beginSearch();
    try {
      await findLines(this.app.tree.place(this.#node), { lines: this.count }, this.#search.signal, (report) => this.hear(report));
    } catch (error) {
      // Where the server is gone, the search begins again when it is back.
      this.isOn &&= error instanceof NoServer;
      this.app.fail(error);
      this.show();
    }
  }

  /** A line of the search that runs. */
  hear(report) {
    this.#lines[report.rank - 1] = report;
    this.#lines.length = Math.min(this.#lines.length, this.count);
    if (report.rank === 1) {
      this.#node.score = scoreOf(report);
    }
    this.#showSoon();
  }

  /** Reports may come faster than anybody can see. */
  #showSoon() {
    if (this.#isDrawn) {
      this.#isDrawn = false;
      requestAnimationFrame(() => {
        this.#isDrawn = true;
        this.show();
      });
    }
  }

  /** The best move of the position that is shown, or that of the line which is pointed at, if they are to be drawn. */
  get arrows() {
    const isShown = this.areArrowsOn && !this.app.isPlaying && this.#node === this.app.node;
    const { turns = "", score } = (isShown && (this.#lines[this.#pointed] ?? this.#lines[0])) || {};
    return wordsOf(turns).slice(0, 1).map((word) => ({ ...turnOf(word), value: this.#isProven(this.#node) ? "" : score?.endsWith("TB") ? t("bar-won") : scoreText(score) }));
  }

  /** The score of a move in the position that is shown, if it is known. */
  scoreOf(text) {
    const isHere = this.#node === this.app.node;
    const line = isHere ? this.#lines.find((found) => found?.turns.split(/[ :]/)[0] === text) : null;
    return line?.score ?? this.app.node.children.find(({ turn }) => turn.text === text)?.score?.text;
  }

  #point(rank) {
    this.#pointed = rank;
    this.app.view.showArrows();
  }

  show() {
    const { tree, node, isPlaying } = this.app;
    const isHere = this.#node === node && !isPlaying;
    const lines = isHere ? this.#lines.filter(Boolean) : [];
    this.toggleButton.setAttribute("aria-checked", String(this.isOn));
    this.app.review.show();
    this.arrowButton.setAttribute("aria-pressed", String(this.areArrowsOn));
    const [best] = lines;
    this.figures.textContent = best
      ? [t("depth", best.depth), nodesText(best.nodes), `${nodesText(best.speed)}/s`].join(" · ")
      : "";
    // The room for the lines is there before they are.
    [this.countSelect.hidden, this.arrowButton.hidden] = [!this.isOn, !this.isOn];
    this.list.style.setProperty("--count", this.isOn && !isPlaying ? this.count : 0);
    this.list.classList.toggle("few", this.count < 4);
    this.list.classList.toggle("estimates", this.#isProven(node));
    while (this.list.children.length > lines.length) {
      this.list.lastChild.remove();
    }
    lines.forEach((line, rank) => this.#showLine(rank, line));
    this.app.view.showArrows();
    this.#showBar(isPlaying ? null : this.#scoreOf(node));
    this.#showTable();
    this.app.view.explorer.showScores();
    this.#showGraph();
  }

  /** Lines are changed in place: their buttons keep the focus, and stay below the pointer. */
  #showLine(rank, { score, turns }) {
    if (!this.list.children[rank]) {
      const [at, off] = [() => this.#point(rank), () => this.#point(0)];
      this.list.append(make("li", { pointerenter: at, focusin: at, pointerleave: off, focusout: off }, make("strong", { class: "value" }), make("span", { class: "turns" })));
    }
    const [value, buttons] = this.list.children[rank].children;
    const { tree, node } = this.app;
    const isWon = score?.endsWith("TB");
    if (value.score !== score) {
      value.score = score;
      value.replaceChildren(...(isWon ? [make("span", { class: score[0] === "+" ? "dot" : "dot dark" }), t("bar-won")] : [scoreText(score)]));
    }
    // In how many plies, where the tables of the position say so.
    const move = isWon && node.known?.table?.find(({ word }) => word === wordsOf(turns)[0]);
    value.title = move ? t("tables-win", sideName(score[0] === "+"), t(move.plies === 1 ? "one-ply" : "some-plies", move.plies)) : isWon ? wonText(score) : "";
    showTurns(buttons, wordsOf(turns), tree, node, (words) => this.app.playLine(words));
  }

  /** Whether the result of a position is proven: what the engine finds are estimates then. */
  #isProven({ known }) {
    const { proven, table, outcome } = known ?? {};
    return Boolean(outcome) || table?.length > 0 || Boolean(proven?.white) || Boolean(proven?.black) || (proven?.white === false && proven.black === false);
  }

  /** The score of a position: what is proven; the tables', where they know it and the engine is off. */
  #scoreOf(node) {
    const { proven, outcome } = node.known ?? {};
    if (outcome) {
      return provenScore({ "1-0": 100, "0-1": 0 }[outcome.result] ?? 50);
    }
    if (proven && isKnown(proven.white) && isKnown(proven.black)) {
      return provenScore(proven.white ? 100 : proven.black ? 0 : 50);
    }
    const outcomes = node.known?.table?.map(({ outcome }) => outcome) ?? [];
    if (this.isOn || outcomes.length === 0) {
      return node.score;
    }
    const best = ["win", "draw", "loss"].find((outcome) => outcomes.includes(outcome));
    const isForWhite = (best === "win") === this.app.tree.whiteMoves(node.ply);
    return provenScore(best === "draw" ? 50 : isForWhite ? 100 : 0);
  }

  #showBar(score) {
    const height = score ? score.height : 0;
    this.fill.style.setProperty("--share", `${50 + 50 * height}%`);
    // It is seen once the engine, a review or the tables have something to tell.
    const { score: found, known } = this.app.node;
    const end = known?.outcome && endOf(this.app);
    this.bar.classList.toggle("unknown", !score || !(this.isOn || found || end || known?.table?.length > 0));
    const stones = Number(score?.text);
    // A word stands at the end of the side that has won.
    const word = !score ? "" : score.text.endsWith("TB") ? t("bar-won") : height === 0 && this.#isProven(this.app.node) ? t("drawn-short") : "";
    const text = word || (!score ? "" : Number.isNaN(stones) ? score.text.slice(1) : fixed(Math.abs(stones), Math.abs(stones) < 9.95 ? 1 : 0));
    this.barText.textContent = text;
    this.barText.classList.toggle("word", text.length > 2 && Number.isNaN(Number(text[0])));
    this.bar.classList.toggle("ahead", height >= 0);
    const words = end ? end.words : !score ? t("unknown") : known?.proven && this.#isProven(this.app.node) ? t("proven", provenText(known.proven)) : score.text.endsWith("TB") ? wonText(score.text) : height === 0 && this.#isProven(this.app.node) ? t("drawn") : `${scoreText(score.text)} ${t("for-white")}`;
    this.bar.setAttribute("aria-label", named(t("evaluation"), words));
    this.bar.setAttribute("title", words);
  }

  #showTable() {
    const known = this.app.isPlaying ? null : this.app.node.known;
    if (this.table.known !== known) {
      this.table.known = known;
      const hadFocus = this.table.contains(document.activeElement);
      this.table.replaceChildren(...(known ? provenParts(this.app) : []));
      if (hadFocus) {
        (this.table.querySelector("button") ?? this.app.view).focus();
      }
    }
  }

  #showGraph() {
    const line = this.app.tree.line(this.app.node);
    const heights = line.map((node) => node.score?.height ?? null);
    const isThere = !this.app.isPlaying && heights.filter(isKnown).length > 1;
    this.graphPart.hidden = !isThere;
    this.strip.element.classList.toggle("strip", isThere && !this.app.exercise && Boolean(this.app.tree.review ?? this.app.review.isRunning));
    for (const graph of isThere ? [this.graph, this.strip] : []) {
      graph.draw([heights], line.map((node, ply) => [ply, marksOf(node)[0]]));
      graph.show(this.app.node.ply);
    }
  }
}
