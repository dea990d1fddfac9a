/* A turn that a person makes on the board, step by step. Which steps there are, the server says. */

class Hand {
  /** The stone in hand; the turn as far as it has been made; the two captures of which one has to be chosen. */
  from = null;
  turn = null;
  choice = null;
  /** The point on which the stone in hand waits until it is known how it goes there. */
  going = null;
  #isFresh = false;
  /** The step that the server has been asked about. */
  #asked = null;

  /** `ask` asks about a turn that has begun, `play` plays a whole one, `changed` draws, `say` announces, `owns` tells whether a stone of the side to
      move is on a point, `whyNot` why it cannot be taken up, `whyNotStep`, if it is there, why one in hand cannot go on by a turn. */
  constructor({ ask: askServer, play, changed, say, owns, whyNot: tellWhy, whyNotStep: tellWhyNot = () => "" }) {
    this.askServer = askServer;
    this.play = play;
    this.changed = changed;
    this.say = say;
    this.owns = owns;
    this.whyNot = tellWhy;
    this.whyNotStep = tellWhyNot;
    this.known = null;
  }

  /** Another position: what is known of it, or nothing if nobody may move in it. */
  begin(known) {
    this.known = known;
    this.putDown();
  }

  putDown() {
    [this.from, this.turn, this.choice, this.going, this.#asked] = [null, null, null, null, null];
  }

  /** The turn so far as the board shows it. */
  get made() {
    return this.turn ? turnOf(this.turn.word) : null;
  }

  get at() {
    return this.turn ? this.made.path.at(-1) : this.from;
  }

  get pending() {
    return this.going ? [this.at, this.going] : null;
  }

  get next() {
    return this.turn ? this.turn.next : this.#stepsOf(this.from);
  }

  #stepsOf(point) {
    return this.known?.stones.find(({ from }) => from === point)?.next ?? [];
  }

  get targets() {
    return this.choice ? [this.choice.to] : [...new Set(this.next.map(({ to }) => to))];
  }

  /** What the steps to each point capture; of two, one of which has to be chosen, nothing. */
  get previews() {
    const previews = {};
    for (const { to, captured } of this.choice ? [] : this.next) {
      previews[to] = previews[to] ? [] : captured;
    }
    return previews;
  }

  /** What is written on the stones of a choice. */
  get letters() {
    const steps = this.choice?.steps ?? [];
    return Object.fromEntries(steps.flatMap(({ how, captured }) => captured.map((point) => [point, how])));
  }

  /** A point is pressed: a stone that can move is taken up. */
  hold(point) {
    this.#isFresh = !this.turn && this.from !== point && this.#stepsOf(point).length > 0;
    if (this.#isFresh) {
      this.#takeUp(point);
    }
    return this.at === point && this.next.length > 0;
  }

  #takeUp(point) {
    this.putDown();
    this.from = point;
    this.changed();
    this.say(t("taken-up", point, this.targets.join(", ")));
  }

  pick(point) {
    const isFresh = this.#isFresh;
    this.#isFresh = false;
    const chosen = this.choice?.steps.find(({ captured }) => captured.includes(point));
    const steps = this.next.filter(({ to }) => to === point);
    if (chosen) {
      this.step(chosen);
    } else if (this.turn && point === this.at && this.turn.may_end) {
      this.finish();
    } else if (steps.length === 1) {
      this.step(steps[0]);
    } else if (steps.length > 1) {
      this.choice = { to: point, steps };
      this.going = point;
      this.changed();
      this.say(steps.map((step) => this.inWords(step)).join("; "));
    } else if (this.choice) {
      [this.choice, this.going] = [null, null];
      this.changed();
      this.say("");
    } else if (!this.turn && this.from === point) {
      if (!isFresh) {
        this.putDown();
        this.changed();
      }
    } else if (!this.turn && this.#stepsOf(point).length > 0) {
      this.#takeUp(point);
    } else if (this.turn || (this.from && !this.owns(point))) {
      this.#refuse(point);
    } else {
      if (this.from) {
        // Another stone is wanted.
        this.putDown();
        this.changed();
      }
      this.say(this.whyNot(point));
    }
  }

  /** Says that the stone in hand cannot go to a point, and why, if that is known. */
  async #refuse(point) {
    const { from, turn } = this;
    this.say(t("not-a-step", point));
    const why = !turn && this.owns(point) ? "" : await this.whyNotStep(`${turn ? this.made.text : from}-${point}`);
    if (why && from === this.from && turn === this.turn) {
      this.say(why);
    }
  }

  drop(point) {
    this.#isFresh = false;
    if (this.targets.includes(point)) {
      this.going = point;
      this.changed();
      this.pick(point);
    } else {
      this.changed();
      // It may have been put down while it was dragged.
      this.at && this.#refuse(point);
    }
  }

  inWords({ how, captured }) {
    return t(how === "A" ? "approach" : "withdrawal", captured.join(", "));
  }

  /** Makes a step; the turn is played when it can go on no further. */
  async step({ to, how = "" }) {
    const before = this.turn ? this.made.text : this.from;
    const text = `${before}-${to}${how}`;
    this.choice = null;
    if (!how) {
      this.play(text);
      return;
    }
    const asked = {};
    this.#asked = asked;
    const turn = await this.askServer(text);
    // The stone may have been put down by now, or make another step.
    if (asked !== this.#asked) {
      return;
    }
    this.going = null;
    if (!turn) {
      this.changed();
      return;
    }
    this.turn = turn;
    if (turn.next.length === 0) {
      this.finish();
      return;
    }
    this.changed();
    this.say(t(turn.may_end ? "may-go-on" : "must-go-on", this.targets.join(", ")));
  }

  /** The capture by this letter, if one is to be chosen. */
  choose(letter) {
    const step = this.choice?.steps.find(({ how }) => how === letter);
    if (step) {
      this.step(step);
    }
  }

  finish() {
    if (this.turn?.may_end) {
      this.play(this.turn.word);
    }
  }
}
