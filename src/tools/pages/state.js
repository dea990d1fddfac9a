/* The state of a game: its moves and variations, where it ends, the clocks of a game against the engine. Nothing here knows the page: what is
   shown, kept, reviewed and saved is derived from it. */

/** What engines write in comments, `+0.35/12 0.84s`: the score from the mover's view, depth, time. */
const ENGINE_COMMENT = /^(?:([+-])(\d+\.\d+|M\d+|TB)(?:\/\d+(?: \d+(?:\.\d+)?s)?|(?=\s*$))|\d+\.\d+s)(?![^\s,;])[,;]?/;

/** What `vato analyse` writes behind the comments that it finds. */
const ANNOTATION = /(?:^| )Vato: ([+-])(\d+\.\d+|M\d+|TB)(?:\/\d+)?(?: missed win)?(?:, no mark|, mark \S+)?$/;

/** A sign that nobody sees, where a person's words look like what engines write. */
const OWN = "\u2060";

/** A comment as it is saved. */
const tidied = (text) => text.replace(/[\p{White_Space}\p{Cc}]+/gu, " ").trim().replace(/^.*\}.*$/, (closed) => closed.replaceAll("{", "(").replaceAll("}", ")"));

/** The marks of a move: those that it was given, or what its evaluation says. */
const marksOf = ({ marks, judged }) => (judged && !marks.some((mark) => Object.hasOwn(MARKS, mark)) ? [judged, ...marks] : marks);

class GameTree {
  /** Whether there is something in it that has not been saved, and whether it is another game than was read. */
  #isChanged = false;
  /** The result that was given, and the position in which the game ended with it, or after which a file has an analysis alone: what is played
      from there is one, too. */
  #result;
  #end = null;
  /** How and where the game has ended (`Termination`, position), by the result of which that is said, as long as no move is added or removed. */
  #endings = {};
  isEdited = false;
  /** Whether somebody has set up the position that it begins with, or has said whose game it is. */
  isOwn = false;
  /** Whether it is a game against the engine, of which no move is replaced or removed. */
  isPlayed = false;
  /** What reviews of its lines have found, the last one first. */
  reviews = [];

  /** `data` as the server has it: rules, start, tags, comments, result, nodes with parents before children, and after how many of those the game
      ends if others follow (`end`). */
  constructor(data) {
    this.rules = data.rules;
    this.start = data.start;
    this.tags = data.tags ?? [];
    this.introduction = tidied(data.introduction ?? "");
    this.conclusion = tidied(data.conclusion ?? "");
    this.#result = data.result || "*";
    const stones = Board.stonesOf(data.start);
    this.rows = data.start.split(" ")[0].split("/").length;
    this.columns = stones.length / this.rows;
    const [, side, , number] = data.start.split(" ");
    this.blackBegins = side === "b";
    this.firstNumber = Number(number ?? 1);
    this.root = { parent: null, children: [], turn: null, stones, ply: 0, comment: "", before: "", marks: [] };
    const nodes = [this.root];
    for (const { parent, word, comment = "", before, marks } of data.nodes ?? []) {
      const node = this.add(nodes[parent], word);
      // What an engine wrote is not shown as a comment, and is kept for when the game is saved.
      const [added, ...judged] = ANNOTATION.exec(comment) ?? [""];
      const given = comment.slice(0, comment.length - added.length);
      const [noted, ...played] = ENGINE_COMMENT.exec(given) ?? [""];
      const [sign, value] = added ? judged : played;
      const own = tidied(given.slice(noted.length).replaceAll(OWN, ""));
      Object.assign(node, { noted, added: added.trim(), comment: own, before: tidied(before ?? ""), marks: marks ?? [] });
      node.score = value ? this.#score(node, sign, value) : null;
      nodes.push(node);
    }
    this.#end = nodes[data.end] ?? (this.#result === "*" ? null : this.line(this.root).at(-1));
    [this.#isChanged, this.isEdited] = [false, false];
  }

  get isChanged() {
    return this.#isChanged;
  }

  set isChanged(isChanged) {
    this.#isChanged = isChanged;
    this.isEdited ||= isChanged;
  }

  /** The result that was given, else that of the position in which the main line ends. */
  get result() {
    const given = this.#result;
    return given === "*" ? this.line(this.root).at(-1).known?.outcome?.result ?? given : given;
  }

  set result(result) {
    this.#endings[this.#result] = [this.tag("Termination"), this.#end];
    this.#result = result;
    const line = this.line(this.root);
    const [termination, end] = this.#endings[result] ?? [];
    this.#end = result === "*" ? null : this.#end ?? (line.includes(end) ? end : line.at(-1));
    this.setTag("Termination", termination);
  }

  /** Whether it begins with the start of its rules, of which the moves have names. */
  get isFromStart() {
    return this.root.known?.firsts.length > 0;
  }

  get isVela() {
    return this.rules.includes("vela");
  }

  /** Whether nobody has done anything to it. */
  get isEmpty() {
    return this.root.children.length === 0 && !this.introduction && !this.isOwn;
  }

  /** The node after a turn: the one that is there, or a new one. */
  add(parent, word) {
    const turn = turnOf(word);
    const known = parent.children.find((child) => child.turn.text === turn.text);
    if (known) {
      return known;
    }
    if (parent === this.root && parent === this.#end && !this.isPlayed) {
      // Nothing had been played when somebody gave the result: the game begins now. One against the engine has ended.
      this.result = "*";
    }
    this.isChanged = true;
    this.#endings = {};
    const stones = Board.play(parent.stones, turn, this.columns);
    const node = { parent, children: [], word, turn, stones, ply: parent.ply + 1, noted: "", added: "", comment: "", before: "", marks: [] };
    parent.children.push(node);
    return node;
  }

  /** Whether the game has this turn in a position. */
  has(parent, word) {
    return parent.children.some(({ turn }) => turn.text === turnOf(word).text);
  }

  /** Whether a turn that is added begins no variation within more than so many. */
  mayAdd(parent, word, nesting) {
    const { children } = parent;
    return this.has(parent, word) || this.#depth(parent) + (children.length > 0) + (parent === this.#end) <= nesting;
  }

  /** In how many variations a node is, an analysis after the game being one. */
  #depth(node) {
    return this.path(node).reduce((depth, at) => depth + (at.parent.children[0] !== at) + (at.parent === this.#end), 0);
  }

  /** Where the variation begins that a node is in, if it is in one. */
  #head(node) {
    return this.path(node).findLast((at) => at.parent.children[0] !== at);
  }

  #isFixed(node) {
    return this.isPlayed && this.line(this.root).includes(node);
  }

  mayRemove(node) {
    return node !== this.root && !this.#isFixed(node);
  }

  mayPromote(node) {
    const head = this.#head(node);
    return head !== undefined && !this.#isFixed(head.parent.children[0]);
  }

  remove(node) {
    const { parent } = node;
    // What was about moves that are no longer there.
    this.reviews = this.reviews.filter(({ line }) => !line.includes(node));
    this.#order(parent, parent.children.filter((child) => child !== node));
  }

  /** Sets the moves after a position. The first one begins no variation: what was said before it is a comment. */
  #order(parent, children) {
    const end = this.line(this.root).at(-1);
    const [first] = children;
    if (first?.before) {
      first.comment = [first.before, first.comment].filter(Boolean).join(" ");
      first.before = "";
    }
    parent.children = children;
    // The result of a position goes with it, also where it was kept as a given one; another one is that of the line that is the game now.
    const last = this.line(this.root).at(-1);
    if (end.known?.outcome && last !== end) {
      this.result = "*";
    }
    this.#end &&= last;
    this.#endings = {};
    this.isChanged = true;
  }

  /** Makes the variation that a node is in the line that it begins instead of; whether that one is not nested too deep then. */
  promote(node, nesting) {
    const head = this.#head(node);
    if (head) {
      const before = head.parent.children;
      const waiting = [[before[0], this.#depth(before[0]) + 1]];
      while (waiting.length > 0) {
        const [{ children }, depth] = waiting.pop();
        if (depth > nesting) {
          return false;
        }
        waiting.push(...children.map((child, index) => [child, depth + (index > 0)]));
      }
      this.#order(head.parent, [head, ...before.filter((child) => child !== head)]);
    }
    return true;
  }

  isWhite(ply) {
    return (ply % 2 === 1) !== this.blackBegins;
  }

  /** Whether White is to move after so many plies. */
  whiteMoves(ply) {
    return this.isWhite(ply + 1);
  }

  /** What is on a point of a position: `w`, `b` or `.`. */
  stoneOn(stones, point) {
    return stones[(this.rows - Number(point.slice(1))) * this.columns + point.charCodeAt(0) - 97];
  }

  /** The number of the move that led to a ply, as it is written before it. */
  count(ply) {
    const number = this.firstNumber + Math.floor((ply - (this.blackBegins ? 0 : 1)) / 2);
    return this.isWhite(ply) ? `${number}.` : `${number}…`;
  }

  path(node) {
    const path = [];
    for (let at = node; at.parent; at = at.parent) {
      path.unshift(at);
    }
    return path;
  }

  /** Where a node is: at each move of its path, which of the moves that are there. */
  places(node) {
    return this.path(node).map((at) => at.parent.children.indexOf(at));
  }

  /** The node at such a place, or the last one before it. */
  at(places) {
    return places.reduce((node, place) => node.children[place] ?? node, this.root);
  }

  /** Another move instead of that of a node: the next one, or the one before. In a variation, that is the move that it begins instead of. */
  beside(node, by) {
    const others = node.parent?.children ?? [];
    if (others.length > 1) {
      return others[others.indexOf(node) + by] ?? null;
    }
    const head = by < 0 && this.#head(node);
    return head ? head.parent.children[head.parent.children.indexOf(head) - 1] : null;
  }

  /** The last review. */
  get review() {
    return this.reviews[0];
  }

  /** The review of the line that a node is in, else that of the main line or of another line with it, if there is one; or of that line alone. */
  reviewOf(node, isAlone = false) {
    const of = (last) => this.reviews.find(({ line }) => line.at(-1) === last);
    const own = of(this.playedLine(node).at(-1));
    return own || isAlone ? own : of(this.playedLine(this.root).at(-1)) ?? this.reviews.find(({ line }) => line.includes(node));
  }

  /** The nodes from the first to the last of the line that a node is in; the start is the first. An analysis is only in the lines of its moves. */
  line(node) {
    const line = [this.root, ...this.path(node)];
    for (let last = node; last !== this.#end && last.children.length > 0; line.push(last)) {
      [last] = last.children;
    }
    return line;
  }

  /** The same without an analysis: what can be judged. */
  playedLine(node) {
    const line = this.line(node);
    return line.slice(0, line.indexOf(this.#end) + 1 || line.length);
  }

  /** A position as the server is asked about it. */
  place(node) {
    return { rules: this.rules, start: this.start, moves: this.path(node).map(({ turn }) => turn.text) };
  }

  /** Whether a position, or the one after a turn there, has occurred before. By its FEN alone nobody knows then what repetition makes of it. */
  repeats(node, word) {
    const before = [this.root, ...this.path(node)];
    const occurs = (stones, ply) => before.some((at) => at.ply < ply && (ply - at.ply) % 2 === 0 && at.stones === stones);
    return occurs(node.stones, node.ply) || occurs(Board.play(node.stones, turnOf(word), this.columns), node.ply + 1);
  }

  tag(name) {
    return this.tags.find(([tag]) => tag === name)?.[1] ?? "";
  }

  setTag(name, value) {
    const tag = this.tags.find(([known]) => known === name);
    if (!value) {
      this.tags = this.tags.filter((known) => known !== tag);
    } else if (tag) {
      tag[1] = value;
    } else {
      this.tags.push([name, value]);
    }
  }

  /** The game as the server takes and gives it. */
  data() {
    const { rules, start, tags, introduction, conclusion, result } = this;
    const nodes = [];
    const numbers = new Map([[this.root, 0]]);
    // A stack of its own: lines may be longer than calls may be deep.
    const waiting = [...this.root.children].reverse();
    while (waiting.length > 0) {
      const node = waiting.pop();
      const { word, noted, added, marks, parent } = node;
      const own = node.comment.replace(ENGINE_COMMENT, (part) => OWN + part).replace(ANNOTATION, (part) => part.replace("Vato", `${OWN}Vato`));
      const comment = [noted, own, added].filter(Boolean).join(" ");
      nodes.push({ parent: numbers.get(parent), word, comment, before: node.before, marks });
      numbers.set(node, nodes.length);
      waiting.push(...[...node.children].reverse());
    }
    const end = this.#end?.children.length > 0 ? numbers.get(this.#end) : undefined;
    return { rules, start, tags, introduction, conclusion, result, nodes, end };
  }

  #score(node, sign, value) {
    const isForWhite = (sign === "+") === this.isWhite(node.ply);
    const text = scoreAfter((isForWhite ? "+" : "-") + value);
    return { text, height: heightOf(text) };
  }
}

/** A name for a game that no other one has. */
const newId = () => Math.floor(Math.random() * 2 ** 52);

/** A game against the engine at a level, or of two people, here or by link: who plays, the clocks, how it has ended. The clocks belong to the
    positions: each has what they showed when it came up. */
class Contest {
  /** Since when the clock of the side to move has been running; nothing while it stands still. For how long it ran in this position before. */
  since = null;
  #spent = 0;
  /** What was kept of it, by which the game of another page is told apart. */
  keptText = ownText(null);

  /** `person` is `w` or `b`, or null where two people play here; `level` is null where people play. `isByLink`: each move goes to the other by a
      link, which `isSent` or not yet, and which may offer a draw (`isOffering`, then "sent"); after so many plies the other has `offered` one.
      `clock` has `base` and `increment` in seconds, or is null; of a game that goes on, `left` is what the clocks show, and `clocks` what they
      showed at first in each position, in milliseconds. */
  constructor(tree, { person, level, clock, isTurning = false, isByLink = false, isSent = false, offered = null, isOffering = false, left = null, clocks = null, isOver = false, hints = 0, id = newId() }) {
    Object.assign(this, { tree, person, level, clock, isTurning, isByLink, isSent, offered, isOffering, isOver, hints, id });
    tree.isPlayed = true;
    if (clock) {
      const last = left ?? { w: 1000 * clock.base, b: 1000 * clock.base };
      tree.line(tree.root).forEach((node, ply) => { node.clock = clocks?.[ply] ?? last; });
      this.#spent = this.node.clock[this.side] - last[this.side];
    }
  }

  /** The time in milliseconds. */
  get now() {
    return performance.now();
  }

  /** The position in which somebody is to move, or in which the game has ended. */
  get node() {
    return this.tree.line(this.tree.root).at(-1);
  }

  get side() {
    return this.tree.whiteMoves(this.node.ply) ? "w" : "b";
  }

  /** Whether people play, and whether both of them are here. */
  get isOfPeople() {
    return this.level === null;
  }

  get isForTwo() {
    return this.person === null;
  }

  /** Whether the other has offered a draw in this position. */
  get isOffered() {
    return this.offered === this.node.ply;
  }

  /** The side of the person who is to move, or waits for the engine. */
  get here() {
    return this.person ?? this.side;
  }

  /** Whether a person may move in a position. */
  mayMove(node) {
    return !this.isOver && node === this.node && this.side === this.here;
  }

  /** Whether it is a side's clock that runs: none does before the first turn. */
  isRunning(side) {
    return this.node.parent !== null && side === this.side && !this.isOver;
  }

  #timeIn(node) {
    return node.parent ? this.#spent + (this.since === null ? 0 : Math.max(0, this.now - this.since)) : 0;
  }

  /** What a clock shows; nothing without one. */
  left(side) {
    const { node } = this;
    return this.clock && Math.max(0, node.clock[side] - (side === this.side ? this.#timeIn(node) : 0));
  }

  get #left() {
    return this.clock && { w: this.left("w"), b: this.left("b") };
  }

  /** Stops the clock, until the game begins again in the same position. */
  stop() {
    this.#spent = this.#timeIn(this.node);
    this.since = null;
  }

  /** A turn has been added to the game: the clocks stand still until it begins again. The first one earns nothing. */
  played(node) {
    const { parent } = node;
    if (this.isOver) {
      return;
    }
    if (this.clock) {
      const side = this.tree.whiteMoves(parent.ply) ? "w" : "b";
      const earned = parent.parent ? 1000 * this.clock.increment : 0;
      node.clock = { ...parent.clock, [side]: Math.max(0, parent.clock[side] - this.#timeIn(parent)) + earned };
    }
    [this.since, this.#spent] = [null, 0];
    this.isSent = false;
  }

  /** The position after the last move of a person that is no pass: the engine's answer is taken back with it. What has been sent stays. */
  get lastMove() {
    if (this.isByLink && (this.isSent || this.node.turn?.text === "pass")) {
      return null;
    }
    let last = this.isOfPeople ? this.node : this.node.parent;
    while (last?.turn?.text === "pass") {
      last = this.isOfPeople ? last.parent : last.parent?.parent;
    }
    const isOurs = this.isByLink ? this.side !== this.person : this.side === this.here;
    return last?.parent && isOurs ? last : null;
  }

  /** Takes that move back; the clocks show again what they did before it. */
  takeBack() {
    this.tree.remove(this.lastMove);
    [this.since, this.#spent] = [null, 0];
  }

  end(result, termination) {
    const { tree } = this;
    this.stop();
    this.isOver = true;
    tree.result = result;
    tree.setTag("Termination", termination);
    tree.isChanged = true;
  }

  /** What is kept of it, so that the game goes on when the page is loaded anew. */
  get state() {
    const { person, level, clock, isTurning, isByLink, isSent, offered, isOffering, isOver, hints, id, tree } = this;
    return { person, level, clock, isTurning, isByLink, isSent, offered, isOffering, isOver, hints, id, left: this.#left, clocks: clock && tree.line(tree.root).map((node) => node.clock) };
  }

  /** What is kept of it among one's own games, from the first turn on. */
  get own() {
    const { tree, isOver } = this;
    return tree.line(tree.root).length > 1 ? { data: tree.data(), opponent: this.state, result: isOver ? tree.result : "*" } : null;
  }
}

/** What a game that is kept is told apart by: another page may go on with the same one. */
function ownText(own) {
  return JSON.stringify(own && [own.data, Boolean(own.opponent.isOver)]);
}

/** One's own games, the newest first, with that of a contest as it is now. What another page has made of it stays: this one's is a game of its own
    then. Where nothing is changed, they are the same list. */
function withOwnGame(games, contest, at) {
  const text = ownText(contest.own);
  const known = games.find(({ opponent: { id } }) => id === contest.id);
  const isSame = text === contest.keptText;
  // Clocks and hints go on without moves.
  if (isSame && (!known || ownText(known) !== text || JSON.stringify(known.opponent) === JSON.stringify(contest.state))) {
    return games;
  }
  const isOurs = known && [text, contest.keptText].includes(ownText(known));
  if (known && !isOurs) {
    contest.id = newId();
  }
  const others = games.filter((game) => game !== known || !isOurs);
  return contest.own ? [{ at: isSame ? known.at : at, ...contest.own }, ...others] : others;
}

/** A game of a link as it goes on here: the one that is kept, with what the link adds to it (`isOlder`: nothing, as it has gone on); a new one is
    that of `to`, who answers. */
function continued(games, data, { id, to, isOffered }) {
  const known = games.find(({ opponent }) => opponent.id === id) ?? null;
  const [tree, other] = [known?.data ?? data, data].map((one) => new GameTree(one));
  const [played, added] = [tree, other].map((one) => one.playedLine(one.root).slice(1));
  const isOver = data.result !== "*";
  const hasEnded = Boolean(known?.opponent.isOver);
  const isSame = tree.rules === other.rules && tree.start === other.start && played.slice(0, added.length).every(({ turn }, at) => turn.text === added[at].turn.text);
  if (!isSame || (isOver && hasEnded && tree.result !== other.result)) {
    throw new Error(t("link-other"));
  }
  const more = added.slice(played.length);
  const isForUs = isOffered && !isOver && (known?.opponent.person ?? to) === to && added.length >= played.length;
  if (known && more.length === 0 && (hasEnded || !isOver) && !isForUs) {
    return { ...known, isOlder: added.length < played.length || hasEnded !== isOver };
  }
  if (known) {
    more.reduce((node, { word }) => tree.add(node, word), played.at(-1) ?? tree.root);
    if (isOver) {
      tree.result = other.result;
      tree.setTag("Termination", other.tag("Termination"));
    }
  }
  const opponent = { person: to, ...known?.opponent, level: null, clock: null, isByLink: true, id, isOver, offered: isForUs ? added.length : null };
  if (more.length > 0 && opponent.isOffering === "sent") {
    opponent.isOffering = false;
  }
  return { data: tree.data(), known, opponent };
}
