/* A game against the engine at a level, with clocks. */

/** Milliseconds that a reply takes at least. */
const REPLY_TIME = 400;

class Opponent {
  /** Milliseconds left for White and Black; nothing without a clock. */
  #left = null;
  #since = 0;
  #search = 0;
  #timer = 0;
  /** The position in which somebody is to move. */
  node = null;

  /** `person` is `w` or `b`, `clock` has `base` and `increment` in seconds, or is null. */
  constructor(app, { person, level, clock }) {
    Object.assign(this, { app, person, level, clock });
    this.isOver = false;
    if (clock) {
      this.#left = { w: 1000 * clock.base, b: 1000 * clock.base };
      this.#timer = setInterval(() => this.#tick(), 100);
    }
  }

  get side() {
    return this.app.tree.whiteMoves(this.node?.ply ?? 0) ? "w" : "b";
  }

  /** Whether the person may move in a position. */
  mayMove(node) {
    return !this.isOver && node === this.node && this.side === this.person;
  }

  /** A position has come up, after a turn or at the start: the game is over, or somebody is to move. */
  begin(node) {
    if (node === this.node) {
      return;
    }
    this.node = node;
    this.#since = performance.now();
    if (node.known.outcome) {
      this.end(node.known.outcome.result, null);
    } else if (this.side !== this.person) {
      this.#search = searchNumber();
      const { tree } = this.app;
      const clock = this.#left && {
        remaining: Math.max(1, Math.round(this.#left[this.side])),
        increment: 1000 * this.clock.increment,
      };
      this.app.attempt(() => ask("/play", { search: this.#search, place: tree.place(node), level: this.level, clock }));
    }
    this.showClocks();
  }

  async hear(report) {
    if (report.search !== this.#search || this.isOver) {
      return;
    }
    if (report.kind === "failed") {
      this.app.fail(new Error(report.error));
    } else if (report.kind === "done" && report.turn) {
      // A reply at once would not be seen to be one.
      const rest = REPLY_TIME - (performance.now() - this.#since);
      if (rest > 0 && !(this.#left?.[this.side] < 10 * REPLY_TIME)) {
        await pause(rest);
        if (report.search !== this.#search || this.isOver) {
          return;
        }
        this.#since += rest;
      }
      this.#search = 0;
      this.app.play(report.turn, this.node);
    }
  }

  /** A turn is about to be played: its time is taken off. */
  spend() {
    if (this.#left && !this.isOver) {
      const used = performance.now() - this.#since;
      this.#left[this.side] = Math.max(0, this.#left[this.side] - used) + 1000 * this.clock.increment;
    }
  }

  #tick() {
    if (this.isOver) {
      return;
    }
    if (this.#now(this.side) <= 0) {
      this.end(this.side === "w" ? "0-1" : "1-0", "time forfeit");
    }
    this.showClocks();
  }

  #now(side) {
    const isRunning = this.node && !this.isOver && side === this.side;
    const used = isRunning ? performance.now() - this.#since : 0;
    return Math.max(0, this.#left[side] - used);
  }

  showClocks() {
    for (const [side, element] of Object.entries(this.app.clocks)) {
      element.hidden = !this.#left;
      if (this.#left) {
        const time = this.#now(side);
        const seconds = Math.floor(time / 1000);
        const tenths = time < 10000 ? `.${Math.floor((time % 1000) / 100)}` : "";
        const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}${tenths}`;
        if (element.textContent !== text) {
          element.textContent = text;
        }
        element.classList.toggle("running", this.node !== null && side === this.side && !this.isOver);
        element.classList.toggle("short", time < 10000);
      }
    }
  }

  /** The position before the person's last move: the engine's answer is taken back with it. */
  get earlier() {
    const before = this.node?.parent?.parent;
    return before && this.side === this.person ? before : null;
  }

  resign() {
    this.end(this.person === "w" ? "0-1" : "1-0", "resignation");
  }

  end(result, termination) {
    if (this.isOver) {
      return;
    }
    if (this.#left) {
      const side = this.side;
      this.#left[side] = this.#now(side);
    }
    this.isOver = true;
    this.#search = 0;
    const { tree } = this.app;
    tree.result = result;
    tree.setTag("Termination", termination);
    this.app.ended();
  }

  /** Nobody plays any longer. */
  close() {
    clearInterval(this.#timer);
    this.isOver = true;
  }
}
