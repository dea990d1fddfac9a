/* A hint in three steps: the stone, the move, and why. */

/** How long a position is searched for a hint, and what the other side could do for its reason. */
const HINT_TIME = 1000;
const REASON_TIME = 300;

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

  /** Another position: nothing is said of it. */
  moved() {
    if (this.#node !== this.app.node) {
      this.#forget();
    }
  }

  #forget() {
    this.#searching?.abort();
    [this.#node, this.#step, this.#best, this.#searching] = [null, 0, null, null];
    this.#say("");
  }

  #say(text) {
    this.#answer = text;
    this.text.textContent = text;
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
    const searching = beginSearch();
    this.#searching = searching;
    this.show();
    try {
      const answer = await (this.#step === 0 ? this.#begin(searching.signal) : this.#step === 2 ? this.#why(searching.signal) : "");
      if (!searching.signal.aborted && answer !== null) {
        this.#step += 1;
        const said = [t("hint-stone", this.#best.path[0]), t("hint-move", this.#best.text), answer][this.#step - 1];
        this.#say(said);
      }
    } catch (error) {
      app.fail(error);
    }
    if (this.#searching === searching) {
      this.#searching = null;
      app.view.showBoard();
      this.show();
    }
  }

  /** Finds the best move: by the answer of an exercise, by the tables, else by a search. Nothing if it was ended. */
  async #begin(signal) {
    const { app } = this;
    const { node, tree } = app;
    this.#node = node;
    const known = app.exercise?.answer ?? node.known.table?.[0].word;
    const found = known ? { lines: [], turn: known } : await findLines(tree.place(node), { lines: 2, time: HINT_TIME }, signal);
    if (!found?.turn || node !== app.node) {
      return null;
    }
    this.#lines = found.lines;
    this.#best = turnOf(found.turn);
    app.opponent?.hinted();
    return "";
  }

  /** Why the move is good: what it captures and prevents, what the tables say, else how much better it is than the next best. */
  async #why(signal) {
    const { tree, node } = this.app;
    const { text, captured } = this.#best;
    const points = (turn) => t(turn.captured.length === 1 ? "one-stone" : "some-stones", turn.captured.length, turn.captured.join(", "));
    const said = captured.length > 0 ? [t("hint-takes", points(this.#best))] : [];
    const first = async (place) => {
      // The other side may have no move there.
      const found = await findLines(place, { time: REASON_TIME }, signal).catch((error) => {
        if (error instanceof NoServer) {
          throw error;
        }
      });
      return found?.turn ? turnOf(found.turn) : null;
    };
    const place = tree.place(node);
    const [stones, side, ...rest] = node.known.fen.split(" ");
    const threat = await first({ rules: tree.rules, start: [stones, side === "w" ? "b" : "w", ...rest].join(" ") });
    const reply = threat?.captured.length > 0 ? await first({ ...place, moves: [...place.moves, text] }) : null;
    if (threat?.captured.length > (reply?.captured.length ?? 0)) {
      said.push(t("hint-prevents", threat.text, points(threat)));
    }
    const table = node.known.table;
    const move = table?.find(({ word }) => turnOf(word).text === text);
    const [best, next] = this.#lines;
    if (move) {
      const isOnly = move.outcome !== "loss" && table.filter(({ outcome }) => outcome === move.outcome || outcome === "win").length === 1;
      said.push(t("hint-tables", tableText(move)), isOnly ? t(`only-${move.outcome}`) : "");
    } else if (best && next) {
      said.push(t("hint-next", scoreText(best.score), turnOf(wordsOf(next.turns)[0]).text, scoreText(next.score)));
    } else if (best) {
      said.push(t("hint-score", scoreText(best.score)));
    }
    return signal.aborted ? null : `${text}: ${said.filter(Boolean).join(" ")}`;
  }
}
