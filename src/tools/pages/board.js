/**
 * The board as an SVG element. It knows nothing of the rules: it shows the position, the turns and the points
 * that it is given, and tells which points were touched.
 *
 *   const board = new Board({ columns: 9, rows: 5, onPick, onDrop });
 *   parent.append(board.element);
 *   board.show({ stones: Board.stonesOf("9/3b5/2w1b4/9/9"), label: "White to move" });
 *   board.flip(true);
 *
 * A position is a string with a character for each point, `w`, `b` or `.`: ranks from the top, in each the
 * files from the left, as in a FEN. Points are named as in the notation: `a1`. A turn is an object
 * `{ path: ["d2", "e3", "f4"], hows: ["", "A", "W"], captured: ["g5"] }`, with how each point was reached; that of a
 * pass has no points.
 *
 * `new Board` takes the size and, for a board that is played on, functions:
 *   onPick(point)      a point was clicked or tapped, or chosen by the keyboard
 *   onHold(point)      a point is being pressed; answers whether the stone there may be dragged
 *   onDrop(from, to)   a stone was dragged to another point
 *   onStep(captured)   a step of a turn has been seen, by which so many stones were captured
 * The points of such a board can be focused: the cursor keys go from one to the next, Enter and the space bar choose.
 *
 * `show` takes
 *   stones             the position
 *   label              what the picture shows, in words
 *   last               the turn that led here: its path, and where the captured stones were; with `mark` and `sign`, as it was judged: a thin path alone
 *   arrows             turns that may follow, the best first; the stones that it captures are crossed out, and three steps or more numbered
 *   marked             points to be lit, such as those where a stone may go
 *   movable            points of stones that may be taken up
 *   crossed            points of stones that are to be captured
 *   previews           what is captured by a step to a point, crossed out while the pointer is there: `{ e3: ["d4"] }`
 *   chosen             the point of a stone that is in hand
 *   pending            two points: a stone of the first one stands on the second, until it is known how it goes there
 *   letters            what is written on stones: `{ f3: "A" }`
 *   describe           a function that says in words what is on a point
 * `showArrows` changes the arrows alone: turns, with `value` to be written beside the stone, or a `mark` by which they are coloured and its `sign`. A position that follows from the one before by `last`, or by the rest of it, is
 * reached step by step, in the time of `stepTime()` each; the captured stones leave with the steps that capture them.
 * `replay` shows that turn again; `celebrate` shows whose game it is. `seen` is the position as far as the turn has been seen; so are the marks of `last`.
 *
 * Colours come from the custom properties --board, --board-line, --board-text, --white-stone, --black-stone, --stone-edge,
 * --arrow, --last and --captured; `style.css` has them for both themes.
 */
class Board {
  /** The distance of two neighbouring points, from those of the edge to the edge, and a stone's radius. */
  static #CELL = 100;
  static #MARGIN = 80;
  static #STONE = 38;

  #columns;
  #rows;
  /** With Black's side below; a quarter turn further, with the side that was below on the left. */
  #isFlipped = false;
  #isUpright = false;
  #shown = null;
  #wood;
  #ground;
  #marks;
  #pieces;
  #arrows;
  #signs;
  #numbers;
  #hints;
  #spots = new Map();
  #stones = new Map();
  #held = null;
  /** The turn that is being seen: from which step on, the position before, since when, how many steps have been, and whether its
      stone was dragged; or a stone that only goes somewhere (`isGlide`). */
  #motion = null;
  #dropped = null;
  #waiting = 0;
  #hovered = null;
  #onStep;
  #told = [];
  /** Gradients are found by names in the whole document. */
  static #count = 0;
  #id = `board-${(Board.#count += 1)}`;

  constructor({ columns, rows, onPick = null, onHold = null, onDrop = null, onStep = null }) {
    this.#columns = columns;
    this.#rows = rows;
    this.#onStep = onStep;
    [this.#wood, this.#ground, this.#marks] = Array.from({ length: 3 }, () => Board.#make("g"));
    this.#pieces = Board.#make("g");
    [this.#arrows, this.#signs, this.#numbers] = Array.from({ length: 3 }, () => Board.#make("g"));
    this.element = Board.#make("svg", { class: "board", role: "img" });
    this.#hints = Board.#make("g");
    this.element.append(this.#wood, this.#ground, this.#marks, this.#pieces, this.#arrows, this.#signs, this.#numbers, this.#hints);
    if (onPick) {
      this.element.setAttribute("role", "group");
      this.#addSpots(onPick);
      this.#listen(onPick, onHold, onDrop);
    }
    this.#drawGround();
  }

  /** The position of a FEN, or of its first field. */
  static stonesOf(fen) {
    const ranks = fen.split(" ")[0].split("/");
    return ranks.map((rank) => rank.replace(/[1-9]/g, (count) => ".".repeat(Number(count)))).join("");
  }

  /** Where a point is in a position. */
  static #index(point, stones, columns) {
    return (stones.length / columns - Number(point.slice(1))) * columns + point.charCodeAt(0) - 97;
  }

  /** The position after a turn. */
  static play(stones, { path, captured }, columns) {
    if (path.length === 0) {
      return stones;
    }
    const after = [...stones];
    const place = (point) => Board.#index(point, stones, columns);
    const [from, to] = [path[0], path[path.length - 1]].map(place);
    const mover = after[from];
    // A turn may end on a point that it has emptied itself: the stone is put down last.
    for (const point of [path[0], ...captured]) {
      after[place(point)] = ".";
    }
    after[to] = mover;
    return after.join("");
  }

  show(shown) {
    const before = this.#shown;
    this.#shown = shown;
    if (before?.stones !== shown.stones) {
      this.#begin(before && this.#motionFrom(before));
      this.#hovered = null;
    } else if (before.pending?.[1] !== shown.pending?.[1]) {
      const [from, to] = shown.pending ?? [null, before.pending[0]];
      this.#dropped === to ? this.#begin(null) : this.#glide([before.pending?.[1] ?? from, to]);
    }
    this.#dropped = null;
    this.element.setAttribute("aria-label", shown.label ?? "");
    this.#drawPieces();
    this.showArrows(shown.arrows ?? []);
    for (const [point, spot] of this.#spots) {
      spot.setAttribute("aria-label", shown.describe?.(point) ?? point);
    }
  }

  showArrows(arrows) {
    if (!this.#shown) {
      return;
    }
    this.#shown.arrows = arrows;
    // The best one is drawn last, above the others.
    const drawn = arrows.map((arrow, rank) => (arrow.path.length > 0 ? this.#arrow(arrow, rank) : [])).reverse();
    this.#arrows.replaceChildren(...drawn.flat());
    this.#numbers.replaceChildren(...arrows.flatMap((arrow, rank) => this.#steps(arrow, rank)));
  }

  /** Shows the turn that led here again, from the position before it, also where turns are not animated. */
  replay(before) {
    const { last } = this.#shown;
    if (last?.path.length > 1) {
      this.#begin({ turn: last, first: 0, before, began: performance.now(), time: stepTime() || STEP_TIMES.slow, seen: 0 });
      this.#drawPieces();
    }
  }

  /** The stones of a colour rise once, those near a point first, when the turn that led here has been seen. */
  celebrate(colour, from = "a1") {
    const [x, y] = this.#place(from);
    for (const [point, { classList, lastChild }] of stepTime() > 0 ? this.#stones : []) {
      const [right, down] = this.#place(point);
      if (classList.contains(colour)) {
        const delay = this.rest + 150 + 0.6 * Math.hypot(right - x, down - y);
        lastChild.animate([{}, { transform: "translateY(-20px) scale(1.06)" }, {}], { duration: 450, delay, easing: "ease-in-out" });
      }
    }
  }

  /** Milliseconds until the turn that led here has been seen. */
  get rest() {
    const { turn, first, began, time, isDropped } = this.#motion ?? {};
    return turn ? Math.max(0, began + (isDropped ? 0.5 : turn.path.length - 1 - first) * time - performance.now()) : 0;
  }

  get seen() {
    const { turn, first, before, seen } = this.#motion ?? {};
    return turn ? Board.play(before, { path: turn.path.slice(first, first + seen + 1), captured: Board.#leaving(turn).slice(first, first + seen).flat() }, this.#columns) : this.#shown.stones;
  }

  /** Begins to show a turn, if there is one, and tells of its steps, each when it has been seen; at once where nothing is animated. */
  #begin(motion) {
    this.#told.forEach(clearTimeout);
    this.#motion = motion?.time ? motion : null;
    const isAtOnce = !motion?.time || motion.isDropped;
    const steps = motion && !motion.isGlide ? Board.#leaving(motion.turn).slice(motion.first) : [];
    this.#told = (isAtOnce ? steps.slice(0, 1).map(() => steps.flat()) : steps).map(({ length }, step) => setTimeout(() => {
      motion.seen = step + 1;
      this.#drawMarks();
      this.#onStep?.(length);
    }, isAtOnce ? 0 : motion.began + (step + 1) * motion.time - performance.now()));
  }

  /** A stone goes from one point to another, which is no turn yet, or any longer. */
  #glide(path) {
    this.#begin({ turn: { path, hows: ["", ""], captured: [] }, first: 0, before: this.#shown.stones, began: performance.now(), time: stepTime(), seen: 0, isGlide: true });
  }

  /** What is being seen has been. */
  #arrive() {
    const isOnItsWay = this.rest > 0;
    this.#begin(null);
    if (isOnItsWay) {
      this.#onStep?.(0);
    }
  }

  /** The centre of a point as shares of the width and the height of the picture. */
  shareOf(point) {
    const [x, y] = this.#place(point);
    const [width, height] = this.#size.map((points) => (points - 1) * Board.#CELL + 2 * Board.#MARGIN);
    return [x / width, y / height];
  }

  /** Moves the keyboard's focus to a point; without one, to where it was on the board. */
  focus(point) {
    for (const [name, spot] of this.#spots.has(point) ? this.#spots : []) {
      spot.setAttribute("tabindex", name === point ? "0" : "-1");
    }
    this.element.querySelector("[tabindex='0']").focus();
  }

  /** With Black below, or White; upright: on the left. */
  flip(isFlipped, isUpright = false) {
    [this.#isFlipped, this.#isUpright] = [isFlipped, isUpright];
    this.#arrive();
    this.#drawGround();
    if (this.#shown) {
      this.#drawPieces();
      this.showArrows(this.#shown.arrows ?? []);
    }
  }

  static #make(tag, attributes = {}) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) {
      element.setAttribute(name, value);
    }
    return element;
  }

  /** The columns and rows of the picture. */
  get #size() {
    return this.#isUpright ? [this.#rows, this.#columns] : [this.#columns, this.#rows];
  }

  /** The name of the point in a column and a row of the picture, from 0. */
  #name(across, down) {
    const [column, row] = this.#isUpright ? [down, this.#rows - 1 - across] : [across, down];
    const file = this.#isFlipped ? this.#columns - 1 - column : column;
    const rank = this.#isFlipped ? row + 1 : this.#rows - row;
    return String.fromCharCode(97 + file) + rank;
  }

  /** The centre of a point. */
  #place(point) {
    const file = point.charCodeAt(0) - 97;
    const rank = Number(point.slice(1));
    const column = this.#isFlipped ? this.#columns - 1 - file : file;
    const row = this.#isFlipped ? rank - 1 : this.#rows - rank;
    const place = this.#isUpright ? [this.#rows - 1 - row, column] : [column, row];
    return place.map((cells) => Board.#MARGIN + cells * Board.#CELL);
  }

  /** The wood, and the colours of the stones with the light from above on the left. */
  #drawWood(width, height) {
    const stops = (name, places) => places.map(([offset, tone]) => Board.#make("stop", { offset, class: `${name}-${tone}` }));
    const defs = Board.#make("defs");
    for (const name of ["white", "black"]) {
      const gradient = Board.#make("radialGradient", { id: `${this.#id}-${name}`, cx: 0.36, cy: 0.3, r: 0.78 });
      gradient.append(...stops(name, [[0, "light"], [0.45, "body"], [1, "shade"]]));
      defs.append(gradient);
    }
    const wood = Board.#make("linearGradient", { id: `${this.#id}-wood`, x2: 0.25, y2: 1 });
    wood.append(...stops("wood", [[0, "light"], [0.55, "body"], [1, "shade"]]));
    defs.append(wood);
    // Grain: long lines that are never quite parallel.
    let grain = "";
    for (let y = 14, line = 0; y < height; y += 17 + ((line * 7) % 12), line += 1) {
      const bend = ((line * 37) % 29) - 14;
      grain += `M0 ${y}C${width / 3} ${y + bend} ${(2 * width) / 3} ${y - bend} ${width} ${y + bend / 2}`;
    }
    this.element.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.#wood.replaceChildren(
      defs, Board.#make("rect", { class: "ground", width, height, rx: 14, fill: `url(#${this.#id}-wood)` }),
      Board.#make("path", { class: "grain", d: grain }),
      Board.#make("rect", { class: "rim", x: 3, y: 3, width: width - 6, height: height - 6, rx: 12 }),
    );
  }

  /** A stone, whose group is moved. */
  #stone(point, colour) {
    const stone = Board.#make("g", { class: `stone ${colour}`, transform: `translate(${this.#place(point).join(" ")})` });
    stone.append(
      Board.#make("circle", { class: "shadow", cx: 3, cy: 6, r: Board.#STONE }),
      Board.#make("circle", { class: "disc", r: Board.#STONE, fill: `url(#${this.#id}-${colour})` }),
    );
    return stone;
  }

  /** Lines, points and coordinates. */
  #drawGround() {
    const [cell, margin, [columns, rows]] = [Board.#CELL, Board.#MARGIN, this.#size];
    this.#drawWood(...[columns, rows].map((points) => (points - 1) * cell + 2 * margin));
    const isStrong = (point) => (point.charCodeAt(0) - 97 + Number(point.slice(1)) - 1) % 2 === 0;
    let lines = "";
    const points = [];
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const strong = isStrong(this.#name(column, row));
        const [x, y] = [column, row].map((cells) => margin + cells * cell);
        const ahead = strong ? [[1, 0], [0, 1], [1, 1], [-1, 1]] : [[1, 0], [0, 1]];
        for (const [right, down] of ahead) {
          const to = column + right;
          if (to >= 0 && to < columns && row + down < rows) {
            lines += `M${x} ${y}l${right * cell} ${down * cell}`;
          }
        }
        points.push(Board.#make("circle", { class: "point", cx: x, cy: y, r: strong ? 9 : 5 }));
      }
    }
    const bottom = margin + (rows - 1) * cell;
    const text = (x, y, written) => {
      const element = Board.#make("text", { class: "coordinate", x, y });
      element.textContent = written;
      return element;
    };
    // Letters below and digits on the left, or the other way about.
    const below = Array.from({ length: columns }, (_, column) => text(margin + column * cell, bottom + 62, this.#name(column, 0)[this.#isUpright ? 1 : 0]));
    const beside = Array.from({ length: rows }, (_, row) => text(margin - 62, margin + row * cell, this.#name(0, row)[this.#isUpright ? 0 : 1]));
    this.#ground.replaceChildren(Board.#make("path", { class: "lines", d: lines }), ...points, ...below, ...beside);
    for (const [point, spot] of this.#spots) {
      const [cx, cy] = this.#place(point);
      spot.setAttribute("cx", cx);
      spot.setAttribute("cy", cy);
    }
  }

  /** An invisible button on each point, in the order of reading. */
  #addSpots(onPick) {
    const group = Board.#make("g");
    for (let row = 0; row < this.#rows; row += 1) {
      for (let column = 0; column < this.#columns; column += 1) {
        const point = this.#name(column, row);
        const spot = Board.#make("circle", { class: "spot", r: 45, role: "button", tabindex: "-1", "aria-label": point });
        spot.addEventListener("keydown", (event) => this.#key(event, point, onPick));
        this.#spots.set(point, spot);
        group.append(spot);
      }
    }
    const middle = this.#name((this.#columns - 1) / 2, (this.#rows - 1) / 2);
    this.#spots.get(middle).setAttribute("tabindex", "0");
    this.element.append(group);
  }

  #key(event, point, onPick) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      onPick(point);
    } else if (Object.hasOwn(steps, event.key)) {
      event.preventDefault();
      event.stopPropagation();
      const place = this.#place(point).map((at) => (at - Board.#MARGIN) / Board.#CELL);
      const [column, row] = place.map((at, axis) => {
        const most = this.#size[axis] - 1;
        return Math.min(Math.max(at + steps[event.key][axis], 0), most);
      });
      this.focus(this.#name(column, row));
    }
  }

  #circle(point, attributes) {
    const [cx, cy] = this.#place(point);
    return Board.#make("circle", { cx, cy, r: Board.#STONE, ...attributes });
  }

  /** Marks the turn that led here, as far as it has been seen: its path, where it began, and what it has captured. */
  #drawMarks() {
    const { last, pending } = this.#shown;
    const motion = this.#motion?.isGlide ? null : this.#motion;
    const path = last?.path.slice(0, motion ? motion.first + motion.seen + 1 : undefined) ?? [];
    const drawn = [];
    this.#signs.replaceChildren();
    if (path.length > 1) {
      const places = path.map((point) => this.#place(point));
      const beside = ([x, y], [toX, toY], by) => [x, y].map((at, axis) => at + (by * ([toX, toY][axis] - at)) / Math.hypot(toX - x, toY - y));
      // From the ring to the head, which ends before the stone.
      const ends = [beside(places[0], places[1], 30), beside(places.at(-1), places.at(-2), Board.#STONE + 14)];
      const points = [ends[0], ...places.slice(1, -1), ends[1]].map((place) => place.map(Math.round).join(",")).join(" ");
      const head = this.#head(places.slice(-2), Board.#STONE + 2, 28, 38);
      const steps = new Set(path).size === path.length ? [] : places.slice(1).flatMap((to, step) => this.#label(to.map((at, axis) => (at + places[step][axis]) / 2), String(step + 1), `passed ${last.mark ?? ""}`));
      const { mark = "", sign } = last;
      const line = [Board.#make("polyline", { class: `last ${mark}`, points }), Board.#make("polygon", { class: `lasthead ${mark}`, points: head })];
      drawn.push(...(mark ? [] : line), this.#circle(path[0], { class: `origin ${mark}`, r: 20 }), ...(mark ? [] : steps));
      // One that was judged is thin, above a better one that begins with the same steps, which alone has numbers.
      this.#signs.replaceChildren(...(mark ? line : []), ...(sign && path.length === last.path.length ? this.#label(this.#corner(path), sign, `sign ${mark}`) : []));
      // Of the other colour than the stone that has arrived.
      const landed = this.#stones.get(last.path.at(-1));
      const taken = landed?.classList.contains("white") ? "black" : "white";
      const captured = motion ? Board.#leaving(last).slice(0, path.length - 1).flat() : last.captured;
      for (const point of captured.filter((captured) => !this.#stones.has(captured))) {
        drawn.push(this.#circle(point, { class: `taken ${taken} ${mark}` }));
      }
    }
    this.#marks.replaceChildren(...drawn, ...(pending ? [this.#circle(pending[0], { class: "origin" })] : []));
  }

  /** A corner of the last point of a path that is free of it, and of arrows and their numbers. */
  #corner(path) {
    const [x, y] = this.#place(path.at(-1));
    const paths = [path.slice(-2), ...(this.#shown.arrows ?? []).map((arrow) => arrow.path)];
    const middles = paths.flatMap((one) => one.slice(1).map((to, step) => [to, one[step]].map((point) => this.#place(point)))).map(([to, from]) => to.map((at, axis) => (at + from[axis]) / 2));
    const corners = [[32, -32], [-32, -32], [32, 32], [-32, 32]].map(([right, down]) => [x + right, y + down]);
    return corners.find(([right, down]) => middles.every(([at, height]) => Math.hypot(right - at, down - height) > 34)) ?? corners[0];
  }

  #drawPieces() {
    const { stones: given, marked = [], movable = [], crossed = [], chosen = null, letters = {}, pending } = this.#shown;
    const stones = pending ? Board.play(given, { path: pending, captured: [] }, this.#columns) : given;
    const drawn = [];
    this.#stones = new Map();
    [...stones].forEach((stone, index) => {
      const rank = this.#rows - Math.floor(index / this.#columns);
      const point = String.fromCharCode(97 + (index % this.#columns)) + rank;
      if (stone !== ".") {
        this.#stones.set(point, this.#stone(point, stone === "w" ? "white" : "black"));
      }
    });
    this.#drawMarks();
    drawn.push(...this.#stones.values());
    drawn.push(...movable.map((point) => this.#circle(point, { class: "movable", r: Board.#STONE + 5 })), ...this.#crosses(crossed));
    drawn.push(...marked.filter((point) => point !== pending?.[1]).map((point) => this.#circle(point, { class: "marked", r: 20 })));
    if (chosen) {
      drawn.push(this.#circle(chosen, { class: "chosen", r: Board.#STONE + 4 }));
    }
    for (const [point, letter] of Object.entries(letters)) {
      const [x, y] = this.#place(point);
      const text = Board.#make("text", { class: "letter", x, y: y + 2 });
      text.textContent = letter;
      drawn.push(this.#circle(point, { class: "lettered" }), text);
    }
    this.#pieces.replaceChildren(...drawn);
    this.#animate();
    this.#showHints();
    if (this.#held?.stone) {
      // It was drawn anew where it had been.
      this.#held.stone = this.#stones.get(this.#held.point) ?? null;
      this.#carry();
    }
  }

  /** Puts the stone that is dragged below the pointer, above all others. */
  #carry() {
    const { stone, x, y } = this.#held;
    if (stone && x !== undefined) {
      stone.getAnimations().forEach((animation) => animation.cancel());
      stone.setAttribute("transform", `translate(${x} ${y})`);
      if (stone.nextSibling) {
        this.#pieces.append(stone);
      }
    }
  }

  /** The turn, or the rest of one, that leads from the position before to this one. */
  #motionFrom(before) {
    const { last, stones } = this.#shown;
    const begun = before.last?.path ?? [];
    const goesOn = begun.every((point, index) => point === last?.path[index]) ? begun.length - 1 : 0;
    const leads = (first) => {
      const rest = { path: last.path.slice(first), captured: last.captured };
      return rest.path.length > 1 && Board.play(before.stones, rest, this.#columns) === stones;
    };
    const first = last?.path.length > 1 ? [goesOn, 0].find((first) => first >= 0 && leads(first)) : undefined;
    if (first === undefined) {
      return null;
    }
    const to = first === last.path.length - 2 ? last.path.at(-1) : null;
    // It is there, or on its way.
    const gliding = before.pending?.[1] === to && this.rest > 0 ? this.#motion : null;
    const isDropped = to !== null && !gliding && [this.#dropped, before.pending?.[1]].includes(to);
    return { turn: last, first, before: before.stones, isDropped, began: gliding?.began ?? performance.now(), time: stepTime(), seen: Number(isDropped) };
  }

  /** What leaves with each step of a turn: the line beyond the point where it ends, or before the one where it began. What cannot
      be told apart leaves with the last step. */
  static #leaving({ path, hows, captured }) {
    const left = new Set(captured);
    const leaving = path.slice(1).map((to, step) => {
      const [[file, rank], [toFile, toRank]] = [path[step], to].map((point) => [point.charCodeAt(0), Number(point.slice(1))]);
      const [right, up] = [toFile - file, toRank - rank].map((by) => (hows[step + 1] === "W" ? -by : by));
      const [x, y] = hows[step + 1] === "W" ? [file, rank] : [toFile, toRank];
      const line = [];
      for (let by = 1; left.delete(String.fromCharCode(x + by * right) + (y + by * up)); by += 1) {
        line.push(String.fromCharCode(x + by * right) + (y + by * up));
      }
      return line;
    });
    leaving.at(-1)?.push(...left);
    return leaving;
  }

  /** Shows the turn that is being seen from where it is by now. What is said of the next one waits. */
  #animate() {
    const [motion, rest] = [this.#motion, this.rest];
    clearTimeout(this.#waiting);
    this.element.classList.toggle("moving", rest > 0);
    // What is said of a stone in hand waits until it is there.
    this.element.classList.toggle("arriving", rest > 0 && this.#shown.chosen === motion.turn.path.at(-1));
    if (rest === 0) {
      this.#motion = null;
      return;
    }
    this.#waiting = setTimeout(() => this.element.classList.remove("moving", "arriving"), rest);
    const { turn, first, time } = motion;
    const easing = calm.matches ? "step-end" : "ease-in-out";
    const places = turn.path.slice(first).map((point) => this.#place(point));
    const run = (element, frames, duration, delay = 0) => {
      const animation = element.animate(frames, { duration, delay });
      animation.currentTime = performance.now() - motion.began;
      return animation;
    };
    const stone = this.#stones.get(turn.path.at(-1));
    this.#pieces.append(stone);
    if (!motion.isDropped) {
      run(stone, places.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)`, easing })), (places.length - 1) * time);
    }
    Board.#leaving(turn).slice(first).forEach((points, step) => {
      for (const point of points) {
        const colour = motion.before[Board.#index(point, motion.before, this.#columns)];
        const ghost = this.#stone(point, colour === "w" ? "white" : "black");
        stone.before(ghost);
        run(ghost, [{ opacity: 1, easing }, { opacity: 0 }], time / 2, motion.isDropped ? 0 : (step + 0.5) * time).finished.then(() => ghost.remove(), () => {});
      }
    });
  }

  /** Crosses out what a step to the point below the pointer captures. */
  #showHints() {
    const points = (this.#hovered && this.#shown.previews?.[this.#hovered]) ?? [];
    this.#hints.replaceChildren(...this.#crosses(points));
  }

  #crosses(points) {
    return points.flatMap((point) => {
      const [x, y] = this.#place(point);
      const d = `M${x - 20} ${y - 20}l40 40m0-40l-40 40`;
      return [Board.#make("path", { class: "cross under", d }), Board.#make("path", { class: "cross", d })];
    });
  }

  /** The head of an arrow between two places, so far before its end. */
  #head([before, end], back, length, width) {
    const distance = Math.hypot(end[0] - before[0], end[1] - before[1]);
    const [dx, dy] = [(end[0] - before[0]) / distance, (end[1] - before[1]) / distance];
    const at = (behind, side) => [end[0] - behind * dx - side * dy, end[1] - behind * dy + side * dx].map(Math.round).join(",");
    return [at(back, 0), at(back + length, width / 2), at(back + length, -width / 2)].join(" ");
  }

  /** A turn to come: an arrow along its path, and if it is the best, crosses on the stones that it captures. One with a mark is but an arrow, with its sign. */
  #arrow({ path, captured, value = "", mark = "", sign }, rank) {
    const places = path.map((point) => this.#place(point));
    const [begin, first] = places;
    const [before, end] = places.slice(-2);
    const length = Math.hypot(end[0] - before[0], end[1] - before[1]);
    // The line ends inside the head.
    const line = [...places.slice(0, -1), [0, 1].map((axis) => end[axis] - (30 * (end[axis] - before[axis])) / length)];
    const group = Board.#make("g", { class: `arrow ${rank === 0 ? "" : "other"} ${mark}` });
    group.append(
      Board.#make("polyline", { points: line.map((place) => place.map(Math.round).join(",")).join(" ") }),
      Board.#make("polygon", { points: this.#head([before, end], 0, 42, 46) }),
      // Between two rows, on the side to which the stone does not go.
      ...(value ? this.#label([begin[0], begin[1] + (first[1] < begin[1] ? 50 : -50)], value, "value") : []),
      ...(sign ? this.#label(this.#corner(path), sign, "sign") : []),
    );
    // What another move has taken is there no longer.
    return [group, ...(rank === 0 && !mark ? this.#crosses(captured.filter((point) => this.#stones.has(point))) : [])];
  }

  /** The numbers of the steps of an arrow, between the points, where no stone is, and above all that may cross them. */
  #steps({ path, mark }, rank) {
    const places = path.map((point) => this.#place(point));
    return path.length < 4 || mark ? [] : places.slice(1).flatMap((to, step) => this.#label(to.map((at, axis) => (at + places[step][axis]) / 2), String(step + 1), `step ${rank === 0 ? "" : "other"}`));
  }

  /** A few characters on a round ground. */
  #label([x, y], written, kind) {
    const [height, width] = kind === "value" ? [23, 16 + 11 * written.length] : [30, Math.max(30, 10 + 12 * written.length)];
    const text = Board.#make("text", { class: kind, x, y: y + 2 });
    text.textContent = written;
    return [Board.#make("rect", { class: kind, x: x - width / 2, y: y - height / 2, width, height, rx: height / 2 }), text];
  }

  /** The point at an event, if it is near enough to one. */
  #pointAt(event) {
    const matrix = this.element.getScreenCTM();
    if (!matrix) {
      return null;
    }
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const [column, row] = [x, y].map((place) => Math.round((place - Board.#MARGIN) / Board.#CELL));
    const isThere = column >= 0 && column < this.#size[0] && row >= 0 && row < this.#size[1];
    return isThere ? { point: this.#name(column, row), x, y } : null;
  }

  #listen(onPick, onHold, onDrop) {
    this.element.classList.add("playable");
    // Only the keyboard gives the focus to a point; what had it before, such as a text, is left.
    this.element.addEventListener("mousedown", (event) => {
      event.preventDefault();
      document.activeElement?.blur();
    });
    this.element.addEventListener("pointerdown", (event) => {
      const found = this.#pointAt(event);
      this.#dropped = null;
      if (found && event.isPrimary && event.button === 0) {
        this.#held = { point: found.point, stone: null };
        this.element.setPointerCapture(event.pointerId);
        if (onHold?.(found.point)) {
          if (this.#motion?.turn.path.at(-1) === found.point) {
            this.#arrive();
            this.#drawPieces();
          }
          this.#held.stone = this.#stones.get(found.point) ?? null;
        }
      }
    });
    this.element.addEventListener("pointermove", (event) => {
      const found = this.#pointAt(event);
      if (found?.point !== this.#hovered) {
        this.#hovered = found?.point ?? null;
        this.#showHints();
      }
      if (found && this.#held?.stone) {
        [this.#held.x, this.#held.y] = [found.x, found.y];
        this.#carry();
      }
    });
    this.element.addEventListener("pointerleave", () => {
      this.#hovered = null;
      this.#showHints();
    });
    const release = (event) => {
      const held = this.#held;
      const found = event.type === "pointerup" ? this.#pointAt(event) : null;
      this.#held = null;
      if (!held) {
        return;
      }
      this.#drawPieces();
      if (found && found.point === held.point) {
        onPick(held.point);
      } else if (found && held.stone) {
        this.#dropped = found.point;
        onDrop(held.point, found.point);
      }
    };
    this.element.addEventListener("pointerup", release);
    this.element.addEventListener("pointercancel", release);
  }
}
