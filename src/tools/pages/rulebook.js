/* The rules, to be learned by trying them on small boards. What a turn captures, and why another is illegal, the server says. */

/** The pages: rules and position of a task, the stones that it means, a turn by which it is shown before, if one does without giving the task away, and
    how many stones are to be captured; else what is asked for, by the turn and what is known of the position after it, and what is wrong with other turns.
    Those that a first game does not need are more. */
const RULEBOOK = [
  { key: "lines", rules: "dimy", start: "5/3w1/1w3/5/3b1 w 0 2", means: "b3 d4", example: "b3-b4", isRight: ({ path: [[file, rank], [toFile, toRank]] }) => file !== toFile && rank !== toRank },
  { key: "approach", rules: "board=7x3", start: "5b1/w1bbb1b/5w1 w 0 2", means: "c2 d2 e2", example: "f1-f2A:f3", takes: 3 },
  { key: "withdrawal", rules: "board=7x3", start: "7/bbbw3/3b3 w 0 2", means: "a2 b2 c2", example: "d2-d3W:d1", takes: 3 },
  { key: "both", rules: "board=7x3", start: "7/bbw1b2/7 w 0 2", means: "c2", example: "c2-d2A:e2", takes: 2 },
  { key: "chain", rules: "dimy", start: "5/1b3/3bb/1b1w1/5 w 0 2", means: "d2", example: "d2-c3A:b4", takes: 4 },
  { key: "must", rules: "dimy", start: "1b3/bb1w1/1bwww/3b1/2w2 w 0 2", means: "d4 c3 d3 e3 c1", isRight: ({ captured }) => captured.length > 0 },
  { key: "paika", rules: "dimy", start: "5/2b1b/1w1w1/5/b4 w 0 2", means: "b3 d3", example: "b3-b4", isRight: (_, { stones }) => stones.every(({ next }) => next.every(({ how }) => !how)) },
  { key: "end", rules: "dimy", start: "5/5/5/1bb1w/1w2b w 0 2", means: "b2 c2 e1", takes: 3 },
  { key: "vela", isMore: true, rules: "board=5x5 capture=opening vela=black", start: "5/w1bbb/5/1bb1b/5 w 0 2", means: "a4", takes: 1 },
  { key: "others", isMore: true },
];

/** How long an example stands before it begins, and when it has been seen, in milliseconds. */
const EXAMPLE_PAUSES = [900, 2600];

/** The pages with their boards. It has what `whyNot` asks of the analysis board. */
class Rulebook {
  tree = null;
  node = null;
  isPlaying = false;
  #at = 0;
  #board = null;
  /** The page of the board: the last that has one. */
  #tried = null;
  /** The turn that is shown as an example, and what ends it. */
  #example = null;
  #ending = new AbortController();
  #isSolved = false;
  #done = new Set((stored.get("rulebook") ?? "").split(" "));

  constructor() {
    this.hand = new Hand({
      ask: async (turn) => (await this.#know({ turn }))?.turn,
      play: (word) => this.#play(word),
      changed: () => this.#show(),
      say: (text) => this.#say(text),
      owns: (point) => isOwnStone(this, point),
      whyNot: (point) => whyNot(this, point),
      whyNotStep: (turn) => whyNotStep(this.tree.place(this.tree.root), turn),
    });
    const turn = (key, symbol, by) => make("button", { type: "button", "aria-label": t(key), title: t(key), click: () => this.turn(by) }, symbol);
    this.pages = RULEBOOK.map(({ isMore }, at) => make("button", { type: "button", class: isMore && !RULEBOOK[at - 1].isMore ? "more" : "", click: () => this.open(at) }, at + 1));
    this.ends = [turn("rule-previous", "‹", -1), turn("rule-next", "›", 1)];
    this.head = make("h3", { "aria-live": "polite" });
    this.words = make("p");
    this.task = make("p", { class: "task" });
    this.place = make("div", { class: "place" });
    this.choices = make("div", { class: "row", role: "group", "aria-label": t("choose") });
    this.message = make("p", { class: "message", role: "status" });
    this.exampleButton = make("button", { type: "button", click: () => {
      this.reset();
      this.#showExample(0);
    } }, t("rule-example"));
    this.again = make("button", { type: "button", click: () => this.reset() }, t("rule-reset"));
    this.onwards = make("button", { type: "button", class: "primary", hidden: true, click: () => this.turn(1) }, t("rule-next"));
    // As tall as the longest text.
    const others = RULEBOOK.map(({ key, start }) => make("div", { class: "unseen", "aria-hidden": "true" }, make("p", {}, t(`rule-${key}-words`)), start ? make("p", { class: "task" }, t(`rule-${key}-task`)) : null));
    const next = (key, kind, act) => make("button", { type: "button", class: kind, click: () => {
      this.element.closest("dialog").close();
      act(app);
    } }, t(key));
    this.moreButton = make("button", { type: "button", click: () => this.turn(1) }, t("rule-more"));
    // What follows the last lesson, and the last page.
    this.after = make("div", { class: "row" }, next("play-engine", "primary", () => (app.view.isNew ? beginnerGame : playDialog)(app)), next("puzzles", "", (app) => Puzzles.begin(app)), this.moreButton);
    this.buttons = make("div", { class: "row center" }, this.choices, this.exampleButton, this.again, this.onwards, this.after);
    this.trial = make("div", {}, this.place, this.message);
    this.element = make("div", { class: "rulebook" },
      make("nav", { "aria-label": t("rules") }, this.ends[0], this.pages, this.ends[1]), this.head, make("div", { class: "texts" }, make("div", {}, this.words, this.task), others), this.trial, this.buttons);
    this.open(Math.max(RULEBOOK.findIndex(({ key, isMore }) => !isMore && !this.#done.has(key)), 0));
  }

  turn(by) {
    this.open(Math.min(Math.max(this.#at + by, 0), RULEBOOK.length - 1));
  }

  open(at) {
    const { key, rules, start, example } = RULEBOOK[at];
    this.#at = at;
    this.#endExample();
    this.head.textContent = `${at + 1}. ${t(`rule-${key}`)}`;
    this.words.textContent = t(`rule-${key}-words`);
    this.trial.hidden = this.task.hidden = !start;
    if (!start) {
      this.#offer(false);
      this.#showPages();
      return;
    }
    this.#tried = RULEBOOK[at];
    this.task.textContent = t(`rule-${key}-task`);
    this.tree = new GameTree({ rules, start });
    const { columns, rows } = this.tree;
    this.#board = new Board({ columns, rows, onPick: (point) => this.#pick(point), onHold: (point) => this.#hold(point), onDrop: (_, to) => this.hand.drop(to) });
    this.place.replaceChildren(this.#board.element);
    this.#showPages();
    this.reset();
    if (example && !this.#done.has(key) && stepTime() > 0) {
      this.#showExample(EXAMPLE_PAUSES[0]);
    }
  }

  /** What can be done next: once the last lesson is solved, and on the last page, a game begins. */
  #offer(isSolved) {
    const { start, example } = RULEBOOK[this.#at];
    const isLast = !start || (isSolved && this.pages[this.#at + 1].matches(".more"));
    this.#isSolved = isSolved;
    this.choices.hidden = this.moreButton.hidden = !start;
    this.exampleButton.hidden = !example || isSolved;
    this.again.hidden = isLast;
    this.onwards.hidden = isLast || !isSolved;
    this.after.hidden = !isLast;
  }

  /** Plays the example, until it has been seen or something else is done. The task, which is of another picture, comes after it. */
  async #showExample(wait) {
    const { example } = this.#tried;
    const { signal } = this.#ending = new AbortController();
    this.task.classList.add("unseen");
    await pause(wait);
    if (signal.aborted || this.hand.from) {
      return;
    }
    this.#example = turnOf(example);
    const { captured, hows, text } = this.#example;
    this.#say(t("rule-example-is", text, captured.length > 0 ? this.hand.inWords({ how: hows[1], captured }) : t("rule-nothing")));
    this.#show();
    stepTime() > 0 || this.#board.replay(this.node.stones);
    await pause(this.#board.rest + EXAMPLE_PAUSES[1]);
    signal.aborted || this.#endExample();
  }

  #endExample() {
    this.#ending.abort();
    this.task.classList.remove("unseen");
    if (this.#example) {
      this.#example = null;
      this.#say("");
      this.#show();
    }
  }

  /** Begins the task again; what is known of its position is kept. */
  async reset() {
    const { root } = this.tree;
    this.#endExample();
    this.node = root;
    this.again.classList.remove("primary");
    this.again.textContent = t("rule-reset");
    this.#offer(false);
    this.hand.begin(root.known ?? null);
    this.#say("");
    this.#show();
    root.known ??= await this.#know({});
    if (root === this.node) {
      this.hand.begin(root.known);
      this.#show();
    }
  }

  /** What the server knows of the position. If it is gone, it is asked again when it is back. */
  async #know({ tree = this.tree, node = tree.root, turn }) {
    try {
      return await ask("/position", { place: tree.place(node), turn });
    } catch (error) {
      this.#say(error.message);
      if (!(error instanceof NoServer)) {
        return null;
      }
      await serverBack();
      this.message.textContent === error.message && this.#say("");
      return this.#know({ tree, node, turn });
    }
  }

  /** After a turn, a touch of the board begins again; not after a right one. */
  #hold(point) {
    this.#endExample();
    this.node === this.tree.root || this.#isSolved || this.reset();
    return this.hand.hold(point);
  }

  #pick(point) {
    this.#endExample();
    this.node === this.tree.root || this.#isSolved || this.reset();
    this.#isSolved || this.hand.pick(point);
  }

  /** Says what a turn has done, and whether it is what was asked for. */
  async #play(word) {
    const { tree } = this;
    const { key, takes, isRight: judge = ({ captured: { length } }) => length === takes } = this.#tried;
    const node = tree.add(tree.root, word);
    this.node = node;
    this.hand.begin(null);
    this.#show();
    node.known ??= await this.#know({ node });
    const isRight = node.known !== null && judge(node.turn, node.known);
    if (isRight) {
      this.#finish(key);
    }
    if (node !== this.node || !node.known) {
      return;
    }
    this.#offer(isRight);
    const { hows, captured } = node.turn;
    const { outcome } = node.known;
    const did = captured.length > 0 ? t(hows.length > 2 ? "rule-took" : `rule-took-${hows[1]}`, captured.join(", ")) : "";
    const said = [did, outcome && `${verdictText(outcome.result, outcome.reason)}.`, t(`rule-${key}-${isRight ? "learnt" : "not"}`)].filter(Boolean).join(" ");
    this.#say(isRight ? t("rule-right", said) : said, isRight ? "right" : "wrong");
    this.again.classList.toggle("primary", !isRight);
    this.again.textContent = t(isRight ? "rule-reset" : "retry");
  }

  #finish(key) {
    this.#done.add(key);
    stored.set("rulebook", [...this.#done].join(" ").trim());
    this.#showPages();
  }

  #say(text, kind = "") {
    writeMoves(this.message, text);
    // On a small telephone it is below what is seen. The board does not move below a finger.
    text && app.released().then(() => this.message.scrollIntoView({ block: "nearest" }));
    this.message.className = `message ${kind}`;
  }

  #showPages() {
    this.ends.forEach((button, at) => button.setAttribute("aria-disabled", String(this.#at === at * (RULEBOOK.length - 1))));
    this.pages.forEach((button, at) => {
      const { key } = RULEBOOK[at];
      const isDone = this.#done.has(key);
      const name = `${at + 1}. ${t(`rule-${key}`)}${isDone ? `, ${t("rule-done")}` : ""}`;
      button.classList.toggle("done", isDone);
      button.setAttribute("title", name);
      button.setAttribute("aria-label", name);
      // The keyboard begins there.
      button.autofocus = at === this.#at;
      at === this.#at ? button.setAttribute("aria-current", "step") : button.removeAttribute("aria-current");
    });
  }

  #show() {
    const { hand, node, tree } = this;
    const made = this.#example ?? hand.made;
    const stones = made ? Board.play(node.stones, made, tree.columns) : node.stones;
    const names = { w: t("white"), b: t("black"), ".": t("empty") };
    const more = (point) => (hand.at === point ? t("in-hand") : hand.targets.includes(point) ? t("target") : "");
    this.place.setAttribute("aria-busy", String(node === tree.root && !node.known));
    const had = this.choices.contains(document.activeElement);
    // Of the stones that a task means, those to be captured are crossed out.
    const means = node === tree.root && !made && !hand.at ? this.#tried.means.split(" ") : [];
    const isTarget = (point) => (tree.stoneOn(stones, point) === "w") !== tree.whiteMoves(0);
    this.#board.show({
      stones, movable: means.filter((point) => !isTarget(point)), crossed: means.filter(isTarget), marked: hand.targets, chosen: hand.going ?? hand.at, pending: hand.pending, letters: hand.letters, previews: hand.previews, last: made ?? node.turn, label: this.task.textContent,
      describe: (point) => [point, names[tree.stoneOn(stones, point)], more(point)].filter(Boolean).join(", "),
    });
    const option = (text, key, act) => make("button", { type: "button", click: act }, text, " ", make("kbd", {}, key));
    this.choices.replaceChildren(...(hand.choice ? hand.choice.steps.map((step) => option(hand.inWords(step), step.how, () => hand.step(step)))
      : hand.turn?.may_end ? [option(t("stop-here"), "S", () => hand.finish())] : []));
    if (had && !this.choices.contains(document.activeElement)) {
      this.#board.focus(hand.at);
    }
  }

  key(event) {
    const isIn = this.hand.at !== null && !this.trial.hidden;
    const actions = {
      a: () => this.hand.choose("A"), w: () => this.hand.choose("W"), s: () => this.hand.finish(),
      ArrowLeft: () => this.turn(-1), ArrowRight: () => this.turn(1),
      ...(isIn && { Escape: () => {
        this.hand.putDown();
        this.#say("");
        this.#show();
      } }),
    };
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (Object.hasOwn(actions, name) && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      actions[name]();
    }
  }
}

function rulesDialog() {
  const book = new Rulebook();
  const { dialog } = openDialog(t("rules"), book.element, null, "");
  // Also where nothing has the focus.
  const listen = (event) => book.key(event);
  addEventListener("keydown", listen);
  dialog.addEventListener("close", () => removeEventListener("keydown", listen));
}
