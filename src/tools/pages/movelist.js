/* The list of the moves of a game. */

/** The moves as a list to click on: the main line in columns, variations below the move that they replace. */
class MoveList {
  #buttons = new Map();

  constructor(go) {
    this.go = go;
    this.element = make("div", { class: "moves", role: "group", "aria-label": t("moves") });
    // What is shown beside it comes and goes.
    new ResizeObserver(() => this.#reveal()).observe(this.element);
  }

  draw(tree) {
    this.tree = tree;
    this.#buttons = new Map();
    const cells = [];
    if (tree.introduction) {
      cells.push(make("div", { class: "said" }, tree.introduction));
    }
    let fresh = true;
    const [, ...line] = tree.line(tree.root);
    const variation = (node) => make("div", { class: "said" }, this.#variation(node));
    if (line.length === 0) {
      cells.push(...tree.root.children.map(variation));
    }
    for (const node of line) {
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
        // An analysis after the game, too.
        ...[...node.parent.children.slice(1), ...(node === line.at(-1) ? node.children : [])].map(variation),
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
    current.setAttribute("aria-current", "step");
    if (list.contains(document.activeElement)) {
      current.focus({ preventScroll: true });
    }
    this.#reveal();
  }

  /** Scrolls to the current move where it is not in sight: to its middle, or its beginning if the list is lower. */
  #reveal() {
    const [list, current] = [this.element, this.element.querySelector("[aria-current]")];
    const [top, room] = [current?.offsetTop, list.clientHeight - current?.offsetHeight];
    if (current && (top < list.scrollTop || top > list.scrollTop + room)) {
      list.scrollTop = top - Math.max(room, 0) / 2;
    }
  }
}
