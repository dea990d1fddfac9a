/* A hint in three steps: the stone, the move, and why. */

/** How long a position is searched for what is next best. */
const HINT_TIME = 1000;

class Hint {
  #node = null;
  #step = 0;
  #best = null;
  #line = null;
  #searching = null;
  /** Writes what has been said, in the language of now. */
  #answer = () => "";

  constructor(app) {
    this.app = app;
  }

  draw(button) {
    this.button = button;
    this.text = make("p", { class: "answer", role: "status" });
    writeMoves(this.text, this.#answer());
    return this.text;
  }

  /** Of another position nothing is said. */
  moved() {
    if (this.#node !== this.app.node || endOf(this.app)) {
      this.#searching?.abort();
      [this.#node, this.#step, this.#best, this.#line, this.#searching, this.#answer] = [null, 0, null, null, null, () => ""];
      this.text.textContent = "";
    }
  }

  /** Whether somebody can ask: a person is to move, and the engine does not say it anyway. */
  get #isPossible() {
    const { hand, engine, review } = this.app;
    return hand.known?.stones.length > 0 && !engine.isOn && !review.isRunning && !this.button.hidden;
  }

  show() {
    // After a game nobody moves, and no hint is fair between two people.
    const { opponent, exercise } = this.app;
    this.button.hidden = Boolean(opponent?.isOver || opponent?.isOfPeople) && !exercise;
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
    // It is about the whole turn, also where one has begun.
    app.putDown();
    this.show();
    try {
      const isReady = this.#step > 0 || await this.#find(signal);
      const why = isReady && this.#step === 2 ? await this.#why(signal) : null;
      if (isReady && !signal.aborted) {
        this.#answer = [() => t("hint-stone", this.#best.path[0]), () => t("hint-move", this.#best.text), why][this.#step];
        this.#step += 1;
        writeMoves(this.text, this.#answer());
      }
    } catch (error) {
      app.fail(error);
    }
    if (this.#searching?.signal === signal) {
      this.#searching = null;
      app.view.showBoard();
    }
  }

  /** Finds the best move: by the answer of an exercise, by the tables, else as a review does. Whether there is one. */
  async #find(signal) {
    const { app } = this;
    const { node, tree } = app;
    const known = app.exercise?.answer ?? node.known.table?.[0]?.word;
    const { lines, turn } = known ? { lines: [], turn: known } : await findLines(tree.place(node), { nodes: app.start.review_nodes }, signal) ?? {};
    if (!turn || signal.aborted) {
      return false;
    }
    // The move of the line, as in a review.
    [this.#line] = lines;
    this.#best = turnOf(wordsOf(this.#line?.turns)[0] ?? turn);
    app.opponent?.hinted();
    return true;
  }

  /** Why the move is good: what it captures and prevents, what is proven of it, else how much better it is than the next best. */
  async #why(signal) {
    const { tree, node } = this.app;
    const { text, captured } = this.#best;
    const isWhite = tree.whiteMoves(node.ply);
    const other = () => sideName(!isWhite);
    // What the other side could do if it were its turn, and what it can do after the move.
    const [{ moves, ...place }, [stones, side, ...rest]] = [tree.place(node), node.known.fen.split(" ")];
    const turned = [stones, side === "w" ? "b" : "w", ...rest].join(" ");
    const [before, after] = await Promise.all([{ rules: tree.rules, start: turned }, { ...place, moves: [...moves, text] }].map((one) => ask("/position", { place: one }).catch(() => null)));
    const { table, proven } = node.known;
    const move = table?.find(({ word }) => turnOf(word).text === text);
    const best = this.#line;
    const found = best && !proven ? await findLines(tree.place(node), { lines: 2, time: HINT_TIME }, signal) : null;
    const next = found?.lines.find(({ turns }) => turnOf(wordsOf(turns)[0]).text !== text);
    const forced = move?.outcome ?? forcedOf(best && { text: best.score }, isWhite);
    const isOnly = move && move.outcome !== "loss" && table.filter(({ outcome }) => outcome === move.outcome || outcome === "win").length === 1;
    const lead = next && (isWhite ? 1 : -1) * (best.chance - next.chance);
    const compared = () => proven ? `${t("proven", provenText(proven))}.` : next ? t(lead < 2 ? "hint-equal" : lead < 10 ? "hint-better" : "hint-best", turnOf(wordsOf(next.turns)[0]).text)
      : best ? t("hint-chances", percent((isWhite ? best.chance : 100 - best.chance) / 100, 0)) : "";
    return () => [
      (captured.length === 0 && preventsText(before, after, other())) || takesText(this.#best, after, other()),
      forced ? t(`why-${forced}`) : compared(), isOnly ? t(`only-${move.outcome}`) : "",
    ].filter(Boolean).join(" ") || t("hint-move", text);
  }
}
