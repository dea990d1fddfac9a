/* The state of the analysis board, and how it changes; view.js shows it. */

class AnalysisBoard {
  /** What the server began with, the game, the place in it, and the game against the engine, if there is one. */
  start = null;
  tree = null;
  node = null;
  opponent = null;
  /** The file that the game is from. */
  file = null;
  isFlipped = false;
  #wentTo = 0;
  #keeping = 0;
  /** The game of which was asked whether it may go without being saved. */
  #asked = null;
  #drawing = 0;
  isPressed = false;
  /** Whether there is room to keep the game for when the page is loaded anew, and whether a browser that keeps nothing has been told of. */
  #hasRoom = true;
  #isRefused = false;

  constructor() {
    this.view = new PageView(this);
    this.engine = new EnginePanel(this);
    this.review = new Review(this);
    this.hint = new Hint(this);
    this.hand = new Hand({
      ask: async (turn) => (await this.attempt(() => ask("/position", { place: this.tree.place(this.node), turn })))?.turn,
      play: (word) => this.playOwn(word),
      changed: () => this.view.showBoard(),
      say: (text) => this.view.say(text),
      owns: (point) => isOwnStone(this, point),
      whyNot: (point) => whyNot(this, point),
    });
  }

  get isPlaying() {
    return this.opponent !== null && !this.opponent.isOver;
  }

  /** Whether somebody is about to do something with the position that is shown: in a dialog or the menu, with its note, a typed move, or a stone in hand. */
  get isInUse() {
    return Boolean(this.hand.at || this.view.moveInput.value || document.querySelector("dialog[open], :popover-open, :is(.notes, .typed) :focus"));
  }

  /** The exercise that is shown instead of the game, if there is one. */
  get exercise() {
    return this.opponent instanceof Exercise ? this.opponent : null;
  }

  /** The game with its place, also during an exercise. */
  get game() {
    const { tree, node, opponent, file, isFlipped } = this;
    return this.exercise?.before ?? { tree, node, opponent, file, isFlipped };
  }

  /** Whether something would be lost with the game, or with the other games of its file. */
  get hasUnsaved() {
    const { tree: { isChanged, isEmpty }, file, opponent } = this.game;
    return (isChanged && (!isEmpty || file !== null) && !opponent?.isKept) || Object.values(file?.edits ?? {}).some(({ isChanged }) => isChanged);
  }

  /** Shows what was kept when the page is loaded anew, also by a new address in the same tab; else what the server began with. */
  async open() {
    const secret = takeSecret();
    const was = keptData("game");
    let wrong = null;
    try {
      this.start = await enter(secret || server.token || kept("token") || (stored.get("token") ?? ""));
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
      const { file, pgn, number, rules, start } = this.start.opening;
      this.view.waiting = file === null && !pgn && !server.link ? ownGames().find(({ opponent }) => !opponent.isOver) : null;
      try {
        // What is no plain text is read here, as the files that are opened.
        const text = file === null ? pgn : await textOf(new Blob([Uint8Array.from(file, (byte) => byte.charCodeAt(0))]), this.start.largest);
        await (text === null ? this.begin({ rules, start }) : this.readText({ pgn: text, number }));
      } catch (error) {
        wrong = error;
        await this.begin({ rules, start });
      }
    }
    this.view.showAlarm();
    if (wrong) {
      this.fail(wrong);
    } else if (was && !isThere) {
      this.fail(new Error(t("not-restored")));
    } else if (isThere && !this.game.file && was.file?.count > 1) {
      this.fail(new Error(t("others-not-kept")));
    } else if (isThere && secret) {
      this.view.say(t("still-here"));
    }
    openLinked();
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
      this.view.say(error.message, true);
    }
  }

  /** The server has gone, or is back: what has not been answered is asked again. */
  async connection() {
    const { textContent: before } = this.view.alarm;
    this.view.showAlarm();
    // Nor does a dialog go on saying so.
    [...document.querySelectorAll("dialog .problem")].filter(({ textContent }) => textContent === before).forEach((part) => { part.textContent = ""; });
    if (server.trouble) {
      this.opponent?.stop();
      this.opponent?.showClocks();
      return;
    }
    await this.#resume();
    this.engine.restart();
    this.view.say(this.exercise ? "" : t("connected"));
  }

  /** The server has been started anew: what it has, such as games to explore, may be something else. */
  renew(start) {
    if (this.tree) {
      this.start = start;
      this.view.redraw();
    }
  }

  /** Goes on where the page was. A game against the engine goes on at its end, wherever one looks. */
  async #resume() {
    const { node, tree, tree: { exercise } } = this;
    if (exercise) {
      await (exercise.tasks ? Exercise.begin(this, new Mistakes(exercise)) : Puzzles.begin(this, exercise));
      // Without a server it is begun later.
      tree.exercise = server.trouble && !this.exercise ? exercise : undefined;
    }
    if (tree !== this.tree) {
      return;
    }
    if (this.hand.known) {
      // Nothing has to be asked, and a stone in hand stays there.
      this.isPlaying && this.opponent.begin(node);
      this.view.show();
      return;
    }
    const end = this.isPlaying ? tree.line(tree.root).at(-1) : node;
    await this.go(end);
    if (end !== node && end === this.node) {
      await this.go(node);
    }
  }

  /** Begins a game from a start position, or against the engine. */
  async begin({ rules, start = "", isOwn = false, isChanged = isOwn }, against = null, wait = always) {
    const known = await wait(ask("/position", { place: { rules, start } }));
    this.#leave();
    const names = against && (against.names ?? { [against.person]: t("you"), [against.person === "w" ? "b" : "w"]: vatoName(against.level) });
    const now = new Date();
    const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
    const tags = against ? [["White", names.w], ["Black", names.b], ["Date", date]].filter(([, value]) => value) : [];
    const tree = new GameTree({ rules: known.rules, start: known.fen, tags });
    // A position that somebody has set up is work, too.
    [tree.isOwn, tree.isChanged, tree.root.known] = [isOwn, isChanged, known];
    if (against) {
      this.engine.turnOff();
      this.opponent = new Opponent(this, tree, against);
      this.#face();
    }
    await this.#use(tree);
  }

  /** Goes on with a game against the engine that has been kept, or shows it if it is over. */
  async resume({ data, opponent, known, isOlder = false }, wait = always) {
    const tree = new GameTree(data);
    tree.root.known = await wait(ask("/position", { place: tree.place(tree.root) }));
    this.#leave();
    this.engine.turnOff();
    this.opponent = this.#opponentOf(tree, opponent);
    this.opponent.isKept = true;
    if (known !== undefined) {
      // What the link adds to it is kept, too.
      this.opponent.keptText = ownText(known);
    }
    this.#face();
    await this.#use(tree, this.opponent.node);
    isOlder && this.view.say(t("link-older"));
  }

  /** Turns the board to the person; between two, to who is to move, if it is to be turned. */
  #face() {
    const { person, isTurning, side } = this.opponent;
    this.isFlipped = (person ?? (isTurning ? side : "w")) === "b";
  }

  /** The opponent of a game that has been kept. */
  #opponentOf(tree, state) {
    const opponent = new Opponent(this, tree, state);
    opponent.keptText = ownText(opponent.own);
    return opponent;
  }

  /** Another game against the engine, like the one that is over: under the same rules with colours changed, or the vela, which its
      loser plays as White; perhaps at another level. */
  rematch(isVela = false, level = this.opponent.level) {
    const { opponent, opponent: { person, clock, isForTwo, isOfPeople, isTurning, isByLink }, tree, tree: { start, result } } = this;
    this.keep();
    if (this.hasUnsaved && opponent !== this.#asked) {
      this.#asked = opponent;
      return this.fail(new Error(t("not-saved")));
    }
    const loser = { "1-0": "b", "0-1": "w" }[result];
    // Whose stones are White next: the vela is the loser's.
    const next = isVela ? loser : "b";
    const [w, b] = [next, next === "w" ? "b" : "w"].map((side) => tree.tag(side === "w" ? "White" : "Black"));
    // The vela is not proven.
    const most = isVela ? PERFECT_LEVEL - 1 : PERFECT_LEVEL;
    const against = { person: isForTwo ? null : person === next ? "w" : "b", level: isOfPeople ? null : Math.min(level, most), clock, isTurning, isByLink, names: isOfPeople ? { w, b } : null };
    return this.attempt(() => this.begin(isVela ? { rules: "vela" } : { rules: rulesFor(this, start), start }, against));
  }

  /** Shows an exercise instead of the game. */
  enter(exercise) {
    this.engine.turnOff();
    this.opponent?.stop();
    return this.#exchange({ tree: exercise.tree, node: exercise.root, opponent: exercise, file: null, isFlipped: exercise.person === "b" });
  }

  /** Goes back to the game as it was. */
  async leaveExercise() {
    const { game } = this;
    this.exercise.close();
    await this.#exchange(game);
    // A game against the engine goes on, wherever one looks.
    if (game.node === this.node && this.isPlaying && game.node.children.length > 0) {
      await this.#resume();
    }
  }

  /** Puts a game with its place on the board, and the keyboard's focus with it. */
  #exchange({ tree, node, ...others }) {
    const focused = document.querySelector("main :focus-visible");
    Object.assign(this, others);
    scrollTo(0, 0);
    const going = this.#use(tree, node);
    if (focused) {
      this.view.board.focus();
    }
    return going;
  }

  /** Leaves the game that is shown for another one. */
  #leave() {
    // As it has ended.
    this.opponent && this.keep();
    this.file = null;
    this.game.opponent?.close();
    this.opponent?.close();
    this.opponent = null;
  }

  /** Shows a game of a text, or a position. */
  async readText({ pgn, number, ...more }, wait = always) {
    const { [number - 1]: fen } = fensOf(pgn);
    if (!fen && pgn.length > this.start.largest) {
      throw new Error(t("too-large", megabytes(this.start.largest)));
    }
    await (fen ? this.begin({ rules: rulesFor(this, fen), start: fen, isOwn: true, isChanged: false }, null, wait) : this.read({ pgn, number, ...more }, wait));
  }

  /** Shows a game of a file, and says what of it cannot be read. What is not PGN the server makes PGN of. */
  async read({ pgn, name, number = 1, at = [], isFlipped = this.isFlipped, contest = null }, wait = always) {
    const { pgn: made, games, rest, game, faults, number: found } = await wait(ask("/read", { pgn, number }));
    if (contest) {
      this.opponent && this.keep();
      return this.resume(continued(ownGames(), game, contest), wait);
    }
    const own = made === undefined ? { pgn, name } : { pgn: made, name: name?.replace(/(\.pgn)?$/, ".pgn") };
    const [file, tree] = [new GameFile({ ...own, games, rest, number: found }), new GameTree(game)];
    tree.root.known = await wait(ask("/position", { place: tree.place(tree.root) }));
    // Until it is kept, which takes a while, the game of before is.
    const hasRoom = await file.keep(wait);
    this.#leave();
    [this.file, this.#hasRoom, this.isFlipped] = [file, hasRoom, isFlipped];
    await this.#use(tree, tree.at(at));
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
    this.review.stop();
    this.tree = tree;
    this.node = node;
    this.hand.begin(null);
    if (this.view.moveInput) {
      this.view.moveInput.value = "";
    }
    this.view.redraw();
    return this.go(node);
  }

  /** Sets the comment of the move, or before the first one. */
  comment(said) {
    if (this.node.parent) {
      this.node.comment = said;
    } else {
      this.tree.introduction = said;
    }
    this.tree.isChanged = true;
    this.#drawSoon();
    this.#keepSoon();
  }

  /** Gives the move this mark instead of the one that it has. */
  mark(mark) {
    const others = this.node.marks.filter((sign) => !SIGNS.includes(sign));
    this.node.marks = [mark, ...others].filter(Boolean);
    this.changed();
  }

  promote() {
    const { node, tree, start: { nesting } } = this;
    this.#order(() => tree.promote(node, nesting) || this.fail(new Error(t("too-nested", nesting))));
  }

  /** Adds a turn to the game: none after its end by the rules, nor in variations deeper than they can be saved. */
  #add(from, word) {
    const { tree, start: { nesting } } = this;
    const isOver = from.known?.outcome && !tree.has(from, word);
    if (isOver || !tree.mayAdd(from, word, nesting)) {
      this.hand.putDown();
      this.view.showBoard();
      this.fail(new Error(isOver ? t("is-over") : t("too-nested", nesting)));
      return null;
    }
    return tree.add(from, word);
  }

  /** Removes the move with all that follows it. */
  remove() {
    const { node } = this;
    this.#order(() => {
      const isHere = this.tree.path(this.node).includes(node);
      this.tree.remove(node);
      this.review.removed(node);
      isHere && this.go(node.parent);
    });
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
    this.view.moves.draw(this.tree);
    this.view.showPlayers();
    this.view.show();
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
      this.view.moves.draw(this.tree);
      this.view.moves.show(this.node);
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
    const { tree, node, opponent, file, isFlipped } = this.game;
    if (opponent) {
      opponent.isKept = keepOwnGame(opponent);
    }
    const game = JSON.stringify({
      data: tree.data(), path: tree.places(node), isChanged: tree.isChanged, isEdited: tree.isEdited, isOwn: tree.isOwn, isFlipped,
      opponent: opponent?.state, file: file && { id: file.id, number: file.number, count: file.count }, typed: this.view.moveInput.value,
      exercise: this.exercise?.series.state ?? tree.exercise,
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

  async #restore({ data, path, isChanged, isEdited, isOwn, isFlipped, opponent, file, typed, exercise }) {
    try {
      const tree = new GameTree(data);
      Object.assign(tree, { isChanged, isEdited, isOwn, exercise });
      this.file = file && await GameFile.kept(file);
      this.isFlipped = isFlipped;
      this.opponent = opponent ? this.#opponentOf(tree, opponent) : null;
      this.tree = tree;
      this.node = tree.at(path);
      this.view.draw();
      this.view.moveInput.value = typed;
      this.view.show();
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
    this.view.isBetterSeen = false;
    this.hand.begin(null);
    this.view.show();
    this.engine.restart();
    this.hint.moved();
    this.#keepSoon();
    this.#wentTo += 1;
    const wentTo = this.#wentTo;
    const wasKnown = Boolean(node.known);
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
    this.view.show();
    wasKnown ? this.engine.show() : this.engine.restart();
    this.view.whisper(inWords(this));
    this.#keepSoon();
    if (node.known.passes && node.children.length === 0 && (this.isPlaying ? this.opponent.mayMove(node) : isNew)) {
      this.play("pass");
    }
  }

  back() {
    if (this.hand.turn || this.hand.choice) {
      this.hand.putDown();
      this.view.showBoard();
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
    this.view.turn();
    this.view.showBoard();
  }

  /** Whether somebody is new, and has the start of a game: whoever moves a stone there begins one. */
  get isFirst() {
    const { view, tree, node, file } = this;
    return view.isIdle && !file && node === tree.root && tree.isEmpty && tree.isFromStart;
  }

  /** Plays a turn, with what it captures: `f2-e3A:d4c5`. */
  play(word, from = this.node) {
    const node = this.#add(from, word);
    if (node) {
      this.opponent?.played(node);
      this.#turnToMover();
      this.view.moves.draw(this.tree);
      this.go(node, true);
    }
  }

  /** Between two, the board turns with the turn. */
  #turnToMover() {
    if (this.opponent?.isTurning && !this.opponent.isOver) {
      this.#face();
      this.view.turn();
    }
  }

  /** Plays a turn of the person. */
  playOwn(word) {
    this.isFirst ? beginnerGame(this, word) : this.play(word);
  }

  /** Plays turns of a line, one after the other. */
  playLine(words, from = this.node) {
    const end = words.reduce((node, word) => node && this.#add(node, word), from);
    if (end) {
      this.view.moves.draw(this.tree);
      this.go(end);
    }
  }

  /** Plays what was typed. */
  async playTyped() {
    // As it stands in a game, too: `1. f2-e3A!`, `1… d5-d4A`.
    const text = this.view.moveInput.value.trim().replace(/^\d+[.…]+\s*|[!?]+$/g, "");
    const { known } = this.hand;
    const why = text && whyNoMove(this);
    if (why || !text || !known) {
      this.view.say(why, true);
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
      this.view.moveInput.value = "";
      this.playOwn(answer.turn.word);
    }
  }

  /** The game against the engine is over. */
  ended() {
    this.keep();
    this.view.showPlayers();
    this.view.moves.draw(this.tree);
    this.go(this.opponent.node).then(() => this.view.celebrate());
  }

  /** Takes back the steps of a turn that has begun. */
  putDown() {
    this.hand.putDown();
    this.view.showBoard();
    this.view.say("");
  }

  /** The last move of a person and the engine's reply are taken back, or the steps of a turn that has begun. */
  takeBack() {
    const { opponent, hand } = this;
    // Steps before whole turns.
    if (hand.turn || hand.choice) {
      this.putDown();
      return;
    }
    opponent.takeBack();
    this.#turnToMover();
    this.view.moves.draw(this.tree);
    this.go(opponent.node);
  }
}
