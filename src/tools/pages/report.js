/* The report: its frame, the list of games, what is shown when. */

const DATA = JSON.parse(document.getElementById("data").textContent);
// Of a running match they outlast that the page is loaded again.
let { filter = "", sorting = { column: "number", descending: false } } = history.state ?? {};
/** The game that is shown, if one is: see game.js. */
let view = null;
/** The game that was left last: the list takes it up there. */
let lastGame = null;

/** How a game ended, in words; of other programs' tags, which call much `normal`, in theirs. */
function ending({ termination = "normal", reason, result }) {
  if (reason) {
    return named(t("normal"), t(reason));
  }
  return termination !== "normal" ? (DATA.match ? t(termination) : termination) : result === "*" ? t("unterminated") : "";
}

const tagOf = (game, name) => game.tags.find(([tag]) => tag === name)?.[1] ?? "";

/** The columns of the list: key, what it shows, whether it is a number, whether narrow windows leave it out. */
function columns() {
  const all = [
    { key: "number", value: (game) => game.number, number: true },
    { key: "white", value: (game) => game.white },
    { key: "black", value: (game) => game.black },
    { key: "result", value: (game) => game.result },
    { key: "accuracy-white", value: (game) => game.review?.[0].accuracy ?? "", number: true, digits: 1 },
    { key: "accuracy-black", value: (game) => game.review?.[1].accuracy ?? "", number: true, digits: 1 },
    { key: "plies", value: (game) => game.plies, number: true, extra: true },
    { key: "opening", value: (game) => tagOf(game, "Opening"), extra: true },
    { key: "event", value: (game) => (DATA.match ? "" : tagOf(game, "Event")), extra: true, varies: true },
    { key: "date", value: (game) => (DATA.match ? "" : tagOf(game, "Date")), extra: true, varies: true },
    { key: "rules", value: (game) => game.rules, extra: true, varies: true },
    { key: "end", value: ending, extra: true },
    { key: "blunders-short", value: (game) => (game.review ? game.review[0].blunders + game.review[1].blunders : ""), number: true, extra: true },
  ];
  return all.filter(({ key, value, varies }) => {
    const isThere = key === "number" || DATA.games.some((game) => value(game) !== "");
    return isThere && (!varies || DATA.games.some((game) => value(game) !== value(DATA.games[0])));
  });
}

const kinds = ({ number, extra, key }) => `${number ? "number" : ""} ${extra ? "extra" : ""} ${key}`;

function gameList() {
  const shownColumns = columns();
  const text = ({ value, number, digits }, game) => {
    const content = value(game);
    return number && content !== "" ? fixed(content, digits ?? 0) : content;
  };
  const names = (game, white) => {
    const winner = game.result === "1-0" ? true : game.result === "0-1" ? false : null;
    return make("span", { class: winner === white ? "won" : null }, white ? game.white : game.black);
  };
  const rows = DATA.games.map((game) => {
    const place = `#game=${game.number}`;
    const row = make("tr", { click: (event) => event.target.closest("a") || (location.hash = place) },
      shownColumns.map((column) => {
        const written = text(column, game);
        const content = column.key === "number" ? make("a", { href: place, "aria-label": t("game-of", written) }, written)
          : column.key === "white" ? names(game, true) : column.key === "black" ? names(game, false) : written;
        return make("td", { class: kinds(column) }, content);
      }));
    const words = [game.white, game.black, game.result, ending(game), game.rules, ...game.tags.map(([, value]) => value)];
    return { game, row, words: words.join(" ").toLocaleLowerCase(code()) };
  });
  const body = make("tbody");
  const count = make("p", { class: "muted small", role: "status" });
  const update = () => {
    const wanted = filter.toLocaleLowerCase(code()).split(/\s+/).filter(Boolean);
    const found = rows.filter(({ words }) => wanted.every((word) => words.includes(word)));
    const { value, number } = shownColumns.find(({ key }) => key === sorting.column) ?? shownColumns[0];
    const collator = new Intl.Collator(code(), { numeric: true });
    // Unknown numbers come last, in either direction.
    const compare = ({ game: one }, { game: other }) => {
      const [first, second] = [value(one), value(other)];
      if (number && (first === "" || second === "")) {
        return (first === "") - (second === "");
      }
      const order = number ? first - second : collator.compare(first, second);
      return sorting.descending ? -order : order;
    };
    body.replaceChildren(...[...found].sort(compare).map(({ row }) => row));
    count.textContent = t("shown", fixed(found.length), fixed(rows.length));
  };
  const heads = shownColumns.map((column) => {
    const head = make("th", { scope: "col", class: kinds(column) },
      make("button", { type: "button", click: () => {
        const isSame = sorting.column === column.key;
        sorting = { column: column.key, descending: isSame && !sorting.descending };
        showSorting();
        update();
      } }, t(column.key)));
    return { head, key: column.key };
  });
  const showSorting = () => {
    for (const { head, key } of heads) {
      if (key === sorting.column) {
        head.setAttribute("aria-sort", sorting.descending ? "descending" : "ascending");
      } else {
        head.removeAttribute("aria-sort");
      }
    }
  };
  const input = make("input", {
    type: "search", id: "filter", placeholder: t("filter"), "aria-label": t("filter"), autocomplete: "off",
    input: () => {
      filter = input.value;
      update();
    },
  });
  input.value = filter;
  showSorting();
  update();
  return make("section", { class: "panel games" },
    make("div", { class: "listhead" }, make("h2", {}, t("games")), input, count),
    DATA.left_out > 0 ? make("p", {}, t("left-out", fixed(DATA.left_out))) : null,
    rows.length === 0 ? make("p", {}, t("no-games"))
      : make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, heads.map(({ head }) => head))), body)));
}

/** How everybody has played in the games that were analysed. */
function playerTable() {
  const figures = ["inaccuracies", "mistakes", "blunders", "missed-wins", "judged", "forced"];
  const head = [["player", ""], ...["games", "accuracy", "average-loss", ...figures].map((key) => [key, "number"])];
  const rows = DATA.players.map((player) => [
    player.name ?? "?",
    fixed(player.games),
    isKnown(player.accuracy) ? percent(player.accuracy / 100) : "–",
    isKnown(player.average_loss) ? fixed(player.average_loss, 3) : "–",
    ...figures.map((key) => fixed(player[key.replace("-", "_")])),
  ]);
  return panel(t("players"), table(head.map(([key, kind]) => [t(key), kind]), rows));
}

function overview() {
  const parts = DATA.match ? matchPanels(DATA.match) : DATA.players.length > 0 ? [playerTable()] : [];
  return [...parts, gameList()];
}

function frame() {
  return make("header", {}, make("h1", {}, DATA.title || t("report")), make("div", { class: "settings" }, settings(render).map(([, select]) => select)));
}

/** Draws the page anew, in the language and at the place that hold now. */
function render() {
  document.documentElement.lang = code();
  const place = new URLSearchParams(location.hash.slice(1));
  const game = DATA.games.find(({ number }) => number === Number(place.get("game")));
  const ply = Number.parseInt(place.get("ply") ?? "", 10);
  document.title = game ? `${game.white} – ${game.black}` : DATA.title || t("report");
  const main = make("main", { tabindex: "-1" });
  if (game) {
    lastGame = game.number;
    const before = view?.game === game ? view : null;
    view = new GameView(game, Number.isNaN(ply) ? (before?.ply ?? 0) : ply);
    // In another language, or a window of another width, the same line is looked at.
    view.line = before?.ply === view.ply ? before.line : null;
    main.append(view.element);
  } else {
    view = null;
    main.append(...overview(), make("p", { class: "muted small" }, t("made-by", document.querySelector("meta[name=generator]").content.replace("Vato ", ""))));
  }
  document.querySelectorAll("header, main").forEach((old) => old.remove());
  document.body.append(frame(), main);
  view?.show();
}

addEventListener("hashchange", () => {
  const wasGame = view !== null;
  render();
  if (wasGame && !view) {
    // Back to where the list was left.
    const link = document.querySelector(`a[href="#game=${lastGame}"]`);
    link?.focus();
    link?.scrollIntoView({ block: "center" });
  } else {
    scrollTo(0, 0);
    document.querySelector("main").focus({ preventScroll: true });
  }
});

addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("select, input")) {
    return;
  }
  if (view) {
    view.key(event);
  } else if (event.key === "/") {
    event.preventDefault();
    document.getElementById("filter")?.focus();
  }
});

narrow.addEventListener("change", render);
render();

if (DATA.live) {
  setInterval(() => {
    // Nobody is interrupted who looks at a game, writes a filter or uses the keyboard.
    if (!view && !document.querySelector(":focus-visible, select:focus")) {
      history.replaceState({ filter, sorting }, "");
      location.reload();
    }
  }, 1000 * DATA.live);
}
