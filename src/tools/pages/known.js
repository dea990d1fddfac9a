/* What is known of the position that is shown: what is proven of it, and what was played in it in collections of games. */

/** What is proven of a position, in words: `white` and `black` are whether they can win. */
const provenText = ({ white, black }) => t(white ? "proven-white-wins" : black ? "proven-black-wins" : white === black ? "proven-draw" : white === false ? "proven-no-white-win" : "proven-no-black-win");

/** What a game against the proof comes to: why the person cannot win, by the proof or by the tables. */
function proofText({ node: { known: { proven, table }, ply }, opponent: { person }, tree }) {
  const wins = proven && (person === "w" ? proven.white : proven.black);
  return table?.length > 0 ? t("proof-tables", tablesText(table, tree.whiteMoves(ply), true)) : wins === false ? t(person === "w" ? "proof-white" : "proof-black") : "";
}

/** The traditional name of the first move of the line that is shown, if it has one: the start knows it, or the position. */
function openingOf({ node, tree }) {
  const [root, first] = tree.line(node);
  return node.known?.opening ?? root.known?.firsts.find(({ word }) => word === first?.word)?.opening;
}

/** What the tables say of a move. */
const tableText = ({ outcome, plies, late }) => (outcome === "draw"
  ? t(late ? "table-late" : "table-draw")
  : t(outcome === "win" ? "table-win" : "table-loss", t(plies === 1 ? "one-ply" : "some-plies", plies)));

/** What the tables know of a position, by its moves, the best first. A player is told the winner's moves, not plies. */
function tablesText(moves, isWhite, isPlayed = false) {
  const [{ outcome, plies }] = moves;
  const [length, one, some] = isPlayed ? [Math.ceil(plies / 2), "one-move", "some-moves"] : [plies, "one-ply", "some-plies"];
  const count = (wanted) => fixed(moves.filter((move) => move.outcome === wanted).length);
  return outcome === "draw" ? t("tables-draw", count("draw"), count("loss"))
    : t("tables-win", t((outcome === "win") === isWhite ? "white" : "black"), t(length === 1 ? one : some, fixed(length)));
}

/** What is proven of the position that is shown and of its moves, by the tables or by the solver. */
function provenParts(app) {
  const { node: { known, ply }, tree } = app;
  const list = (moves, kind, words) => make("ul", { class: "table" }, moves.map((move) => make("li", { class: kind(move) },
    make("button", { type: "button", click: () => app.playLine([move.word]) }, turnOf(move.word).text), make("span", { class: "small" }, words(move)))));
  const { proven, table } = known;
  const firsts = known.firsts.filter((move) => move.proven);
  return [
    proven && make("p", { class: "proven" }, t("proven", provenText(proven))),
    proven?.reply && firsts.length === 0 ? list([{ word: proven.reply }], () => "", () => t("proof-reply")) : null,
    firsts.length > 0 ? make("details", {}, make("summary", { class: "small" }, t("proven-firsts")), list(firsts, () => "", (move) => provenText(move.proven))) : null,
    table?.length > 0 ? [make("h3", {}, t("tables")), make("p", { class: "proven" }, tablesText(table, tree.whiteMoves(ply))),
      list(table, ({ outcome }) => outcome, tableText)] : null,
  ].flat().filter(Boolean);
}

/** The moves that were played from the position, in the games with which the server was started. */
class ExplorerPanel {
  /** The position of the table, and whether the server is being asked. */
  #node = null;
  #isAsking = false;

  constructor(app) {
    this.app = app;
  }

  draw() {
    if (!this.#isPossible) {
      return [make("p", {}, t("explorer-is")), make("p", {}, t("explorer-needs"), " ", make("code", {}, "vato gui --games FILE")),
        make("div", { class: "row" }, make("button", { type: "button", click: () => openFileDialog(this.app) }, t("open-games")))];
    }
    const head = ["move", "games", "explorer-results", "engine"].map((key) => make("th", { scope: "col" }, t(key)));
    this.count = make("p", { class: "muted small", role: "status" });
    this.rows = make("tbody");
    this.table = make("table", {}, make("thead", {}, make("tr", {}, head)), this.rows);
    this.#node = null;
    return [this.count, this.table];
  }

  /** Whether there are games to explore. */
  get #isPossible() {
    return this.app.start.games > 0;
  }

  /** Follows the position that is shown. One request at a time: the next is for where one is by then. */
  async show() {
    const { node, tree, view, start } = this.app;
    const isFound = () => node.explored?.start === start;
    if (!this.#isPossible || view.tabs.current !== "explorer" || node === this.#node) {
      return;
    }
    if (!isFound()) {
      if (this.#isAsking) {
        return;
      }
      this.#isAsking = true;
      try {
        node.explored = { start, ...(await ask("/explore", { place: tree.place(node) })) };
      } catch (error) {
        this.count.textContent = error.message;
        this.table.hidden = true;
      }
      this.#isAsking = false;
      if (node !== this.app.node || start !== this.app.start) {
        this.show();
        return;
      }
    }
    if (isFound()) {
      this.#node = node;
      this.#fill(node.explored);
    }
  }

  /** Rows are changed in place: their buttons keep the focus. */
  #fill({ games, moves }) {
    this.count.textContent = games > 0 ? t("explorer-games", fixed(games)) : t("explorer-none");
    this.table.hidden = moves.length === 0;
    while (this.rows.children.length > moves.length) {
      const isLeft = this.rows.lastChild.contains(document.activeElement);
      this.rows.lastChild.remove();
      isLeft && document.getElementById("tab-explorer").focus();
    }
    moves.forEach(({ word, games: count, results }, at) => {
      if (!this.rows.children[at]) {
        const play = ({ target }) => this.#node === this.app.node && this.app.playLine([target.word]);
        const bar = make("div", { class: "results", "aria-hidden": "true" }, ["white", "drawn", "black"].map((kind) => make("div", { class: kind })));
        this.rows.append(make("tr", {}, make("td", {}, make("button", { type: "button", click: play })), make("td", { class: "number" }),
          make("td", {}, bar, make("span", { class: "small" })), make("td", { class: "number" })));
      }
      const [move, number, ends] = this.rows.children[at].children;
      move.firstChild.word = word;
      move.firstChild.textContent = turnOf(word).text;
      number.textContent = fixed(count);
      results.forEach((result, part) => { ends.firstChild.children[part].style.flexGrow = result; });
      ends.lastChild.textContent = results.some((result) => result > 0) ? results.map((result) => fixed(result)).join(" · ") : "–";
      ends.firstChild.hidden = results.every((result) => result === 0);
      ends.setAttribute("title", t("explorer-ends", ...results.map((result) => fixed(result))));
    });
    this.showScores();
  }

  /** The engine's values of the moves, where it has them. */
  showScores() {
    if (this.#node === this.app.node) {
      for (const { firstChild, lastChild } of this.rows.children) {
        const score = wonText(this.app.engine.scoreOf(turnOf(firstChild.firstChild.word).text));
        if (lastChild.textContent !== score) {
          lastChild.textContent = score;
        }
      }
    }
  }
}
