/* What is on the page of the analysis board: its parts, and what they show of the state that app.js keeps. */

/** The marks that a move can be given. */
const SIGNS = ["", "!!", "!", "!?", "?!", "?", "??"];

/** Pictures of buttons, drawn as lines in a square of 24. */
const ICONS = {
  "play-engine": "M8 5l11 7-11 7z", "new-game": "M12 5v14M5 12h14", "set-up": "M4 4h16v16H4zM4 12h16M12 4v16", open: "M3 19V5h6l2 3h10v11z",
  save: "M12 4v11m-4-4l4 4 4-4M4 20h16", keys: "M3 6h18v12H3zM7 10h1m3 0h1m3 0h1M7 14h10",
  settings: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3m0 12v3M3 12h3m12 0h3M5.6 5.6l2.2 2.2m8.4 8.4l2.2 2.2m0-12.8l-2.2 2.2m-8.4 8.4l-2.2 2.2",
  "my-games": "M4 6h2m3 0h11M4 12h2m3 0h11M4 18h2m3 0h11", first: "M17 6l-6 6 6 6M7 6v12", back: "M15 6l-6 6 6 6", forward: "M9 6l6 6-6 6", last: "M7 6l6 6-6 6m10-12v12",
  hint: "M9 18h6m-5 3h4M9 15c0-2-3-3-3-6.5a6 6 0 0 1 12 0c0 3.5-3 4.5-3 6.5z", puzzles: "M4 8h4a2.5 2.5 0 1 1 5 0h5v5a2.5 2.5 0 1 1 0 4v3H4z",
  flip: "M8 4v15m-4-4l4 4 4-4m4 5V5m-4 4l4-4 4 4", replay: "M4.5 9A8 8 0 1 1 4 13M4 4v5h5",
  rules: "M12 6C10 4 7 4 4 4v14c3 0 6 0 8 2 2-2 5-2 8-2V4c-3 0-6 0-8 2zM12 6v14",
  analysis: "M4 4v16h16M8 15l4-5 3 3 5-7", "take-back": "M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4", "offer-draw": "M5 5l2-1v7M5 20L19 4M14 15a2.3 2.3 0 1 1 4.2 1.5L14 21h5", resign: "M6 21V4h12l-3 4 3 4H6",
  "change-level": "M4 8h8m4 0h4M4 16h4m4 0h8M12 8a2 2 0 1 0 4 0 2 2 0 0 0-4 0zM8 16a2 2 0 1 0 4 0 2 2 0 0 0-4 0z", more: "M5 12h.1m6.9 0h.1m6.9 0h.1", notes: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3", typing: "M4 6h16M12 6v13", proof: "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM8.5 12l2.5 2.5 4.5-5", arrows: "M5 19L19 5m-8 0h8v8",
};
ICONS["agree-draw"] = ICONS["offer-draw"];

/** Whether stones that can move are marked. */
const areMovableShown = () => stored.get("movable-marks") !== "off";

/** Whether a wide board is shown upright: where somebody wants it, or in a narrow, high window. */
let upright = stored.get("upright") ?? "auto";
const highWindow = matchMedia("(max-width: 37.5em) and (max-aspect-ratio: 3/5)");
const isUpright = ({ columns, rows }) => columns > rows && (upright === "on" || (upright !== "off" && highWindow.matches));

/** Where all else stands that is not the board: beside it in a column ("beside"), there with the menu in a low window ("low"), or below it
    ("column"), whichever leaves the board the most room; and whether what is told of a position has room below a board with a column beside it.
    All is counted in sizes of the text (rem), with what style.css gives the others there: their width beside the board (`side`), their height
    above and below it (`others`, 18.5 with what is told below). `shape` is the width of the board by its height. */
function arrangement(shape) {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const [width, height] = [innerWidth / rem, innerHeight / rem];
  const side = height < 34 ? 14.5 : 3 + Math.min(Math.max(18, width / 4), 30);
  const beside = (others) => Math.min(width - side, (height - others) * shape);
  const column = Math.min(width - 1, Math.max(height - (width > 40 ? 26 : 14.5), 6) * shape);
  if (column > beside(height < 34 ? 2.6 : 7) && (width * 5 < height * 6 || width - side < 10)) {
    return { kind: "column", isBelow: false };
  }
  const isBelow = height >= 34 && shape > 1.6 && beside(18.5) > Math.max(0.85 * beside(7), 20);
  return { kind: height < 34 ? "low" : "beside", isBelow };
}

const icon = (name) => svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

/** The start of the standard game, without its counters. */
const STANDARD_START = "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w ";

/** The steps through a game and what is seen of them; and what can be done with it. */
const STEPS = [
  ["first", (app) => app.go(app.tree.root)], ["back", (app) => app.back()], ["forward", (app) => app.forward()], ["last", (app) => app.go(app.tree.line(app.node).at(-1))],
  ["replay", (app) => app.view.replay()], ["flip", (app) => app.flip()],
];
const TOOLS = [["new-game", newGameDialog], ["set-up", setUpDialog], ["open", openFileDialog], ["save", saveDialog], ["proof", proofDialog], ["keys", helpDialog]];

class PageView {
  constructor(app) {
    this.app = app;
    /** What is the matter with the server, as long as it is. */
    this.alarm = make("p", { class: "problem alarm", role: "alert" });
    this.clocks = {};
    this.explorer = new ExplorerPanel(app);
    this.tabs = new Tabs(() => {
      this.explorer.show();
      this.moves.show(app.node);
      this.showNext();
    });
    /** What is open below the moves, although it is seldom needed. */
    this.open = { notes: stored.get("notes") === "open", typing: stored.get("typing") === "open" };
    this.isBetterSeen = false;
    /** Whether nobody has chosen anything here before, and whether nothing has begun since. */
    this.isNew = this.isIdle = stored.get("welcomed") === null;
    /** The game that goes on, among one's own, until something has begun. */
    this.waiting = null;
  }

  /** Announces something, for those who hear the page and for those who see it. */
  say(text, isProblem = false) {
    if (this.message) {
      // What an exercise asks or answers stays.
      writeMoves(this.message, text || this.app.exercise?.words || "");
      this.message.classList.toggle("problem", isProblem);
    }
  }

  /** Announces what can be seen anyway. */
  whisper(text) {
    const { node, tree, isPlaying, exercise, opponent } = this.app;
    const isAtStart = node === tree.root && !isPlaying && !endOf(this.app);
    const hasPassed = node.turn?.path.length === 0;
    const isVela = isPlaying && !exercise && tree.isVela;
    const passes = !isPlaying && node.known?.passes && node.children.length === 0;
    this.say(exercise ? exercise.words : passes ? t("only-pass") : isPlaying && opponent.isOffered && opponent.mayMove(node) ? t("draw-offered") : node.judged && !isPlaying && this.kind !== "beside" ? judgedText(tree, node) : tree.reviewOf(node, true)?.isClean && !isPlaying ? t(opponent ? "review-clean-own" : "review-clean") : hasPassed ? t("has-passed") : isVela ? named(t("rules-vela"), t("vela-how")) : isAtStart && node.children.length === 0 ? t(this.app.isFirst ? "how-to-first" : matchMedia("(pointer: coarse)").matches ? "how-to-touch" : "how-to-begin") : "");
    this.announcement.textContent = text;
  }

  showAlarm() {
    this.alarm.textContent = troubleText();
    document.body.prepend(this.alarm);
  }

  /** Draws the page anew, with what is being typed. The focus stays at the same place. */
  redraw() {
    const focused = document.querySelector(":is(header, main) :focus-visible");
    const part = focused?.closest("header, main").tagName;
    const places = [];
    for (let at = focused; part && at.tagName !== part; at = at.parentElement) {
      places.unshift([...at.parentElement.children].indexOf(at));
    }
    const { message } = this;
    const isTranslated = document.documentElement.lang !== code();
    this.draw();
    this.show();
    if (!this.app.exercise && (isTranslated || !message?.textContent)) {
      this.whisper("");
    }
    // What was said stays, if nothing else can be said.
    if (message && !this.message.textContent) {
      this.message.replaceWith(message);
      this.message = message;
    }
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
    if (focused?.disabled || focused?.checkVisibility() === false || document.activeElement === document.body) {
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
    const { app } = this;
    document.documentElement.lang = code();
    document.title = t("title");
    const { columns, rows } = app.tree;
    this.#measure();
    this.board = new Board({
      columns, rows,
      onPick: (point) => app.hand.pick(point),
      onHold: (point) => app.hand.hold(point),
      onDrop: (_, to) => app.hand.drop(to),
      onStep: (captured) => {
        playStep(captured);
        this.#showCounts();
      },
    });
    this.message = make("p", { class: "message", role: "status", "aria-live": "polite", click: () => this.seeBetter(!this.isBetterSeen) });
    this.question = make("div", { class: "row center question", hidden: true, role: "group", "aria-label": t("choose") });
    this.stopButton = make("button", { type: "button", id: "stop-here", hidden: true, click: () => app.hand.finish() }, t("stop-here"), " ", make("kbd", {}, "S"));
    this.announcement = make("p", { class: "hidden", role: "status", "aria-live": "polite" });
    this.here = make("p", { class: "here" });
    this.opening = make("p", { class: "muted small opening" });
    this.verdict = make("p", { class: "verdict" });
    this.moves = new MoveList((node) => app.go(node));
    this.playerParts = { w: this.#player("w"), b: this.#player("b") };
    const hintButton = this.#tool("hint", () => app.hint.press());
    // At the board, or above and below the moves.
    [this.top, this.bottom, this.first, this.last] = Array.from({ length: 4 }, () => make("div", { class: "seats" }));
    this.playControls = make("div", { class: "row center" });
    const control = (key, act) => make("button", { type: "button", click: act }, t(key));
    this.levelButton = this.#tool("change-level", levelDialog);
    this.whilePlaying = [this.#tool("take-back", () => app.takeBack()), this.levelButton, this.drawButton = this.#tool("offer-draw", () => app.opponent.offerDraw()),
      this.agreeButton = carefulButton("agree-draw", () => app.opponent.offerDraw()), this.sendButton = control("send-move", () => sendDialog(app)),
      carefulButton("resign", () => app.opponent.resign())];
    this.sendButton.className = "primary";
    this.afterwards = [
      control("review", () => app.review.start()), control("rematch", () => app.rematch()),
      this.offerButton = control("", () => {
        const { level } = app.opponent.offer;
        stored.set("level", level);
        app.rematch(false, level);
      }),
      this.velaButton = control("", () => app.rematch(true)), control("another-game", () => playDialog(app)), this.sendEndButton = control("send-end", () => sendDialog(app)),
    ];
    this.velaButton.setAttribute("aria-describedby", "vela-is");
    this.velaPart = make("p", { class: "muted small", id: "vela-is", title: t("vela-how") }, t("vela-is"));
    this.velaButton.title = t("vela-how");
    this.proofPart = make("p", { class: "proven center", role: "status" });
    this.hintButton = hintButton;
    this.nextButton = make("button", { type: "button", class: "primary next", hidden: true, click: () => this.next.click() });
    this.rematchButton = make("button", { type: "button", class: "next", hidden: true, click: () => app.rematch() }, t("rematch"));
    this.movesPart = make("section", { class: "panel movespanel" },
      make("div", { class: "moveshead" }, make("h2", {}, t("moves")), this.here), this.opening, fileControls(app), this.moves.element);
    const unfolded = this.#tools();
    // The engine is drawn with the bar, which stands beside the board.
    const parts = [["game", [this.proofPart, this.playControls, this.velaPart]], ["exercise", app.exercise?.draw()], ["moves"], ["engine", app.engine.draw()], ["review", app.engine.reviewPart], ["explorer", this.explorer.draw()]];
    this.said = make("div", { class: "row center hint" }, this.verdict, this.message, app.hint.draw(hintButton), this.question, this.stopButton);
    const tabs = this.tabs.draw(t("tabs"), parts);
    // Below the board in a game, where there is room. Their numbers are told elsewhere.
    this.gone = make("div", { class: "gone", "aria-hidden": "true" }, make("div"), make("div"));
    const main = this.main = make("main", { class: "analysis" },
      make("section", { class: "panel boardpanel", "aria-label": t("board") },
        this.top, make("div", { class: "boardcell" }, make("div", { class: "boardrow" }, app.engine.bar, this.board.element)), this.bottom,
        app.exercise ? app.exercise.drawTask(this.said) : [this.said, this.gone], this.announcement),
      this.side = make("div", { class: "side" }, this.first, this.#welcome(), this.movesPart, tabs,
        this.tabs.own, this.controlPart = make("section", { class: "panel controlpanel", "aria-label": t("controls") },
          make("div", { class: "controls" }, STEPS.map(([key, act]) => this.#iconButton(key, () => act(app))), hintButton, this.nextButton, this.rematchButton, this.#iconButton("more", () => moreDialog(app))), app.engine.strip.element),
        this.last));
    this.movesPart.append(...unfolded);
    document.querySelectorAll("header, main").forEach((old) => old.remove());
    this.header = this.#header();
    document.body.append(this.header, main);
    this.turn();
    this.moves.draw(app.tree);
    this.showAlarm();
  }

  /** Turns the board as it is to be seen, and what stands around it. */
  turn() {
    const { engine, isFlipped, tree } = this.app;
    const isTurned = isUpright(tree);
    this.board.flip(isFlipped, isTurned);
    engine.flip(isFlipped);
    this.main.classList.toggle("upright", isTurned);
    this.main.style.setProperty("--shape", this.#measure());
    this.#arrange();
    this.showPlayers();
  }

  /** What has room where. The shape of the board as it is seen. */
  #measure() {
    const { columns, rows } = this.app.tree;
    const [across, down] = isUpright(this.app.tree) ? [rows, columns] : [columns, rows];
    const shape = (across + 0.6) / (down + 0.6);
    Object.assign(this, arrangement(shape));
    return shape;
  }

  /** The window has another size. */
  resized() {
    const { kind, isBelow, main } = this;
    const isTurned = main.classList.contains("upright");
    this.turn();
    if (this.kind !== kind || this.isBelow !== isBelow || main.classList.contains("upright") !== isTurned) {
      this.show();
    }
  }

  /** Puts the parts where they stand in a window of this size. */
  #arrange() {
    const { app, kind, isBelow, main, side, header, said, gone } = this;
    const focused = document.activeElement;
    ["beside", "low", "column"].forEach((name) => main.classList.toggle(name, name === kind));
    main.classList.toggle("below", isBelow);
    const put = (part, place, before) => part.parentElement === place || place.insertBefore(part, before);
    const isLow = kind === "low";
    put(header, isLow ? side : document.body, isLow ? side.firstChild : main);
    const { exercise } = app;
    const box = exercise?.box ?? said;
    const isAtBoard = exercise ? kind === "column" || isBelow : !isLow;
    put(box, isAtBoard ? main.firstChild : side, isAtBoard ? (exercise ? null : gone) : this.first);
    exercise && put(exercise.turns, isBelow ? box : main.querySelector(".exercise"), isBelow ? null : main.querySelector(".exercise").firstChild);
    focused?.isConnected && focused !== document.activeElement && focused.focus();
  }

  #iconButton(name, act) {
    return make("button", { type: "button", class: name, "aria-label": t(name), title: t(name), click: act }, icon(name));
  }

  #tool(key, act) {
    return make("button", { type: "button", id: key, class: "tool", title: t(key), click: () => act(this.app) }, icon(key), make("span", {}, t(key)));
  }

  #header() {
    const { menu } = this;
    const [settings, ...tools] = [["settings", settingsDialog], ["play-engine", playDialog], ["puzzles", (app) => Puzzles.begin(app)], ["rules", rulesDialog], ["analysis", (app) => (app.isPlaying ? this.say(t("analysis-later")) : this.#choose(() => app.engine.toggle()))], ["my-games", ownGamesDialog]]
      .map(([key, act]) => this.#tool(key, act));
    tools[0].classList.add("primary");
    const more = this.#tool("more", () => {
      menu.style.left = `${more.getBoundingClientRect().left}px`;
    });
    more.setAttribute("popovertarget", "menu");
    return make("header", {}, make("h1", {}, "Vato"), make("nav", { class: "row", "aria-label": t("menu") }, tools, more, menu, settings));
  }

  #player(side) {
    const clock = this.clocks[side] = make("span", { class: "clock", role: "timer", hidden: true });
    // The number of its stones stands on one of them.
    const [count, name, thinking, seconds] = [side === "b" ? "count dot dark" : "count dot", "name", "thinking muted", "thinking muted"].map((kind) => make("span", { class: kind }));
    const element = make("div", { class: "player" }, count, name, thinking, seconds, clock);
    return { element, name, count, thinking, seconds };
  }

  showPlayers() {
    const { app } = this;
    ["w", "b"].forEach((side, place) => {
      const part = this.playerParts[side].name;
      part.textContent = part.title = shownName(app, place);
    });
    const [below, above] = (app.isFlipped ? ["b", "w"] : ["w", "b"]).map((side) => this.playerParts[side].element);
    // Each where its side of the board is, or in the column beside it. An exercise says itself whose turn it is.
    const isBeside = this.kind === "beside";
    const seats = isBeside ? (app.exercise ? [[], [], [], [], [below, above]] : [[], [], [above], [below]]) : this.kind === "low" || isUpright(app.tree) ? [[below, above], [], [], []] : [[above], [below], [], []];
    const places = [this.top, this.bottom, this.first, this.last, app.exercise?.sides];
    seats.forEach((players, at) => places[at].replaceChildren(...players));
    // How a game against Vato has ended stands where one goes on.
    (isBeside && app.opponent && !app.exercise ? this.playControls : this.message).before(this.verdict);
    app.opponent?.showClocks();
  }

  /** Shows for how many seconds a side has been thinking; nothing when it is not. */
  showThinking(side, seconds = null) {
    this.playerParts[side].thinking.textContent = seconds === null ? "" : t("thinking");
    this.playerParts[side].seconds.textContent = seconds === null ? "" : t("seconds", fixed(seconds));
  }

  /** What is seldom needed is in a menu; of it a move as text, comment and marks of the move, and what can be done with its variation, open below the moves. */
  #tools() {
    const { app } = this;
    const typedBefore = this.moveInput?.value ?? "";
    this.moveInput = make("input", { type: "text", id: "move", maxlength: 200, size: 14, spellcheck: "false", autocomplete: "off", placeholder: "d2-e3A", "aria-label": t("typing") });
    this.moveInput.value = typedBefore;
    const typed = make("form", { class: "typed", submit: (event) => {
      event.preventDefault();
      app.playTyped();
    } }, this.moveInput, make("button", { type: "submit" }, t("play-move")));
    this.comment = make("textarea", { rows: 2, "aria-label": t("comment"), placeholder: t("comment"), input: () => app.comment(tidied(this.comment.value)), blur: () => { this.comment.value = tidied(this.comment.value); } });
    this.mark = make("select", { "aria-label": t("mark"), title: t("mark"), change: () => {
      leave(this.mark);
      app.mark(this.mark.value);
    } }, SIGNS.map((sign) => make("option", { value: sign }, sign || "–")));
    this.promoteButton = make("button", { type: "button", click: () => app.promote() }, t("promote"));
    this.removeButton = carefulButton("remove", () => app.remove());
    const notes = make("div", { class: "notes" }, this.comment, make("div", { class: "row" }, this.mark, this.promoteButton, this.removeButton));
    const toggles = [["notes", "notes", notes], ["typing", "typing", typed]].map(([name, key, part]) => {
      const button = this.#tool(key, () => this.unfold(name, !this.open[name]));
      this.open[name] ||= name === "typing" && typedBefore !== "";
      return { name, part, button };
    });
    this.folded = toggles;
    this.menu = make("div", { popover: "auto", id: "menu", class: "items" }, toggles.map(({ button }) => button), TOOLS.map(([key, act]) => this.#tool(key, act)));
    // It is closed before what is chosen begins: the focus comes back to where it was opened.
    this.menu.addEventListener("click", () => this.menu.hidePopover(), true);
    return [notes, typed];
  }

  /** What is offered to who is here for the first time, or has left a game, until something has begun or it is closed. */
  #welcome() {
    if (this.waiting) {
      const { app, waiting } = this;
      const close = make("button", { type: "button", class: "close", "aria-label": t("close"), click: () => this.#putOff() }, "×");
      const go = make("button", { type: "button", class: "primary", click: () => {
        // As it is by now.
        const game = ownGames().find(({ opponent: { id } }) => id === waiting.opponent.id);
        game ? app.attempt(() => app.resume(game)) : this.#putOff();
      } }, t("continue"));
      return this.welcome = make("section", { class: "panel welcome", "aria-label": t("game-waits") }, make("h2", {}, t("game-waits")), close, make("p", {}, aboutGame(waiting)), go);
    }
    const offer = (key, act) => make("button", { type: "button", class: key, click: () => act(this.app) }, t(key));
    const [game, level, close] = [offer("play-beginner", beginnerGame), offer("choose-level", playDialog), offer("close", () => this.#choose(() => {}, true))];
    const rules = offer("learn-rules", (app) => {
      rulesDialog(app);
      standOut(game);
    });
    // Who has seen the rules may play.
    const standOut = (one) => [rules, game].forEach((button) => button.classList.toggle("primary", button === one));
    standOut(stored.get("rulebook") === null ? rules : game);
    close.setAttribute("aria-label", t("close"));
    close.textContent = "×";
    return this.welcome = make("section", { class: "panel welcome", "aria-label": "Fanorona" }, make("h2", {}, "Fanorona"), close, make("p", {}, t("welcome")), rules, make("div", { class: "row" }, game, level));
  }

  /** Somebody has made the first choice, with which nothing may have begun yet (`isIdle`). */
  welcomed(isIdle = false) {
    this.isNew = false;
    this.isIdle &&= isIdle;
    stored.set("welcomed", "yes");
  }

  /** The game that waits is for later. */
  #putOff() {
    this.waiting = null;
    this.show();
  }

  #choose(act, isIdle = false) {
    this.welcomed(isIdle);
    this.show();
    act(this.app);
  }

  /** Opens or closes a part below the moves. */
  unfold(name, isOpen) {
    this.open[name] = isOpen;
    stored.set(name, isOpen ? "open" : "closed");
    // It stands behind the welcome, or behind a tab.
    isOpen && this.isNew && this.welcomed(true);
    this.show();
    if (isOpen) {
      this.tabs.choose("moves");
      const { part } = this.folded.find((folded) => folded.name === name);
      part.querySelector("input, textarea").focus();
    }
  }

  #showFolded() {
    for (const { name, part, button } of this.folded) {
      // A game in progress has no notes.
      button.hidden = name === "notes" && this.app.isPlaying;
      part.hidden = button.hidden || !this.open[name];
      button.setAttribute("aria-expanded", String(this.open[name]));
    }
  }

  show() {
    const { app } = this;
    const { node, tree, isPlaying, opponent } = app;
    const focused = document.querySelector("main :focus-visible");
    this.showBoard();
    this.moves.show(node);
    const end = endOf(app);
    this.here.textContent = end ? "" : isPlaying && !app.exercise && !opponent.isForTwo && opponent.mayMove(node) ? t("your-move") : stateOf(app);
    const opening = openingOf(app);
    this.opening.textContent = opening ? named(t("opening"), opening) : "";
    const { exercise } = app;
    const parts = isPlaying ? [] : ["engine", app.review.isOpen && "review", (app.start.games > 0 || this.kind !== "low") && "explorer"];
    if (this.isIdle && (opponent || !tree.isEmpty)) {
      this.welcomed();
    }
    if (opponent || !tree.isEmpty || app.file) {
      this.waiting = null;
    }
    this.welcome.hidden = !this.isNew && !this.waiting;
    const areMovesATab = this.kind === "low" && !(isPlaying && !exercise);
    // An exercise has no moves at first.
    this.movesPart.hidden = Boolean(exercise) && tree.root.children.length === 0 && !this.open.typing;
    // Below a board beside the column stands what is told of the position, or the task of an exercise; the game is in the column.
    const isApart = this.isBelow && !exercise;
    this.tabs.show([exercise ? "exercise" : opponent && "game", ...parts, areMovesATab && !this.movesPart.hidden && "moves"].filter(Boolean), isApart);
    if (isApart !== (this.tabs.element.parentElement === this.main)) {
      isApart ? this.main.firstChild.after(this.tabs.element) : this.controlPart.before(this.tabs.element);
    }
    const place = areMovesATab ? document.getElementById("part-moves") : this.welcome.parentElement;
    if (this.movesPart.parentElement !== place) {
      areMovesATab ? place.append(this.movesPart) : this.welcome.after(this.movesPart);
      this.moves.show(node);
    }
    this.explorer.show();
    const hints = end && node === opponent?.node && opponent.hints;
    // Of an exercise its message says enough.
    const verdict = end && !exercise ? [end.words, hints && t(hints === 1 ? "one-hint" : "some-hints", hints)].filter(Boolean).join(" · ") : "";
    if (this.verdict.textContent !== verdict) {
      const winners = !verdict ? [] : { "1-0": ["dot"], "0-1": ["dot dark"] }[end.result] ?? ["dot", "dot dark"];
      this.verdict.classList.remove("fresh");
      const winner = winnerOf(end?.result);
      this.verdict.classList.toggle("won", winner !== undefined && winner === opponent?.person);
      this.verdict.replaceChildren(...winners.map((dot) => make("span", { class: dot })), verdict);
    }
    const comment = node.parent ? node.comment : tree.introduction;
    // While it is being typed it may end with a space.
    if (tidied(this.comment.value) !== comment) {
      this.comment.value = comment;
    }
    this.mark.value = node.marks.find((mark) => SIGNS.includes(mark)) ?? "";
    this.mark.disabled = !node.parent;
    this.promoteButton.disabled = !tree.mayPromote(node);
    this.removeButton.disabled = !tree.mayRemove(node);
    this.removeButton.reset();
    this.#showFolded();
    const [playing, puzzles, analysis] = ["play-engine", "puzzles", "analysis"].map((name) => document.getElementById(name));
    // It says why it does nothing.
    analysis.setAttribute("aria-disabled", String(isPlaying));
    analysis.title = t(isPlaying ? "analysis-later" : "analysis");
    for (const [tool, isHere] of [[playing, opponent && !exercise], [puzzles, exercise?.series instanceof Puzzles]]) {
      isHere ? tool.setAttribute("aria-current", "true") : tool.removeAttribute("aria-current");
    }
    this.whilePlaying[0].disabled = !opponent?.lastMove;
    // One action stands out: on the first visit, and during a game and after it, not this one.
    playing.classList.toggle("primary", !opponent && !this.isNew);
    const controls = exercise || !opponent ? [] : isPlaying ? this.whilePlaying : this.afterwards;
    // Before the first move there is nothing to take back.
    // The proof is what it is, and a draw is what it is about.
    const isProof = opponent?.level === PERFECT_LEVEL;
    const { isOfPeople = false, isByLink, isOffered, isSent } = opponent ?? {};
    this.levelButton.hidden = isProof || isOfPeople || tree.root.children.length > 0;
    this.agreeButton.hidden = !isOfPeople || (isByLink && !isOffered);
    this.drawButton.hidden = isProof || !this.agreeButton.hidden;
    this.sendButton.hidden = !isByLink || opponent.mayMove(opponent.node);
    this.sendEndButton.hidden = !isByLink || isSent;
    this.whilePlaying[0].hidden = tree.root.children.length === 0;
    // Who has lost a standard game from the start, where one point is empty, may have the vela.
    this.velaButton.hidden = tree.rules !== "tsivy" || !tree.start.startsWith(STANDARD_START) || !/^(1-0|0-1)$/.test(tree.result);
    const offer = controls === this.afterwards ? (opponent.offer ??= { level: betterLevel(app) }) : {};
    this.offerButton.hidden = !isKnown(offer.level);
    this.offerButton.textContent = t(offer.level > opponent?.level ? "next-level" : "easier-level", offer.level);
    this.offerButton.title = isKnown(offer.level) ? vatoName(offer.level) : "";
    this.velaPart.hidden = this.velaButton.hidden || controls !== this.afterwards || app.review.isOpen;
    this.velaButton.textContent = t(winnerOf(tree.result) === opponent?.person ? "grant-vela" : "ask-vela");
    this.main.classList.toggle("playing", controls === this.whilePlaying);
    this.playControls.classList.toggle("ended", controls === this.afterwards);
    if (this.playControls.firstChild !== (controls[0] ?? null)) {
      this.playControls.replaceChildren(...controls);
    }
    exercise?.show();
    this.proofPart.textContent = isProof && !exercise && node.known ? proofText(app) : "";
    app.review.show();
    this.showNext();
    if (focused) {
      this.#keepFocus(focused);
    }
    document.querySelector("dialog")?.renew?.();
  }

  /** Of what can be done after a game, the first one stands out, unless there is something to learn from it. */
  showAfterwards() {
    const first = this.main?.querySelector(".row.learn") ? null : this.afterwards.find(({ hidden }) => !hidden);
    this.afterwards.forEach((button) => button.classList.toggle("primary", button === first));
  }

  /** What stands out in the part that is seen, else in another one, stands in small windows where a hint is asked for otherwise. */
  showNext() {
    const all = [...this.main?.querySelectorAll(".dock .primary") ?? []].filter((button) => !button.closest("[hidden]:not(.part)"));
    const { isPlaying, review, exercise } = this.app;
    this.next = (isPlaying && !exercise && this.sendButton.hidden) || review.isRunning ? null : all.find((button) => !button.closest(".part").hidden) ?? all[0];
    if (this.main) {
      this.nextButton.hidden = !this.next;
      this.nextButton.textContent = this.next?.textContent ?? t("review");
      this.rematchButton.hidden = !this.next || this.next !== this.afterwards[0];
    }
  }

  /** The game has just ended: its result appears, and the stones of a person who has won rise. */
  celebrate() {
    const { opponent, tree, node } = this.app;
    // What follows is in sight.
    this.tabs.choose("game");
    this.verdict.classList.toggle("fresh", stepTime() > 0);
    const winner = winnerOf(tree.result);
    if (winner && winner === (opponent?.person ?? winner)) {
      this.board.celebrate(winner === "w" ? "white" : "black", node.turn?.path.at(-1));
    }
  }

  showBoard() {
    const { hand, node, tree, engine, hint, isPlaying, exercise } = this.app;
    const made = hand.made;
    const better = this.#better;
    const stones = better ? node.parent.stones : made ? Board.play(node.stones, made, tree.columns) : node.stones;
    const count = (colour) => fixed([...stones].filter((stone) => stone === colour).length);
    const colours = { w: t("white"), b: t("black"), ".": t("empty") };
    const targets = hand.targets;
    const movable = (hand.known?.stones ?? []).map(({ from }) => from);
    const describe = (point) => {
      const more = hand.at === point ? t("in-hand") : targets.includes(point) ? t("target") : !hand.from && movable.includes(point) ? t("movable") : "";
      return [point, colours[tree.stoneOn(stones, point)], more].filter(Boolean).join(", ");
    };
    const hadFocus = this.board.element.contains(document.activeElement);
    const isOver = Boolean(endOf(this.app));
    this.board.show({
      stones, describe, marked: targets, chosen: hand.going ?? hand.at ?? hint.stone, pending: hand.pending, letters: hand.letters, previews: hand.previews,
      movable: !hint.stone && areMovableShown() && this.#isToMove && !hand.at && !isOver && hint.arrows.length === 0 ? movable : [],
      last: made ?? (node.turn && hint.arrows.length === 0 && !better ? { ...node.turn, ...judgedAs(node) } : null),
      arrows: made || hand.going ? [] : this.#arrows,
      label: `${stateOf(this.app)}. ${t("stones", count("w"), count("b"))}`,
    });
    for (const [side, part] of Object.entries(this.playerParts)) {
      part.element.classList.toggle("turn", tree.whiteMoves(node.ply) === (side === "w") && !isOver);
    }
    this.#showCounts();
    document.getElementById("analysis").setAttribute("aria-pressed", String(engine.isOn));
    hint.show();
    this.#showQuestion(hadFocus);
  }

  /** The stones of both sides, as far as the turn that led here has been seen, and those that are gone: first what the person has taken. */
  #showCounts() {
    const { tree, opponent } = this.app;
    const count = (stones, side) => [...stones].filter((stone) => stone === side).length;
    (opponent?.person === "b" ? ["w", "b"] : ["b", "w"]).forEach((side, at) => {
      const [part, heap, left] = [this.playerParts[side].count, this.gone.children[at], count(this.board.seen, side)];
      part.textContent = fixed(left);
      part.title = t("stone-count", part.textContent);
      const gone = count(tree.root.stones, side) - left;
      if (heap.dataset.gone !== `${gone}${side}`) {
        heap.dataset.gone = `${gone}${side}`;
        const stones = Array.from({ length: gone }, () => make("span", { class: side === "b" ? "dot dark" : "dot" }));
        heap.replaceChildren(...(gone > 0 ? [make("p", { class: "muted small" }, t(at === 0 ? "stones-taken" : "stones-lost"))] : []), ...stones);
      }
    });
  }

  /** Asks below the board which capture it is to be, and whether the turn ends here. */
  #showQuestion(hadFocus) {
    const { app, question, stopButton } = this;
    const { hand } = app;
    const hadQuestion = question.contains(document.activeElement) || stopButton === document.activeElement;
    const option = (text, key, action) => make("button", { type: "button", click: action }, text, " ", make("kbd", {}, key));
    const options = (hand.choice?.steps ?? []).map((step) => option(hand.inWords(step), step.how, () => hand.step(step)));
    question.hidden = options.length === 0;
    this.message.hidden = options.length > 0;
    question.replaceChildren(...options);
    stopButton.hidden = Boolean(hand.choice) || !hand.turn?.may_end;
    if (hand.choice && hadFocus) {
      options[0].focus();
    } else if (hadQuestion && !hand.choice) {
      this.board.focus(hand.at ?? app.node.turn?.path.at(-1));
    }
  }

  showArrows() {
    if (!this.app.hand.made && !this.app.hand.going) {
      this.board.showArrows(this.#arrows);
    }
  }

  /** Whether a person is about to move: in a game, an exercise, or at the end of moves that are being put in; else one looks at a game. */
  get #isToMove() {
    const { node, tree, engine, isPlaying, exercise, opponent } = this.app;
    return isPlaying ? !exercise?.isOver : !opponent && !engine.isOn && !tree.review && node.children.length === 0;
  }

  /** The best first: a hint, what an exercise asks to be improved, what the engine finds, or what was better than the last move. */
  get #arrows() {
    const { hint, engine, exercise } = this.app;
    const found = [hint.arrows, exercise?.arrows ?? [], engine.arrows].flat();
    return found.length === 0 && this.#better ? [this.#better] : found;
  }

  /** What was better than the last move, which was bad, while it is to be seen. Who takes up a stone plays on from what is there. */
  get #better() {
    const { node, isPlaying, hand } = this.app;
    const word = this.isBetterSeen && node.judged && !isPlaying && !hand.at ? node.parent.found?.words[0] : null;
    return word ? turnOf(word) : null;
  }

  /** Shows it in the position before, as long as one points at the words about it; on a telephone, where those are at the board, until they are touched again. */
  seeBetter(isSeen) {
    if (isSeen !== this.isBetterSeen) {
      this.isBetterSeen = isSeen;
      this.showBoard();
    }
  }

  /** Shows the turn that led here once more. */
  replay() {
    const { node, hand } = this.app;
    if (node.parent && !hand.made) {
      this.board.replay(node.parent.stones);
      this.#showCounts();
    }
  }
}
