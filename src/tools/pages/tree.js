/* A game with its variations, and the list of its moves. */

/** What engines write in comments, `+0.35/12 0.84s`: the score from the mover's view, depth, time. */
const ENGINE_COMMENT = /^(?:([+-])(\d+\.\d+|M\d+|TB)(?:\/\d+(?: \d+(?:\.\d+)?s)?|(?=\s*$))|\d+\.\d+s)(?![^\s,;])[,;]?/;

/** What `vato analyse` writes behind the comments that it finds. */
const ANNOTATION = /(?:^| )Vato: ([+-])(\d+\.\d+|M\d+|TB)(?:\/\d+)?(?: missed win)?(?:, no mark|, mark \S+)?$/;

/** A comment as it is saved. */
const tidied = (text) => text.replace(/[\p{White_Space}\p{Cc}]+/gu, " ").trim().replaceAll("{", "(").replaceAll("}", ")");

/** The marks of a move: those that it was given, or what its evaluation says. */
const marksOf = ({ marks, judged }) => (judged && !marks.some((mark) => Object.hasOwn(MARKS, mark)) ? [judged, ...marks] : marks);

class GameTree {
  /** Whether there is something in it that has not been saved, and whether it is another game than was read. */
  #isChanged = false;
  #result;
  /** How the game has ended (`Termination`), by the result of which that is said. */
  #terminations = {};
  isEdited = false;
  /** Whether somebody has set up the position that it begins with, or has said whose game it is. */
  isOwn = false;

  /** `data` as the server has it: rules, start, tags, comments, result, and nodes with parents before children. */
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
      const own = tidied(given.slice(noted.length));
      Object.assign(node, { noted, added: added.trim(), comment: own, before: tidied(before ?? ""), marks: marks ?? [] });
      node.score = value ? this.#score(node, sign, value) : null;
      nodes.push(node);
    }
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
    this.#terminations[this.#result] = this.tag("Termination");
    this.#result = result;
    this.setTag("Termination", this.#terminations[result]);
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
    this.isChanged = true;
    const stones = Board.play(parent.stones, turn, this.columns);
    const node = { parent, children: [], word, turn, stones, ply: parent.ply + 1, noted: "", added: "", comment: "", before: "", marks: [] };
    parent.children.push(node);
    return node;
  }

  /** Whether a turn that is added begins no variation within more than so many. */
  mayAdd(parent, word, nesting) {
    const { children } = parent;
    return children.length === 0 || children.some(({ turn }) => turn.text === turnOf(word).text) || this.#depth(parent) < nesting;
  }

  /** In how many variations a node is. */
  #depth(node) {
    return this.path(node).filter((at) => at.parent.children[0] !== at).length;
  }

  remove(node) {
    const { parent } = node;
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
    // The result of a position goes with it, also where it was kept as a given one.
    if (end.known?.outcome && this.line(this.root).at(-1) !== end) {
      this.result = "*";
    }
    this.isChanged = true;
  }

  /** Makes the variation that a node is in the line that it begins instead of; whether that one is not nested too deep then. */
  promote(node, nesting) {
    let head = node;
    while (head.parent && head.parent.children[0] === head) {
      head = head.parent;
    }
    if (head.parent) {
      const before = head.parent.children;
      const waiting = [[before[0], this.#depth(head.parent) + 1]];
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
    const head = by < 0 && this.path(node).findLast((at) => at.parent.children[0] !== at);
    return head ? head.parent.children[head.parent.children.indexOf(head) - 1] : null;
  }

  /** The nodes from the first to the last of the line that a node is in; the start is the first. */
  line(node) {
    const line = [this.root, ...this.path(node)];
    for (let [next] = node.children; next; [next] = next.children) {
      line.push(next);
    }
    return line;
  }

  /** A position as the server is asked about it. */
  place(node) {
    return { rules: this.rules, start: this.start, moves: this.path(node).map(({ turn }) => turn.text) };
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
      const { word, noted, added, before, marks, parent } = node;
      // What stands between spaces is a person's own, also if it looks like what engines write.
      const comment = noted || added || node.comment ? `${noted} ${node.comment} ${added}` : "";
      nodes.push({ parent: numbers.get(parent), word, comment, before, marks });
      numbers.set(node, nodes.length);
      waiting.push(...[...node.children].reverse());
    }
    return { rules, start, tags, introduction, conclusion, result, nodes };
  }

  #score(node, sign, value) {
    const isForWhite = (sign === "+") === this.isWhite(node.ply);
    const text = (isForWhite ? "+" : "-") + value;
    return { text, height: heightOf(text) };
  }
}

/** The moves as a list to click on: the main line in columns, variations below the move that they replace. */
class MoveList {
  #buttons = new Map();

  constructor(go) {
    this.go = go;
    this.element = make("div", { class: "moves", role: "group", "aria-label": t("moves") });
  }

  draw(tree) {
    this.tree = tree;
    this.#buttons = new Map();
    const cells = [];
    if (tree.introduction) {
      cells.push(make("div", { class: "said" }, tree.introduction));
    }
    let fresh = true;
    for (let node = tree.root.children[0], parent = tree.root; node; parent = node, [node] = node.children) {
      const isWhite = tree.isWhite(node.ply);
      if (isWhite || fresh) {
        cells.push(make("span", { class: "count" }, tree.count(node.ply)));
        if (!isWhite) {
          cells.push(make("span"));
        }
      }
      cells.push(this.#button(node, ""));
      const below = [
        node.comment ? make("div", { class: "said" }, node.comment) : null,
        ...parent.children.slice(1).map((other) => make("div", { class: "said" }, this.#variation(other))),
      ].filter(Boolean);
      fresh = below.length > 0;
      if (fresh && isWhite) {
        cells.push(make("span"));
      }
      cells.push(...below);
    }
    if (tree.conclusion) {
      cells.push(make("div", { class: "said" }, tree.conclusion));
    }
    this.outcome = make("strong", { class: "outcome" });
    this.element.replaceChildren(...cells, this.outcome);
  }

  /** A variation and all that branches off it, as running text. */
  #variation(head) {
    const parts = [head.before ? `${head.before} ` : null];
    let counted = false;
    for (let node = head; node; [node] = node.children) {
      const count = this.tree.isWhite(node.ply) || !counted ? `${this.tree.count(node.ply)} ` : "";
      parts.push(this.#button(node, count), node.comment ? ` ${node.comment} ` : " ");
      counted = !node.comment;
      if (node !== head) {
        const others = node.parent.children.slice(1);
        parts.push(...others.flatMap((other) => ["(", this.#variation(other), ") "]));
        counted &&= others.length === 0;
      }
    }
    return parts;
  }

  #button(node, count) {
    const marks = marksOf(node).map((mark) => make("span", { class: `mark ${MARKS[mark] ?? ""}` }, `\u00a0${mark}`));
    const button = make("button", { type: "button", tabindex: "-1", click: () => this.go(node) }, count, node.turn.text, marks);
    this.#buttons.set(node, button);
    return button;
  }

  /** Shows where the board is. */
  show(node) {
    const { result } = this.tree;
    this.outcome.textContent = result === "*" ? "" : result;
    this.element.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.element.querySelectorAll("[tabindex='0']").forEach((button) => button.setAttribute("tabindex", "-1"));
    const current = this.#buttons.get(node);
    const [first] = this.#buttons.values();
    (current ?? first)?.setAttribute("tabindex", "0");
    const list = this.element;
    if (!current) {
      list.scrollTop = 0;
      return;
    }
    // Where they are one line.
    list.scrollLeft = current.offsetLeft - list.clientWidth / 2;
    current.setAttribute("aria-current", "step");
    if (list.contains(document.activeElement)) {
      current.focus({ preventScroll: true });
    }
    const top = current.offsetTop;
    if (top < list.scrollTop || top + current.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  }
}
