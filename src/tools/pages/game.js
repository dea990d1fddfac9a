/* A game of the report: the board, the moves, the evaluation. */

/** Comments of engines are about as long as this: they stand beside the move, longer ones below it. */
const SHORT_COMMENT = 20;

/** Milliseconds in words. */
const timeText = (time) => (time < 100 ? t("milliseconds", short(time)) : t("seconds", fixed(time / 1000, 2)));

class GameView {
  constructor(game, ply) {
    this.game = game;
    this.turns = wordsOf(game.moves).map(turnOf);
    [this.scores, this.chances, this.depths, this.times, this.losses, this.best] =
      [game.scores, game.chances, game.depths, game.times, game.losses, game.best].map(wordsOf);
    const [, side, , number] = game.start.split(" ");
    this.blackBegins = side === "b";
    this.firstNumber = Number(number ?? 1);
    this.positions = [Board.stonesOf(game.start)];
    for (const turn of this.turns) {
      this.positions.push(Board.play(this.positions[this.positions.length - 1], turn, game.columns));
    }
    this.ply = Math.min(Math.max(ply, 0), this.turns.length);
    /** A line that is looked at instead of the game: `{ ply, turns, at }`, with `at` turns of it played. */
    this.line = null;
    this.board = new Board({ columns: game.columns, rows: this.positions[0].length / game.columns });
    this.board.flip(GameView.flipped);
    this.draw();
  }

  /** Whether Black is below, and whether the best move is drawn: the same for all games. */
  static flipped = false;
  static arrows = true;

  isWhite(ply) {
    return (ply % 2 === 0) !== this.blackBegins;
  }

  /** The number of the move at a ply, as it is written before it. */
  count(ply) {
    const number = this.firstNumber + Math.floor((ply + (this.blackBegins ? 1 : 0)) / 2);
    return this.isWhite(ply) ? `${number}.` : `${number}…`;
  }

  draw() {
    const game = this.game;
    const button = (label, symbol, action) => make("button", { type: "button", "aria-label": label, title: label, click: action }, symbol);
    const toggle = (label, symbol, isOn, action) => {
      const element = button(label, symbol, () => {
        element.setAttribute("aria-pressed", String(action()));
        this.show();
      });
      element.setAttribute("aria-pressed", String(isOn));
      return element;
    };
    const index = DATA.games.indexOf(game);
    const neighbour = (key, other, symbol) => {
      const element = button(t(key), symbol, () => { location.hash = `#game=${other.number}`; });
      element.disabled = !other;
      return element;
    };
    const player = (kind, name, review) => make("div", { class: kind },
      make("div", { class: "name" }, make("span", { class: kind === "black" ? "dot dark" : "dot" }), name),
      review && isKnown(review.accuracy) ? make("div", { class: "muted small" }, `${t("accuracy")} ${percent(review.accuracy / 100)}`) : null);
    this.here = make("div", { class: "here", "aria-live": "polite" });
    this.lines = make("div");
    this.moveList = make("div", { class: "moves", role: "group", "aria-label": t("moves") });
    this.fillMoves();
    const hasBest = this.best.length > 0;
    const key = (...names) => names.map((name) => make("kbd", {}, name)).flatMap((one) => [one, " "]);
    this.element = make("div", {},
      make("div", { class: "gamehead" },
        make("button", { type: "button", click: () => this.leave() }, `← ${t("list")}`),
        make("span", { class: "spread muted" }, t("game-of", fixed(game.number))),
        neighbour("previous-game", DATA.games[index - 1], "‹"),
        neighbour("next-game", DATA.games[index + 1], "›")),
      make("div", { class: "game" },
        make("section", { class: "panel" },
          make("div", { class: "players" }, player("white", game.white, game.review?.[0]),
            make("div", { class: "result" }, game.result), player("black", game.black, game.review?.[1])),
          this.board.element,
          make("div", { class: "controls" },
            button(t("first"), "«", () => this.go(0)),
            button(t("back"), "‹", () => this.step(-1)),
            button(t("forward"), "›", () => this.step(1)),
            button(t("last"), "»", () => this.go(this.turns.length)),
            toggle(t("flip"), "⇅", GameView.flipped, () => {
              GameView.flipped = !GameView.flipped;
              this.board.flip(GameView.flipped);
              return GameView.flipped;
            }),
            hasBest ? toggle(t("best-arrow"), "↗", GameView.arrows, () => (GameView.arrows = !GameView.arrows)) : null),
          this.here, this.lines, this.graph()),
        make("div", {},
          make("section", { class: "panel" }, make("h2", {}, t("moves")),
            game.introduction ? make("p", { class: "small" }, game.introduction) : null,
            this.moveList,
            make("p", {}, make("strong", {}, game.result), ` ${ending(game)}`),
            game.conclusion ? make("p", { class: "small" }, game.conclusion) : null),
          make("details", { class: "panel" }, make("summary", {}, t("about")), this.tags()),
          make("p", { class: "muted small keys" },
            key("←", "→"), t("keys-help"), "; ", key(t("key-home"), t("key-end")), t("keys-ends"), "; ",
            key(t("key-escape")), t("keys-list")))));
  }

  tags() {
    const all = [[t("rules"), this.game.rules], ...this.game.tags];
    return make("dl", { class: "tags" }, all.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  }

  /** The marks of a move as elements. */
  marks(ply) {
    const marks = this.game.notes?.[ply]?.marks ?? [];
    return marks.map((mark) => make("span", { class: `mark ${MARKS[mark] ?? ""}` }, ` ${mark}`));
  }

  fillMoves() {
    const comments = this.turns.map((_, ply) => this.game.notes?.[ply]?.comment ?? "");
    const aside = (ply) => (comments[ply].length <= SHORT_COMMENT ? make("span", { class: "aside" }, comments[ply]) : null);
    this.buttons = this.turns.map((turn, ply) => make("button", {
      type: "button", tabindex: "-1", class: ply < this.game.book ? "book" : null,
      click: () => this.go(ply + 1),
    }, make("span", { class: "score" }, scoreText(this.scores[ply])), turn.text, this.marks(ply), aside(ply)));
    const cells = [];
    this.turns.forEach((_, ply) => {
      if (this.isWhite(ply) || ply === 0) {
        cells.push(make("span", { class: "count" }, this.count(ply)));
      }
      if (ply === 0 && !this.isWhite(ply)) {
        cells.push(make("span"));
      }
      cells.push(this.buttons[ply]);
      if (comments[ply].length > SHORT_COMMENT) {
        if (this.isWhite(ply)) {
          cells.push(make("span"));
        }
        cells.push(make("div", { class: "said" }, comments[ply]));
        if (this.isWhite(ply) && ply + 1 < this.turns.length) {
          cells.push(make("span", { class: "count" }, this.count(ply + 1)), make("span"));
        }
      }
    });
    this.moveList.append(...cells);
  }

  /** The evaluation after each ply: one line, or in a match one of each engine. */
  graph() {
    const { scores, chances, turns, game } = this;
    const heights = chances.length > 0
      ? [[null, ...scores.map(heightOf)]]
      : [true, false].map((white) => [null, ...scores.map((score, ply) => (this.isWhite(ply) === white ? heightOf(score) : null))]);
    if (turns.length === 0 || !heights.flat().some(isKnown)) {
      return null;
    }
    const marks = Object.entries(game.notes ?? {}).map(([ply, note]) => [Number(ply) + 1, note.marks?.[0]]);
    this.chart = new EvaluationGraph((ply) => this.go(ply));
    this.chart.draw(heights, marks);
    const names = heights.length === 1 ? null : legend([game.white, game.black]);
    return make("div", {}, make("h3", {}, t("evaluation")), this.chart.element, names, make("p", { class: "muted small" }, t("evaluation-help")));
  }

  /** Goes to the position after so many plies of the game. */
  go(ply) {
    this.line = null;
    this.ply = Math.min(Math.max(ply, 0), this.turns.length);
    this.show();
  }

  /** A step in the game, or in the line that is looked at; before its first turn the line ends. */
  step(by) {
    if (!this.line) {
      this.go(this.ply + by);
      return;
    }
    const at = this.line.at + by;
    if (at <= 0) {
      this.go(this.line.ply);
    } else {
      this.line.at = Math.min(at, this.line.turns.length);
      this.show();
    }
  }

  key(event) {
    const actions = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.go(0),
      End: () => this.go(this.turns.length),
      Escape: () => this.leave(),
    };
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : null;
    if (action) {
      event.preventDefault();
      action();
    }
  }

  leave() {
    location.hash = "#";
  }

  show() {
    const { line, ply } = this;
    const shownLine = line?.turns.slice(0, line.at) ?? [];
    const at = line ? line.ply + line.at : ply;
    const stones = line
      ? shownLine.reduce((position, turn) => Board.play(position, turn, this.game.columns), this.positions[line.ply])
      : this.positions[ply];
    const last = line ? shownLine[shownLine.length - 1] : this.turns[ply - 1];
    const isOver = !line && ply === this.turns.length && this.game.reason;
    const toMove = t(this.isWhite(at) ? "white-to-move" : "black-to-move");
    const count = (colour) => fixed([...stones].filter((stone) => stone === colour).length);
    const material = t("stones", count("w"), count("b"));
    this.board.show({
      stones, last: last ?? null, arrows: this.arrowsHere(),
      label: [last ? `${this.count(at - 1)} ${last.text}` : t("start"), isOver ? ending(this.game) : toMove, material].join(". "),
    });
    this.showHere(last, at, isOver ? ending(this.game) : toMove, material);
    this.showLines(at);
    this.chart?.show(ply);
    this.buttons.forEach((button, place) => {
      const isHere = place === ply - 1;
      button.tabIndex = isHere || (ply === 0 && place === 0) ? 0 : -1;
      isHere ? button.setAttribute("aria-current", "step") : button.removeAttribute("aria-current");
    });
    const current = this.buttons[ply - 1];
    const list = this.moveList;
    if (current) {
      // Only the list is scrolled, never the page.
      if (list.contains(document.activeElement)) {
        current.focus({ preventScroll: true });
      }
      const [top, bottom] = [current.offsetTop, current.offsetTop + current.offsetHeight];
      if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight) {
        list.scrollTop = top - list.clientHeight / 2;
      }
    } else {
      list.scrollTop = 0;
    }
    const place = ply > 0 ? `#game=${this.game.number}&ply=${ply}` : `#game=${this.game.number}`;
    history.replaceState(null, "", place);
  }

  /** The best move of the position, if it is known. */
  arrowsHere() {
    const word = this.line ? null : this.best[this.ply];
    if (!GameView.arrows || !word || word === "-") {
      return [];
    }
    const turn = word === "=" ? this.turns[this.ply] : turnOf(word);
    return turn ? [turn] : [];
  }

  /** What is known of the move that led here. */
  showHere(last, at, state, material) {
    const ply = this.ply - 1;
    const parts = [];
    if (last && !this.line) {
      const score = scoreText(scoreAfter(this.scores[ply]));
      // A game that is over says so itself.
      parts.push(score && !score.endsWith("M0") ? `${score} ${t("for-white")}` : null);
      const chance = this.chances[this.ply];
      parts.push(chance && chance !== "-" ? t("expected", `${chance} %`) : null);
      const known = (column) => (column[ply] && column[ply] !== "-" ? column[ply] : null);
      parts.push(known(this.depths) ? t("depth", known(this.depths)) : null);
      parts.push(known(this.times) ? timeText(Number(known(this.times))) : null);
      parts.push(known(this.losses) ? t("loss", fixed(Number(known(this.losses)) / 100, 2)) : null);
      parts.push(this.losses.length > 0 && !known(this.losses) ? t("forced-move") : null);
      parts.push(ply < this.game.book ? t("book-move") : null);
      parts.push(this.game.notes?.[ply]?.missed_win ? t("missed-win") : null);
    }
    const comment = this.line ? null : this.game.notes?.[ply]?.comment;
    this.here.replaceChildren(
      make("div", {}, make("span", { class: "move" }, last ? `${this.count(at - 1)} ${last.text}` : t("start")),
        last && !this.line ? this.marks(ply) : null, make("span", { class: "muted" }, ` · ${state} · ${material}`)),
      make("div", { class: "small" }, parts.filter(Boolean).join(" · ")),
      comment ? make("p", { class: "small" }, comment) : "");
  }

  /** The lines that begin instead of the last move, and those that begin here. */
  showLines() {
    const base = this.line ? this.line.ply : this.ply;
    const plies = this.line ? [base] : [base - 1, base];
    const rows = plies.flatMap((ply) => (this.game.notes?.[ply]?.lines ?? []).map((line) => {
      const turns = wordsOf(line.turns).map(turnOf);
      const isBest = isKnown(line.score);
      const isPast = ply === base - 1 && !this.line;
      const about = isBest ? (isPast ? t("best-was", this.turns[ply].text) : t("best")) : t("variation");
      const figures = isBest ? ` ${scoreText(line.score)}${isKnown(line.depth) ? ` (${t("depth", line.depth)})` : ""} ` : " ";
      const buttons = turns.map((turn, place) => {
        const isHere = this.line && this.line.words === line.turns && this.line.at === place + 1;
        const count = place === 0 || this.isWhite(ply + place) ? `${this.count(ply + place)} ` : "";
        return make("button", { type: "button", "aria-current": isHere ? "step" : null, click: () => {
          this.ply = ply;
          this.line = { ply, words: line.turns, turns, at: place + 1 };
          this.show();
        } }, count + turn.text);
      });
      const comment = line.comment ? `${line.comment} ` : "";
      return make("div", { class: "line small" }, make("span", { class: "about" }, make("strong", {}, about), figures, comment), buttons);
    }));
    this.lines.replaceChildren(...rows);
  }
}
