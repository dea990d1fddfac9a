/* A game against the engine at a level, or of two people, with clocks. */

/** Milliseconds that a reply takes at least. */
const REPLY_TIME = 400;

/** Milliseconds between the end of the turn before it, as it is seen, and a reply. */
const REPLY_PAUSE = 150;

/** A draw may be agreed on after so many plies; milliseconds of the search that decides. */
const DRAW_PLIES = 20;
const DRAW_TIME = 1000;

class Opponent extends Contest {
  /** When the server was asked whether it is there and was, for the last time; whether it is being asked. */
  #heard = 0;
  #isAsking = false;
  #thinking = null;
  #timer = 0;

  constructor(app, tree, game) {
    super(tree, game);
    this.app = app;
    this.#timer = this.clock && !this.isOver ? setInterval(() => this.#tick(), 100) : 0;
  }

  /** Without a server the clocks stand where they were when there was one. */
  get now() {
    return server.trouble ? this.#heard : performance.now();
  }

  /** A position has come up, after a turn or at the start, or the game goes on in it: it is over, or somebody is to move. */
  begin(node) {
    if (node.known.outcome) {
      this.end(node.known.outcome.result, null);
    } else if (this.since === null && !server.trouble) {
      this.since = performance.now();
      if (!this.isOfPeople && this.side !== this.person) {
        this.#think();
      }
    }
    this.showClocks();
  }

  /** Stops the clock and the search, until the game begins again in the same position. */
  stop() {
    super.stop();
    this.#thinking?.abort();
    this.#thinking = null;
  }

  async #think() {
    const thinking = beginSearch();
    this.#thinking = thinking;
    const { app, tree, node, level, side } = this;
    const begun = performance.now();
    const watching = setInterval(() => app.view.showThinking(side, Math.floor((performance.now() - begun) / 1000)), 1000);
    thinking.signal.addEventListener("abort", () => {
      clearInterval(watching);
      app.view.showThinking(side);
    });
    const clock = this.clock && {
      remaining: Math.max(1, Math.round(this.left(side))),
      increment: 1000 * this.clock.increment,
    };
    try {
      const answer = await search("/play", { place: tree.place(node), level, clock }, thinking.signal, () => {});
      // A reply at once would not be seen to be one, nor the turn before it.
      const seen = app.view.board.rest;
      const rest = Math.max(REPLY_TIME - (performance.now() - this.since), seen && seen + REPLY_PAUSE);
      if (answer && rest > 0 && !thinking.signal.aborted) {
        // It does not count on the clock.
        this.since += rest;
        await pause(rest);
      }
      if (answer && !thinking.signal.aborted) {
        app.play(answer.turn, node);
      }
    } catch (error) {
      if (thinking.signal.aborted) {
        return;
      }
      // The clock does not run for what is not the engine's fault.
      this.stop();
      app.fail(error);
      if (!(error instanceof NoServer)) {
        await pause(2000);
        if (!this.isOver && this.node === node && this.since === null && !server.trouble) {
          this.begin(node);
        }
      }
    }
  }

  played(node) {
    super.played(node);
    this.stop();
  }

  takeBack() {
    super.takeBack();
    this.stop();
  }

  /** Shows the clocks. While one runs, the server is asked every second whether it is there, and before the game is lost. */
  async #tick() {
    const [since, asked] = [this.since, performance.now()];
    // They may stand still behind an exercise.
    since !== null && this.showClocks();
    const hasRunOut = since !== null && this.left(this.side) <= 0;
    if (since === null || this.#isAsking || !(hasRunOut || asked > this.#heard + 1000)) {
      return;
    }
    this.#isAsking = true;
    if (await reach()) {
      this.#heard = asked;
      if (hasRunOut && since === this.since) {
        this.end(this.side === "w" ? "0-1" : "1-0", "time forfeit");
      }
    }
    this.#isAsking = false;
  }

  showClocks() {
    for (const [side, element] of Object.entries(this.app.view.clocks)) {
      element.hidden = !this.clock;
      if (this.clock) {
        const time = this.left(side);
        const seconds = Math.floor(time / 1000);
        const tenths = time < 10000 ? `.${Math.floor((time % 1000) / 100)}` : "";
        const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}${tenths}`;
        if (element.textContent !== text) {
          element.textContent = text;
        }
        element.classList.toggle("running", this.isRunning(side));
        element.classList.toggle("short", time < 10000);
      }
    }
  }

  /** The person has asked for a hint. */
  hinted() {
    this.hints += this.isOver ? 0 : 1;
  }

  /** Offers a draw, which is accepted where the tables say so, or in a long game in which a search finds no advantage. */
  async offerDraw() {
    const { app, node } = this;
    if (this.isByLink && !this.isOffered) {
      this.isOffering = true;
      app.view.say(t("draw-with-link"));
      return;
    }
    if (!node.known || !this.mayMove(node)) {
      app.view.say(t("not-your-turn"));
      return;
    }
    if (this.isOfPeople) {
      this.end(node.known.agreed, "agreement");
      return;
    }
    app.view.say(t("draw-considered"));
    const { agreed, table } = node.known;
    const outcomes = table?.map(({ outcome }) => outcome);
    // The rules may give the game to the side with more stones.
    const isDrawn = agreed !== "1/2-1/2" ? agreed === (this.person === "w" ? "0-1" : "1-0") : outcomes ? outcomes.includes("draw") && !outcomes.includes("win") : node.ply >= DRAW_PLIES && (await this.#isEven(node));
    // Somebody may have gone on meanwhile, or asked for something else.
    if (!this.isOver && node === this.node && isDrawn) {
      this.end(agreed, "agreement");
    } else if (!this.isOver && node === this.node && !app.exercise && !server.trouble) {
      // Also where something else was asked for meanwhile.
      app.view.say(t("draw-declined"));
    }
  }

  /** Whether the last depths of a search all find no more than a tenth of a stone; nothing if it is ended. */
  async #isEven(node) {
    this.#thinking = beginSearch();
    const scores = [];
    const request = { place: this.tree.place(node), lines: 1, time: DRAW_TIME };
    const answer = await this.app.attempt(() => search("/analyse", request, this.#thinking.signal, ({ score }) => scores.push(Math.abs(Number(score)))));
    return answer && scores.length >= 3 && scores.slice(-3).every((score) => score <= 0.1);
  }

  resign() {
    this.end(this.here === "w" ? "0-1" : "1-0", "resignation");
  }

  end(result, termination) {
    if (!this.isOver) {
      super.end(result, termination);
      this.isSent = false;
      this.close();
      this.app.ended();
    }
  }

  /** Nobody plays any longer. */
  close() {
    this.stop();
    clearInterval(this.#timer);
    this.isOver = true;
  }
}
