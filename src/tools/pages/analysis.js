/* The analysis board: the page as a whole. */

/** The marks that a move can be given. */
const SIGNS = ["", "!!", "!", "!?", "?!", "?", "??"];

class AnalysisBoard {
  /** What the server began with, the game, the place in it, and the game against the engine, if there is one. */
  start = null;
  tree = null;
  node = null;
  opponent = null;
  /** The file that the game is from. */
  file = null;
  board = null;
  clocks = {};
  isFlipped = false;
  #wentTo = 0;
  #keeping = 0;
  #drawing = 0;
  isPressed = false;
  /** Whether there is room to keep the game for when the page is loaded anew, and whether a browser that keeps nothing has been told of. */
  #hasRoom = true;
  #isRefused = false;

  constructor() {
    /** What is the matter with the server, as long as it is. */
    this.alarm = make("p", { class: "problem alarm", role: "alert" });
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

  /** Whether something would be lost with the game, or with the other games of its file. */
  get hasUnsaved() {
    const { isChanged, isEmpty } = this.tree;
    return (isChanged && (!isEmpty || this.file !== null)) || Object.values(this.file?.edits ?? {}).some(({ isChanged }) => isChanged);
  }

  /** Shows what was kept when the page is loaded anew, also by a new address in the same tab; else what the server began with. */
  async open() {
    const secret = takeSecret();
    const was = keptData("game");
    try {
      this.start = await enter(secret || server.token || (kept("token") ?? ""));
      keep("start", JSON.stringify({ ...this.start, opening: null }));
    } catch (error) {
      this.start = keptData("start");
      if (!(error instanceof NoServer && was && this.start)) {
        throw error;
      }
    }
    const isThere = was && (await this.#restore(was));
    if (!isThere && !this.start.opening) {
      throw new NoServer(troubleText());
    } else if (!isThere) {
      const { pgn, number, rules, start } = this.start.opening;
      await (pgn === null ? this.begin({ rules, start }) : this.read({ pgn, number }));
    }
    this.#showAlarm();
    if (was && !isThere) {
      this.fail(new Error(t("not-restored")));
    } else if (isThere && !this.file && was.file?.count > 1) {
      this.fail(new Error(t("others-not-kept")));
    } else if (isThere && secret) {
      this.say(t("still-here"));
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

  /** Says what has gone wrong; of a server that is gone, the alarm does. */
  fail(error) {
    if (!(error instanceof NoServer)) {
      this.say(error.message, true);
    }
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
    const isAtStart = this.node === this.tree.root && !this.isPlaying && !this.node.known?.outcome;
    const hasPassed = this.node.turn?.path.length === 0;
    this.say(hasPassed ? t("has-passed") : isAtStart && this.node.children.length === 0 ? t("how-to-begin") : "");
    this.announcement.textContent = text;
  }

  /** The server has gone, or is back: what has not been answered is asked again. */
  async connection() {
    this.#showAlarm();
    if (server.trouble) {
      this.opponent?.stop();
      this.opponent?.showClocks();
      return;
    }
    await this.#resume();
    this.engine.restart();
    this.say(t("connected"));
  }

  #showAlarm() {
    this.alarm.textContent = troubleText();
    document.body.prepend(this.alarm);
  }

  /** Goes on where the page was. A game against the engine goes on at its end, wherever one looks. */
  async #resume() {
    const { node } = this;
    const end = this.isPlaying ? this.tree.line(this.tree.root).at(-1) : node;
    await this.go(end);
    if (end !== node && end === this.node) {
      await this.go(node);
    }
  }

  /** Begins a game from a start position, or against the engine. */
  async begin({ rules, start = "", isOwn = false }, against = null, wait = always) {
    const known = await wait(ask("/position", { place: { rules, start } }));
    this.#leave();
    if (against) {
      this.engine.turnOff();
      this.opponent = new Opponent(this, against);
      this.isFlipped = against.person === "b";
    }
    const names = { [against?.person]: t("you"), [against?.person === "w" ? "b" : "w"]: t("vato-level", against?.level) };
    const now = new Date();
    const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
    const tags = against ? [["White", names.w], ["Black", names.b], ["Date", date]] : [];
    const tree = new GameTree({ rules: known.rules, start: known.fen, tags });
    // A position that somebody has set up is work, too.
    [tree.isOwn, tree.isChanged, tree.root.known] = [isOwn, isOwn, known];
    await this.#use(tree);
  }

  /** Leaves the game that is shown for another one. */
  #leave() {
    this.file = null;
    this.opponent?.close();
    this.opponent = null;
  }

  /** Shows a game of a file, and says what of it cannot be read. What is not PGN the server makes PGN of. */
  async read({ pgn, name, number = 1 }, wait = always) {
    const { pgn: made, games, rest, game, faults, number: found } = await wait(ask("/read", { pgn, number }));
    const own = made === undefined ? { pgn, name } : { pgn: made, name: name?.replace(/(\.pgn)?$/, ".pgn") };
    const [file, tree] = [new GameFile({ ...own, games, rest, number: found }), new GameTree(game)];
    tree.root.known = await wait(ask("/position", { place: tree.place(tree.root) }));
    // Until it is kept, which takes a while, the game of before is.
    const hasRoom = await file.keep(wait);
    this.#leave();
    [this.file, this.#hasRoom] = [file, hasRoom];
    await this.#use(tree);
    this.#tell(faults, this.file);
  }

  /** Shows another game of the file. The one that is shown is kept with what has been changed in it. */
  async turnTo(number) {
    const { file, tree: before } = this;
    const { tree, faults } = await file.read(number);
    // Another game may be on the board by now, or this one in a dialog, which goes on with it.
    if (file === this.file && before === this.tree && !document.querySelector("dialog[open]")) {
      this.#hasRoom = file.stash(before);
      file.number = number;
      await this.#use(tree);
      this.#tell(faults);
    }
  }

  /** Says which games are passed over or left out, and which moves of the one that is shown are kept as text. */
  #tell(kept, { leftOut = [], faults: unreadable = [], limit = "" } = {}) {
    const faulty = [["games-left-out", leftOut], ["games-unreadable", unreadable], ["faults-found", kept.map((fault) => translated(fault))]]
      .filter(([, faults]) => faults.length > 0).map(([key, faults]) => toldOf(key, faults));
    const told = [limit, ...faulty].filter(Boolean);
    if (told.length > 0) {
      this.fail(new Error(told.join(" · ")));
    }
  }

  #use(tree, node = tree.root) {
    this.tree = tree;
    this.node = node;
    this.hand.begin(null);
    if (this.moveInput) {
      this.moveInput.value = "";
    }
    this.redraw();
    return this.go(node);
  }

  /** Draws the page anew, with what is being typed. The focus stays at the same place. */
  redraw() {
    const focused = document.querySelector(":is(header, main) :focus-visible");
    const part = focused?.closest("header, main").tagName;
    const places = [];
    for (let at = focused; part && at.tagName !== part; at = at.parentElement) {
      places.unshift([...at.parentElement.children].indexOf(at));
    }
    this.draw();
    this.show();
    if (focused) {
      const found = places.reduce((at, place) => at?.children[place], document.querySelector(part));
      found?.focus();
      if (isKnown(focused.selectionStart)) {
        found?.setSelectionRange?.(focused.selectionStart, focused.selectionEnd);
      }
      this.#keepFocus(found);
    }
  }

  /** What is gone, or cannot be used any longer, does not take the keyboard's focus with it. */
  #keepFocus(focused) {
    if (focused?.disabled || document.activeElement === document.body) {
      this.board.focus();
    }
  }

  /** Where the keyboard goes on in another game: at its moves, or where the first one is made. */
  focus() {
    const move = this.moves.element.querySelector("[tabindex='0']");
    move ? move.focus() : this.board.focus();
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
    const typedBefore = this.moveInput?.value ?? "";
    this.moveInput = make("input", { type: "text", id: "move", maxlength: 200, size: 14, spellcheck: "false", autocomplete: "off", placeholder: "d2-e3A", "aria-label": t("type-move") });
    this.moves = new MoveList((node) => this.go(node));
    this.playerParts = { w: this.#player("w"), b: this.#player("b") };
    this.moveInput.value = typedBefore;
    const button = (key, symbol, action) => make("button", { type: "button", "aria-label": t(key), title: t(key), click: action }, symbol);
    const typed = make("form", { class: "typed", submit: (event) => {
      event.preventDefault();
      this.#playTyped();
    } }, this.moveInput, make("button", { type: "submit" }, t("play-move")));
    const enginePart = this.engine.draw();
    this.top = make("div");
    this.bottom = make("div");
    this.playControls = make("div", { class: "row center" });
    const control = (key, act) => make("button", { type: "button", click: act }, t(key));
    this.whilePlaying = [control("take-back", () => this.#takeBack()), carefulButton("resign", () => this.opponent.resign())];
    this.afterwards = [control("play-again", () => playDialog(this)), control("evaluate-all", () => this.engine.evaluateAll())];
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
    this.#showAlarm();
  }

  #header() {
    const action = (key, act) => make("button", { type: "button", click: () => act(this) }, t(key));
    return make("header", {}, make("h1", {}, "Vato"),
      make("nav", { class: "row", "aria-label": t("menu") },
        action("play-engine", playDialog), action("new-game", newGameDialog), action("set-up", setUpDialog),
        action("open", openFileDialog), action("save", saveDialog), action("keys", helpDialog),
        make("button", { type: "button", id: "settings", "aria-label": t("settings"), title: t("settings"), click: () => settingsDialog(this) }, "⚙")));
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
    const say = () => {
      const said = tidied(this.comment.value);
      if (this.node.parent) {
        this.node.comment = said;
      } else {
        this.tree.introduction = said;
      }
      this.tree.isChanged = true;
      this.#drawSoon();
      this.#keepSoon();
    };
    this.comment = make("textarea", { rows: 2, "aria-label": t("comment"), placeholder: t("comment"), input: say, blur: () => { this.comment.value = tidied(this.comment.value); } });
    this.mark = make("select", { "aria-label": t("mark"), title: t("mark"), change: () => {
      leave(this.mark);
      const others = this.node.marks.filter((mark) => !SIGNS.includes(mark));
      this.node.marks = [this.mark.value, ...others].filter(Boolean);
      this.changed();
    } }, SIGNS.map((sign) => make("option", { value: sign }, sign || "–")));
    this.promoteButton = make("button", { type: "button", click: () => {
      const { node } = this;
      this.#order(() => this.tree.promote(node));
    } }, t("promote"));
    this.removeButton = carefulButton("remove", () => {
      const { node } = this;
      this.#order(() => {
        this.tree.remove(node);
        this.go(node.parent);
      });
    });
    return make("div", { class: "notes" }, this.comment, make("div", { class: "row" }, this.mark, this.promoteButton, this.removeButton));
  }

  /** Puts moves in another order, or removes some: whether the result is that of the last position has to be known before, and of the new last one. */
  async #order(change) {
    const { tree } = this;
    for (const act of [change, () => {}]) {
      const end = tree.line(tree.root).at(-1);
      end.known ??= await this.attempt(() => ask("/position", { place: tree.place(end) }));
      if (tree === this.tree) {
        act();
        this.changed();
      }
    }
  }

  /** The game has changed: its list of moves is drawn anew, and it is kept for when the page is loaded anew. */
  changed() {
    this.tree.isChanged = true;
    this.moves.draw(this.tree);
    this.#showPlayers();
    this.show();
    this.#keepSoon();
  }

  /** Waits until nothing is pressed: a button that moves, or is replaced, is not clicked. */
  async released() {
    while (this.isPressed) {
      await pause(20);
    }
  }

  /** Draws the list of moves anew. */
  #drawSoon() {
    clearTimeout(this.#drawing);
    this.#drawing = setTimeout(async () => {
      await this.released();
      this.moves.draw(this.tree);
      this.moves.show(this.node);
    }, 200);
  }

  /** The game has been downloaded, or all games of its file. */
  saved(isFile) {
    this.tree.isChanged = false;
    if (this.file) {
      for (const edit of isFile ? Object.values(this.file.edits) : []) {
        edit.isChanged = false;
      }
      this.file.stash(this.tree);
    }
    this.#keepSoon();
  }

  #keepSoon() {
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => this.keep(), 300);
  }

  /** Keeps all that is on the page for when it is loaded anew; says if there is no room for it. Where that is for the game that is
      shown alone, it has it; where it is for nothing, there is a mark, so that the page says so when it is loaded anew. */
  keep() {
    clearTimeout(this.#keeping);
    const { tree, isFlipped } = this;
    const game = JSON.stringify({
      data: tree.data(), path: tree.places(this.node), isChanged: tree.isChanged, isEdited: tree.isEdited, isOwn: tree.isOwn, isFlipped,
      opponent: this.opponent?.state, file: this.file && { id: this.file.id, number: this.file.number, count: this.file.count }, typed: this.moveInput.value,
    });
    const isKept = keep("game", game);
    let isRefused = false;
    if (!isKept) {
      ["file", "edits"].forEach((name) => keep(name, ""));
      isRefused = !keep("game", game) && !keep("game", "{}");
    }
    if (!(isKept && this.#hasRoom) && !(isRefused && this.#isRefused)) {
      this.fail(new Error(t(isRefused ? "nothing-kept" : "not-kept")));
    }
    [this.#hasRoom, this.#isRefused] = [true, isRefused];
  }

  async #restore({ data, path, isChanged, isEdited, isOwn, isFlipped, opponent, file, typed }) {
    try {
      const tree = new GameTree(data);
      Object.assign(tree, { isChanged, isEdited, isOwn });
      this.file = file && await GameFile.kept(file);
      this.isFlipped = isFlipped;
      this.opponent = opponent ? new Opponent(this, opponent) : null;
      // The position in which it has ended may have been deleted.
      if (opponent?.path?.includes(-1) === false) {
        this.opponent.node = tree.at(opponent.path);
      }
      this.tree = tree;
      this.node = tree.at(path);
      this.draw();
      this.moveInput.value = typed;
      this.show();
    } catch {
      [this.opponent, this.file] = [null, null];
      return false;
    }
    await this.#resume();
    return true;
  }

  /** Goes to a position of the game. Where that has just come up and the player cannot move, the player passes. */
  async go(node, isNew = false) {
    this.node = node;
    this.hand.begin(null);
    this.show();
    this.engine.moved();
    this.#keepSoon();
    this.#wentTo += 1;
    const wentTo = this.#wentTo;
    node.known ??= await this.attempt(() => ask("/position", { place: this.tree.place(node) }));
    // Somebody may have gone on meanwhile. What has been played is answered all the same.
    const isHere = wentTo === this.#wentTo;
    if (this.isPlaying && node.known && node.children.length === 0 && (isHere || node === this.opponent.node)) {
      this.opponent.begin(node);
    }
    if (!isHere || !node.known) {
      return;
    }
    this.hand.begin(!this.isPlaying || this.opponent.mayMove(node) ? node.known : null);
    this.show();
    this.engine.show();
    this.whisper(this.#inWords());
    this.#keepSoon();
    if (node.known.passes && node.children.length === 0 && (this.isPlaying ? this.opponent.mayMove(node) : isNew)) {
      this.play("pass");
    }
  }

  back() {
    if (this.hand.turn || this.hand.choice) {
      this.hand.putDown();
      this.showBoard();
    } else if (this.node.parent) {
      this.go(this.node.parent);
    }
  }

  /** To the move that might be played instead of the one that led here; whether there is one. */
  aside(by) {
    const other = this.tree.beside(this.node, by);
    if (other) {
      this.go(other);
    }
    return other !== null;
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
    const node = this.tree.add(from, word);
    this.opponent?.played(node);
    this.moves.draw(this.tree);
    this.go(node, true);
  }

  /** Plays turns of a line, one after the other. */
  playLine(words) {
    const end = words.reduce((node, word) => this.tree.add(node, word), this.node);
    this.moves.draw(this.tree);
    this.go(end);
  }

  /** Plays what was typed. */
  async #playTyped() {
    const text = this.moveInput.value.trim();
    const { known } = this.hand;
    const why = text && whyNoMove(this);
    if (why || !text || !known) {
      this.say(why, true);
      return;
    }
    const { node, isPlaying } = this;
    const answer = await this.attempt(() => ask("/position", { place: this.tree.place(node), turn: text }));
    // The board may show another position by now, or the game may be over in this one. That the server was away does not matter.
    if (!answer || node !== this.node || isPlaying !== this.isPlaying) {
      return;
    }
    if (!answer.turn.may_end) {
      this.fail(new Error(t("must-go-on", answer.turn.next.map(({ to }) => to).join(", "))));
    } else {
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
    const { opponent } = this;
    const last = opponent.lastMove;
    this.tree.remove(last);
    opponent.stop();
    opponent.node = last.parent;
    this.moves.draw(this.tree);
    this.go(last.parent);
  }

  show() {
    const { node, tree } = this;
    const focused = document.querySelector("main :focus-visible");
    this.showBoard();
    this.moves.show(node);
    const end = this.#end();
    this.here.replaceChildren(make("strong", {}, node.turn ? `${tree.count(node.ply)} ${node.turn.text}` : t("start")), ` · ${end?.result ?? this.#state()}`);
    this.verdict.textContent = end?.words ?? "";
    const comment = node.parent ? node.comment : tree.introduction;
    // While it is being typed it may end with a space.
    if (tidied(this.comment.value) !== comment) {
      this.comment.value = comment;
    }
    this.mark.value = node.marks.find((mark) => SIGNS.includes(mark)) ?? "";
    for (const control of [this.mark, this.promoteButton, this.removeButton]) {
      control.disabled = !node.parent || this.isPlaying;
    }
    this.promoteButton.disabled ||= tree.line(tree.root).includes(node);
    this.removeButton.reset();
    this.comment.disabled = this.isPlaying;
    this.whilePlaying[0].disabled = !this.opponent?.lastMove;
    const controls = this.isPlaying ? this.whilePlaying : end && node === this.opponent?.node ? this.afterwards : [];
    if (this.playControls.firstChild !== (controls[0] ?? null)) {
      this.playControls.replaceChildren(...controls);
    }
    if (focused) {
      this.#keepFocus(focused);
    }
    document.querySelector("dialog")?.renew?.();
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
      stones, describe, marked: targets, chosen: hand.at, letters: hand.letters, previews: hand.previews,
      // In an analysis the arrows say more.
      movable: this.isPlaying && !hand.at ? (hand.known?.stones ?? []).map(({ from }) => from) : [],
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
      // Above or below all points that may be clicked on, by half a cell.
      const cell = Math.abs(this.board.shareOf("a1")[1] - this.board.shareOf("a2")[1]);
      const places = [hand.choice.to, ...Object.keys(hand.letters)].map((point) => this.board.shareOf(point));
      const heights = places.map(([, y]) => y);
      const [top, bottom] = [Math.min(...heights), Math.max(...heights)];
      const isAbove = top > 1 - bottom;
      question.style.left = `${100 * Math.min(Math.max(places[0][0], 0.25), 0.75)}%`;
      question.style.top = `${100 * (isAbove ? top - 0.6 * cell : bottom + 0.6 * cell)}%`;
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

  /** A key goes to the page wherever the focus is, but in a text; a choice keeps those by which it is made. */
  key(event) {
    const steps = {
      ArrowLeft: () => this.back(),
      ArrowRight: () => this.forward(),
      Home: () => this.go(this.tree.root),
      End: () => this.go(this.tree.line(this.node).at(-1)),
    };
    const actions = {
      ...steps,
      ArrowUp: () => this.aside(-1),
      ArrowDown: () => this.aside(1),
      Escape: () => {
        this.hand.putDown();
        this.showBoard();
        this.say("");
        event.target.closest?.("input, textarea")?.blur();
      },
      e: () => this.isPlaying || this.engine.toggle(),
      f: () => this.flip(),
      m: () => {
        this.moveInput.focus();
        this.moveInput.select();
      },
      a: () => this.hand.choose("A"),
      w: () => this.hand.choose("W"),
      s: () => this.hand.finish(),
    };
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const { target } = event;
    const isIn = (selector) => target.closest?.(selector);
    const isText = isIn("input, textarea") && !(target === this.moveInput && target.value === "" && name.length > 1);
    const isOwn = (isText && name !== "Escape") || (isIn("select") && !Object.hasOwn(steps, name) && name !== "Escape");
    if (Object.hasOwn(actions, name) && !isOwn && actions[name]() !== false) {
      event.preventDefault();
    }
  }
}

const app = new AnalysisBoard();

addEventListener("keydown", (event) => {
  // Behind a dialog nothing happens, wherever the focus is.
  if (!document.querySelector("dialog") && !event.altKey && !event.ctrlKey && !event.metaKey && app.tree) {
    app.key(event);
  }
});

narrow.addEventListener("change", () => app.tree && app.redraw());
for (const [kind, isPressed] of [["pointerdown", true], ["pointerup", false], ["pointercancel", false]]) {
  // A list that opens does not tell when it is released.
  addEventListener(kind, ({ target }) => { app.isPressed = isPressed && !target.closest?.("select"); }, true);
}
/** A file that is dropped on the page, or a text that is pasted where nothing is typed, is to be opened. */
const mayOpen = () => app.tree && !document.querySelector("dialog[open]");
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  const { files } = event.dataTransfer;
  if (files.length > 0 && !event.target.closest?.("dialog")) {
    event.preventDefault();
    if (mayOpen()) {
      openFileDialog(app, { files });
    }
  }
});
addEventListener("paste", (event) => {
  const pasted = event.clipboardData.getData("text");
  if (pasted && mayOpen() && !event.target.closest?.("input, textarea")) {
    event.preventDefault();
    openFileDialog(app, { pasted });
  }
});
addEventListener("pagehide", () => app.tree && app.keep());
document.addEventListener("visibilitychange", () => app.tree && document.hidden && app.keep());

/** Before the tab is closed: what has not been saved is asked about. */
addEventListener("beforeunload", (event) => {
  if ((app.tree && app.hasUnsaved) || [...document.querySelectorAll("dialog")].some(({ isTouched }) => isTouched)) {
    event.preventDefault();
  }
});

let opening = null;

function open() {
  opening ??= app.open().catch((error) => {
    document.querySelectorAll("main").forEach((old) => old.remove());
    document.body.append(make("main", {}, make("section", { class: "panel" }, make("h1", {}, "Vato"), make("p", { role: "alert" }, error.message))));
  }).finally(() => { opening = null; });
}

server.changed = () => {
  if (app.tree) {
    app.connection();
  } else if (!server.trouble) {
    open();
  }
};
open();
