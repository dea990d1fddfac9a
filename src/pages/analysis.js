/* The analysis board: the page as a whole. */

/** The marks that a move can be given. */
const SIGNS = ["", "!!", "!", "!?", "?!", "?", "??"];

class AnalysisBoard {
  /** What the server began with, the game, the place in it, and the game against the engine, if there is one. */
  start = null;
  tree = null;
  node = null;
  opponent = null;
  /** The file that the game is from: its text, the number of the game, how many there are. */
  file = null;
  board = null;
  clocks = {};
  isFlipped = false;
  #isConnected = true;
  #wentTo = 0;

  constructor() {
    this.engine = new EnginePanel(this);
    this.hand = new Hand({
      ask: async (turn) => (await this.attempt(() => ask("/position", { place: this.tree.place(this.node), turn })))?.turn,
      play: (word) => this.play(word),
      changed: () => this.showBoard(),
      say: (text) => this.say(text),
      whyNot: (point) => whyNot(this, point),
    });
  }

  get isPlaying() {
    return this.opponent !== null && !this.opponent.isOver;
  }

  async open() {
    await enter();
    this.start = await ask("/start");
    listen((report) => this.engine.hear(report) || this.opponent?.hear(report), (isConnected) => this.#connected(isConnected));
    if (!(isReloaded && (await this.#restore()))) {
      const { pgn, number, rules, start } = this.start.opening;
      await (pgn === null ? this.begin({ rules, start }) : this.read(pgn, number));
    }
  }

  /** Tries something; if it fails, says why. */
  async attempt(action) {
    try {
      return await action();
    } catch (error) {
      this.fail(error);
      return null;
    }
  }

  fail(error) {
    this.say(error.message, true);
  }

  /** Announces something, for those who hear the page and for those who see it. */
  say(text, isProblem = false) {
    if (this.message) {
      this.message.textContent = text;
      this.message.classList.toggle("problem", isProblem);
    }
  }

  /** Announces what can be seen anyway. */
  whisper(text) {
    const isAtStart = this.node === this.tree.root && !this.isPlaying;
    this.say(isAtStart && this.node.children.length === 0 ? t("how-to-begin") : "");
    this.announcement.textContent = text;
  }

  #connected(isConnected) {
    if (isConnected !== this.#isConnected) {
      this.#isConnected = isConnected;
      this.say(t(isConnected ? "connected" : "no-server"), !isConnected);
      if (isConnected) {
        this.engine.restart();
      }
    }
  }

  /** Begins a game from a start position, or against the engine. */
  async begin({ rules, start = "" }, against = null) {
    const known = await ask("/position", { place: { rules, start } });
    this.file = null;
    this.opponent?.close();
    this.opponent = null;
    if (against) {
      this.engine.turnOff();
      this.opponent = new Opponent(this, against);
      this.isFlipped = against.person === "b";
    }
    const names = { [against?.person]: t("you"), [against?.person === "w" ? "b" : "w"]: t("vato-level", against?.level) };
    const now = new Date();
    const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
    const tags = against ? [["White", names.w], ["Black", names.b], ["Date", date]] : [];
    await this.#use(new GameTree({ rules: known.rules, start: known.fen, tags }));
  }

  /** Shows a game of a PGN file. */
  async read(pgn, number) {
    const { games, game, fault } = await ask("/read", { pgn, number });
    this.file = { pgn, number, count: games.length };
    this.opponent?.close();
    this.opponent = null;
    await this.#use(new GameTree(game));
    if (fault) {
      this.fail(new Error(fault));
    }
  }

  #use(tree) {
    this.tree = tree;
    this.node = tree.root;
    this.draw();
    return this.go(tree.root);
  }

  /** Draws the whole page, as for another game or in another language. */
  draw() {
    document.documentElement.lang = code();
    document.title = "Vato";
    const { columns, rows } = this.tree;
    this.board = new Board({
      columns, rows,
      onPick: (point) => this.hand.pick(point),
      onHold: (point) => this.hand.hold(point),
      onDrop: (_, to) => this.hand.drop(to),
    });
    this.board.flip(this.isFlipped);
    this.question = make("div", { class: "question", hidden: true, role: "group", "aria-label": t("choose") });
    this.message = make("p", { class: "message", role: "status", "aria-live": "polite" });
    this.stopButton = make("button", { type: "button", id: "stop-here", hidden: true, click: () => this.hand.finish() }, t("stop-here"), " ", make("kbd", {}, "S"));
    this.announcement = make("p", { class: "hidden", role: "status", "aria-live": "polite" });
    this.here = make("p", { class: "here" });
    this.verdict = make("p", { class: "verdict" });
    this.moveInput = make("input", { type: "text", id: "move", maxlength: 200, size: 14, spellcheck: "false", autocomplete: "off", placeholder: "d2-e3A", "aria-label": t("type-move") });
    this.moves = new MoveList((node) => this.go(node));
    this.playerParts = { w: this.#player("w"), b: this.#player("b") };
    const button = (key, symbol, action) => make("button", { type: "button", "aria-label": t(key), title: t(key), click: action }, symbol);
    const typed = make("form", { class: "typed", submit: (event) => {
      event.preventDefault();
      this.#playTyped();
    } }, this.moveInput, make("button", { type: "submit" }, t("play-move")));
    const enginePart = this.engine.draw();
    this.top = make("div");
    this.bottom = make("div");
    this.playControls = make("div", { class: "row center" });
    const main = make("main", { class: "analysis" },
      make("section", { class: "panel boardpanel", "aria-label": t("board") },
        this.top,
        this.boardRow = make("div", { class: "boardrow" }, this.engine.bar, make("div", { class: "boardplace" }, this.board.element, this.question)),
        this.bottom,
        make("div", { class: "controls" },
          button("first", "«", () => this.go(this.tree.root)),
          button("back", "‹", () => this.back()),
          button("forward", "›", () => this.forward()),
          button("last", "»", () => this.go(this.tree.line(this.node).at(-1))),
          button("flip", "⇅", () => this.flip())),
        this.here, this.verdict, this.announcement, make("div", { class: "row center hint" }, this.message, this.stopButton), this.playControls, typed),
      make("div", { class: "side" },
        enginePart,
        make("section", { class: "panel" }, make("h2", {}, t("moves")), fileControls(this), this.moves.element, this.#notes())));
    document.querySelectorAll("header, main").forEach((old) => old.remove());
    document.body.append(this.#header(), main);
    // So that the whole board is in the window.
    this.boardRow.style.setProperty("--shape", (columns + 0.6) / (rows + 0.6));
    this.moves.draw(this.tree);
    this.#showPlayers();
  }

  #header() {
    const action = (key, act) => make("button", { type: "button", click: () => act(this) }, t(key));
    return make("header", {}, make("h1", {}, "Vato"),
      make("nav", { class: "row", "aria-label": t("menu") },
        action("play-engine", playDialog), action("new-game", newGameDialog), action("set-up", setUpDialog),
        action("open", openFileDialog), action("save", saveDialog), action("keys", helpDialog)),
      settings(() => {
        this.draw();
        this.show();
      }));
  }

  #player(side) {
    this.clocks[side] = make("span", { class: "clock", role: "timer", hidden: true });
    const name = make("span", { class: "name" });
    const element = make("div", { class: "player" }, make("span", { class: side === "b" ? "dot dark" : "dot" }), name, this.clocks[side]);
    return { element, name };
  }

  #showPlayers() {
    for (const [side, tag, key] of [["w", "White", "white"], ["b", "Black", "black"]]) {
      const name = this.tree.tag(tag);
      this.playerParts[side].name.textContent = /^\??$/.test(name) ? t(key) : name;
    }
    const [above, below] = this.isFlipped ? ["w", "b"] : ["b", "w"];
    this.top.replaceChildren(this.playerParts[above].element);
    this.bottom.replaceChildren(this.playerParts[below].element);
    this.opponent?.showClocks();
  }

  /** Comment and marks of the move, and what can be done with its variation. */
  #notes() {
    this.comment = make("textarea", { rows: 2, maxlength: 10000, "aria-label": t("comment"), placeholder: t("comment"), change: () => {
      const text = this.comment.value.trim();
      if (this.node.parent) {
        this.node.comment = text;
      } else {
        this.tree.introduction = text;
      }
      this.changed();
    } });
    this.mark = make("select", { "aria-label": t("mark"), title: t("mark"), change: () => {
      const others = this.node.marks.filter((mark) => !SIGNS.includes(mark));
      this.node.marks = [this.mark.value, ...others].filter(Boolean);
      this.changed();
    } }, SIGNS.map((sign) => make("option", { value: sign }, sign || "–")));
    this.promoteButton = make("button", { type: "button", click: () => {
      this.tree.promote(this.node);
      this.changed();
    } }, t("promote"));
    this.removeButton = carefulButton("remove", () => {
      const { parent } = this.node;
      this.tree.remove(this.node);
      this.changed();
      this.go(parent);
    });
    return make("div", { class: "notes" }, this.comment, make("div", { class: "row" }, this.mark, this.promoteButton, this.removeButton));
  }

  /** The game has changed: its list of moves is drawn anew, and it is kept for when the page is loaded anew. */
  changed(isChanged = true) {
    this.tree.isChanged = isChanged;
    this.moves.draw(this.tree);
    this.#showPlayers();
    this.show();
    this.#keep();
  }

  #keep() {
    const path = this.tree.path(this.node).map((node) => node.parent.children.indexOf(node));
    keep("game", JSON.stringify({ data: this.tree.data(), path, isChanged: this.tree.isChanged }));
  }

  async #restore() {
    try {
      const { data, path, isChanged } = JSON.parse(sessionStorage.getItem("vato-game"));
      const tree = new GameTree(data);
      tree.isChanged = isChanged;
      await ask("/position", { place: tree.place(tree.line(tree.root).at(-1)) });
      await this.#use(tree);
      this.go(path.reduce((node, index) => node.children[index], tree.root));
      return true;
    } catch {
      return false;
    }
  }

  /** Goes to a position of the game. */
  async go(node) {
    this.node = node;
    this.hand.begin(null);
    this.show();
    this.engine.moved();
    this.#wentTo += 1;
    const wentTo = this.#wentTo;
    node.known ??= await this.attempt(() => ask("/position", { place: this.tree.place(node) }));
    // Somebody may have gone on meanwhile.
    if (wentTo !== this.#wentTo || !node.known) {
      return;
    }
    if (this.isPlaying && node.children.length === 0) {
      this.opponent.begin(node);
    }
    this.hand.begin(!this.isPlaying || this.opponent.mayMove(node) ? node.known : null);
    this.show();
    this.engine.show();
    this.whisper(this.#inWords());
    this.#keep();
  }

  back() {
    if (this.hand.turn || this.hand.choice) {
      this.hand.putDown();
      this.showBoard();
    } else if (this.node.parent) {
      this.go(this.node.parent);
    }
  }

  forward() {
    if (this.node.children[0]) {
      this.go(this.node.children[0]);
    }
  }

  flip() {
    this.isFlipped = !this.isFlipped;
    this.board.flip(this.isFlipped);
    this.engine.flip(this.isFlipped);
    this.#showPlayers();
    this.showBoard();
  }

  /** Plays a turn, with what it captures: `f2-e3A:d4c5`. */
  play(word, from = this.node) {
    this.opponent?.spend();
    const node = this.tree.add(from, word);
    this.moves.draw(this.tree);
    this.go(node);
  }

  /** Plays turns of a line, one after the other. */
  playLine(words) {
    const end = words.reduce((node, word) => this.tree.add(node, word), this.node);
    this.moves.draw(this.tree);
    this.go(end);
  }

  /** Plays what was typed. */
  async #playTyped() {
    const text = turnText(this.moveInput.value);
    if (!text || !this.hand.known) {
      return;
    }
    const spellings = spellingsOf(text, this.hand.known);
    if (spellings.length > 0) {
      this.fail(new Error(t("needs-letter", spellings.join(", "))));
      return;
    }
    const answer = await this.attempt(() => ask("/position", { place: this.tree.place(this.node), turn: text }));
    if (answer && !answer.turn.may_end) {
      this.fail(new Error(t("must-go-on", answer.turn.next.map(({ to }) => to).join(", "))));
    } else if (answer) {
      this.moveInput.value = "";
      this.play(answer.turn.word);
    }
  }

  /** The game against the engine is over. */
  ended() {
    this.#showPlayers();
    this.moves.draw(this.tree);
    this.go(this.opponent.node);
  }

  /** The last move of the person and the engine's reply are taken back. */
  #takeBack() {
    const node = this.opponent.earlier;
    node.children = [];
    this.moves.draw(this.tree);
    this.go(node);
  }

  show() {
    const { node, tree } = this;
    this.showBoard();
    this.moves.show(node);
    const end = this.#end();
    this.here.replaceChildren(make("strong", {}, node.turn ? `${tree.count(node.ply)} ${node.turn.text}` : t("start")), ` · ${end?.result ?? this.#state()}`);
    this.verdict.textContent = end?.words ?? "";
    this.comment.value = node.parent ? node.comment : tree.introduction;
    this.mark.value = node.marks.find((mark) => SIGNS.includes(mark)) ?? "";
    for (const control of [this.mark, this.promoteButton, this.removeButton]) {
      control.disabled = !node.parent || this.isPlaying;
    }
    this.promoteButton.disabled ||= tree.line(tree.root).includes(node);
    this.removeButton.reset();
    this.comment.disabled = this.isPlaying;
    const action = (key, act, disabled = false) => make("button", { type: "button", disabled, click: act }, t(key));
    this.playControls.replaceChildren(...(this.isPlaying ? [
      action("take-back", () => this.#takeBack(), !this.opponent.earlier),
      carefulButton("resign", () => this.opponent.resign()),
    ] : end && node === this.opponent?.node ? [
      action("play-again", () => playDialog(this)),
      action("evaluate-all", () => this.engine.evaluateAll()),
    ] : []));
  }

  /** How the game has ended here, if it has. */
  #end() {
    const { node, tree, opponent } = this;
    const person = node === opponent?.node ? opponent.person : null;
    const ended = (result, reason) => ({ result, words: verdictText(result, reason, person) });
    if (node.known?.outcome) {
      return ended(node.known.outcome.result, node.known.outcome.reason);
    }
    const reason = { resignation: "resignation", "time forfeit": "time-loss" }[tree.tag("Termination")];
    return person && opponent.isOver && tree.result !== "*" ? ended(tree.result, reason) : null;
  }

  /** Who is to move, or how the game has ended. */
  #state() {
    const end = this.#end();
    return end ? `${end.result}, ${end.words}` : t(this.tree.whiteMoves(this.node.ply) ? "white-to-move" : "black-to-move");
  }

  /** The position for those who do not see it. */
  #inWords() {
    const { turn, ply } = this.node;
    const captured = turn?.captured.length ?? 0;
    const moved = turn ? `${this.tree.count(ply)} ${turn.text}${captured > 0 ? `, ${t("captures", captured)}` : ""}. ` : "";
    return `${moved}${this.#state()}.`;
  }

  showBoard() {
    const { hand, node, tree } = this;
    const made = hand.made;
    const stones = made ? Board.play(node.stones, made, tree.columns) : node.stones;
    const count = (colour) => fixed([...stones].filter((stone) => stone === colour).length);
    const colours = { w: t("white"), b: t("black"), ".": t("empty") };
    const targets = hand.targets;
    const describe = (point) => {
      const isMovable = !hand.from && hand.known?.stones.some(({ from }) => from === point);
      const more = hand.at === point ? t("in-hand") : targets.includes(point) ? t("target") : isMovable ? t("movable") : "";
      return [point, colours[tree.stoneOn(stones, point)], more].filter(Boolean).join(", ");
    };
    const hadFocus = this.board.element.contains(document.activeElement);
    this.board.show({
      stones, describe, marked: targets, chosen: hand.at, letters: hand.letters,
      last: made ?? node.turn,
      arrows: made ? [] : this.engine.arrows,
      label: `${this.#state()}. ${t("stones", count("w"), count("b"))}`,
    });
    this.#showQuestion(hadFocus);
  }

  /** Asks on the board which capture it is to be, and below it whether the turn ends here. */
  #showQuestion(hadFocus) {
    const { hand, question, stopButton } = this;
    const hadQuestion = question.contains(document.activeElement) || stopButton === document.activeElement;
    const option = (text, key, action) => make("button", { type: "button", click: action }, text, " ", make("kbd", {}, key));
    const options = (hand.choice?.steps ?? []).map((step) => option(hand.inWords(step), step.how, () => hand.step(step)));
    question.hidden = options.length === 0;
    question.replaceChildren(...options);
    stopButton.hidden = Boolean(hand.choice) || !hand.turn?.may_end;
    if (hand.choice) {
      // Above or below all points that may be clicked on.
      const places = [hand.choice.to, ...Object.keys(hand.letters)].map((point) => this.board.shareOf(point));
      const heights = places.map(([, y]) => y);
      const [top, bottom] = [Math.min(...heights), Math.max(...heights)];
      const isAbove = top > 1 - bottom;
      question.style.left = `${100 * Math.min(Math.max(places[0][0], 0.25), 0.75)}%`;
      question.style.top = `${100 * (isAbove ? top : bottom)}%`;
      question.classList.toggle("above", isAbove);
    }
    if (hand.choice && hadFocus) {
      options[0].focus();
    } else if (hadQuestion && !hand.choice) {
      this.board.focus(hand.at ?? this.node.turn?.path.at(-1));
    }
  }

  showArrows() {
    if (!this.hand.made) {
      this.board.showArrows(this.engine.arrows);
    }
  }

  key(event) {
    const isOnBoard = this.board?.element.contains(event.target);
    const actions = {
      ArrowLeft: () => this.back(),
      ArrowRight: () => this.forward(),
      Home: () => this.go(this.tree.root),
      End: () => this.go(this.tree.line(this.node).at(-1)),
      Escape: () => {
        this.hand.putDown();
        this.showBoard();
      },
      e: () => this.isPlaying || this.engine.toggle(),
      f: () => this.flip(),
      m: () => this.moveInput.focus(),
      a: () => this.hand.choose("A"),
      w: () => this.hand.choose("W"),
      s: () => this.hand.finish(),
    };
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (Object.hasOwn(actions, name) && !(isOnBoard && name.startsWith("Arrow"))) {
      event.preventDefault();
      actions[name]();
    }
  }
}

const app = new AnalysisBoard();

addEventListener("keydown", (event) => {
  const isText = event.target.closest?.("input, textarea, select, dialog");
  if (!isText && !event.altKey && !event.ctrlKey && !event.metaKey && app.tree) {
    app.key(event);
  }
});

narrow.addEventListener("change", () => {
  if (app.tree) {
    app.draw();
    app.show();
  }
});

app.open().catch((error) => {
  document.body.append(make("main", {}, make("section", { class: "panel" }, make("h1", {}, "Vato"), make("p", { role: "alert" }, error.message))));
});
