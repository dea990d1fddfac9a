/* A hint in three steps: the stone, the move, and why. */

/** How long a position is searched for a hint, and what the other side could do for its reason. */
const HINT_TIME = 1000;
const REASON_TIME = 300;

/** How many stones a turn takes, and which. */
const pointsOf = (captured) => t(captured.length === 1 ? "one-stone" : "some-stones", captured.length, captured.join(", "));

class Hint {
  #node = null;
  #step = 0;
  #best = null;
  #lines = [];
  #searching = null;
  #answer = "";

  constructor(app) {
    this.app = app;
  }

  draw(button) {
    this.button = button;
    this.text = make("p", { class: "answer", role: "status" }, this.#answer);
    return this.text;
  }

  /** Of another position nothing is said. */
  moved() {
    if (this.#node !== this.app.node || endOf(this.app)) {
      this.#searching?.abort();
      [this.#node, this.#step, this.#best, this.#searching, this.#answer] = [null, 0, null, null, ""];
      this.text.textContent = "";
    }
  }

  /** Whether somebody can ask: a person is to move, and the engine does not say it anyway. */
  get #isPossible() {
    const { hand, engine, review } = this.app;
    return hand.known?.stones.length > 0 && !engine.isOn && !review.isRunning;
  }

  show() {
    this.button.disabled = !this.#isPossible;
    this.button.setAttribute("aria-busy", String(this.#searching !== null));
  }

  /** The stone that is to be ringed. */
  get stone() {
    return this.#step === 1 ? this.#best.path[0] : null;
  }

  get arrows() {
    return this.#step > 1 ? [this.#best] : [];
  }

  /** The next step. */
  async press() {
    if (!this.#isPossible || this.#searching || this.#step === 3) {
      return;
    }
    const { app } = this;
    const { signal } = this.#searching = beginSearch();
    this.#node = app.node;
    this.show();
    try {
      const isReady = this.#step > 0 || await this.#find(signal);
      const why = isReady && this.#step === 2 ? await this.#why(signal) : "";
      if (isReady && !signal.aborted) {
        this.#answer = [() => t("hint-stone", this.#best.path[0]), () => t("hint-move", this.#best.text), () => why][this.#step]();
        this.#step += 1;
        this.text.textContent = this.#answer;
      }
    } catch (error) {
      app.fail(error);
    }
    if (this.#searching?.signal === signal) {
      this.#searching = null;
      app.view.showBoard();
    }
  }

  /** Finds the best move: by the answer of an exercise, by the tables, else by a search. Whether there is one. */
  async #find(signal) {
    const { app } = this;
    const { node, tree } = app;
    const known = app.exercise?.answer ?? node.known.table?.[0]?.word;
    const { lines, turn } = known ? { lines: [], turn: known } : await findLines(tree.place(node), { lines: 2, time: HINT_TIME }, signal) ?? {};
    if (!turn || signal.aborted) {
      return false;
    }
    [this.#lines, this.#best] = [lines, turnOf(turn)];
    app.opponent?.hinted();
    return true;
  }

  /** What would be played in a position, if there is one and anything can be. */
  async #first(place, signal) {
    const found = await findLines(place, { time: REASON_TIME }, signal).catch(() => null);
    return found?.turn ? turnOf(found.turn) : null;
  }

  /** Why the move is good: what it captures and prevents, what the tables say, else how much better it is than the next best. */
  async #why(signal) {
    const { tree, node } = this.app;
    const { text, captured } = this.#best;
    const said = captured.length > 0 ? [t("hint-takes", pointsOf(captured))] : [];
    // What the other side would do if it were its turn, and what it does after the move.
    const [place, [stones, side, ...rest]] = [tree.place(node), node.known.fen.split(" ")];
    const threat = await this.#first({ rules: tree.rules, start: [stones, side === "w" ? "b" : "w", ...rest].join(" ") }, signal);
    const reply = threat?.captured.length > 0 ? await this.#first({ ...place, moves: [...place.moves, text] }, signal) : null;
    if (threat?.captured.length > (reply?.captured.length ?? 0)) {
      said.push(t("hint-prevents", threat.text, pointsOf(threat.captured)));
    }
    const { table } = node.known;
    const move = table?.find(({ word }) => turnOf(word).text === text);
    const [best, next] = this.#lines;
    if (move) {
      const isOnly = move.outcome !== "loss" && table.filter(({ outcome }) => outcome === move.outcome || outcome === "win").length === 1;
      said.push(t("hint-tables", tableText(move)), isOnly ? t(`only-${move.outcome}`) : "");
    } else if (best) {
      const lead = next && Math.abs(best.chance - next.chance);
      said.push(next ? t(lead < 2 ? "hint-equal" : lead < 10 ? "hint-better" : "hint-best", turnOf(wordsOf(next.turns)[0]).text) : t("hint-score", scoreText(best.score)));
    }
    return named(text, said.filter(Boolean).join(" "));
  }
}
