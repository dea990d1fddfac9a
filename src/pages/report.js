/* The report: its frame, the list of games, what is shown when. */

const DATA = JSON.parse(document.getElementById("data").textContent);
const LANGUAGES = [["en", "English"], ["fr", "Français"], ["mg", "Malagasy"]];
const THEMES = ["auto", "light", "dark"];

/** What a reader has chosen; where files may store nothing, it is forgotten with the page. */
const stored = {
  get(name) {
    try {
      return localStorage.getItem(`vato-${name}`);
    } catch {
      return null;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`vato-${name}`, value);
    } catch {
      // It counts as long as the page is open.
    }
  },
};

let language = LANGUAGES.findIndex(([code]) => code === (stored.get("language") ?? navigator.language.slice(0, 2)));
language = Math.max(language, 0);
let theme = THEMES.includes(stored.get("theme")) ? stored.get("theme") : "auto";
let filter = "";
let sorting = { column: "number", descending: false };
/** The game that is shown, if one is: see game.js. */
let view = null;
/** The game that was left last: the list takes it up there. */
let lastGame = null;

/** A text in the language of the page; what has no text is shown as it is. */
function t(key, ...values) {
  const text = Object.hasOwn(TEXTS, key) ? TEXTS[key][language] : key;
  return text.replace(/\{(\d)\}/g, (_, place) => values[place]);
}

/** An element with attributes (functions are listeners) and children: elements, or texts, which stay texts. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name, value);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

const code = () => LANGUAGES[language][0];
/** Writers of numbers, by language and digits: to make one takes longer than to write with it. */
const numberFormats = new Map();

/** A number with at least and at most so many digits behind the point. */
function written(value, least, most) {
  const key = `${code()} ${least} ${most}`;
  if (!numberFormats.has(key)) {
    numberFormats.set(key, new Intl.NumberFormat(code(), { minimumFractionDigits: least, maximumFractionDigits: most }));
  }
  return numberFormats.get(key).format(value).replace("-", "−");
}

const fixed = (value, digits = 0) => written(value, digits, digits);
/** Up to one digit, such as points. */
const short = (value) => written(value, 0, 1);
const percent = (share, digits = 1) => `${fixed(100 * share, digits)} %`;
const isKnown = (value) => value !== null && value !== undefined;
/** With its sign; zero is +0. */
function signed(value, digits = 0) {
  const text = fixed(Math.abs(value), digits);
  const isNegative = value < 0 && Number(value.toFixed(digits)) !== 0;
  return (isNegative ? "−" : "+") + text;
}

/**
 * A table: `head` is a list of `[text, class]`, rows are lists of texts or elements; the first cell names the row.
 * A `tall` one scrolls within its panel.
 */
function table(head, rows, kind = "") {
  const cell = (tag, content, kind) => make(tag, { class: kind, scope: tag === "th" ? "row" : null }, content);
  return make("div", { class: `scroll ${kind}`, tabindex: kind === "tall" ? "0" : null }, make("table", {},
    make("thead", {}, make("tr", {}, head.map(([text, align]) => make("th", { class: align, scope: "col" }, text)))),
    make("tbody", {}, rows.map((row) =>
      make("tr", {}, row.map((content, column) => cell(column === 0 ? "th" : "td", content, head[column][1]))))),
  ));
}

function panel(title, ...content) {
  return make("section", { class: "panel" }, make("h2", {}, title), content);
}

/** How a game ended, in words. */
function ending(game) {
  const kind = game.termination ? t(game.termination) : game.reason ? t("normal") : game.result === "*" ? t("unterminated") : "";
  return game.reason ? `${kind}: ${t(game.reason)}` : kind;
}

const tagOf = (game, name) => game.tags.find(([tag]) => tag === name)?.[1] ?? "";

/** The columns of the list: key, what it shows, whether it is a number, whether narrow windows leave it out. */
function columns() {
  const all = [
    { key: "number", value: (game) => game.number, number: true },
    { key: "white", value: (game) => game.white },
    { key: "black", value: (game) => game.black },
    { key: "result", value: (game) => game.result },
    { key: "plies", value: (game) => game.plies, number: true, extra: true },
    { key: "opening", value: (game) => tagOf(game, "Opening"), extra: true },
    { key: "event", value: (game) => (DATA.match ? "" : tagOf(game, "Event")), extra: true, varies: true },
    { key: "date", value: (game) => (DATA.match ? "" : tagOf(game, "Date")), extra: true, varies: true },
    { key: "rules", value: (game) => game.rules, extra: true, varies: true },
    { key: "end", value: ending, extra: true },
    { key: "accuracy-white", value: (game) => game.review?.[0].accuracy ?? "", number: true, extra: true, digits: 1 },
    { key: "accuracy-black", value: (game) => game.review?.[1].accuracy ?? "", number: true, extra: true, digits: 1 },
    { key: "blunders-short", value: (game) => (game.review ? game.review[0].blunders + game.review[1].blunders : ""), number: true, extra: true },
  ];
  return all.filter(({ value, varies }) => {
    const isThere = DATA.games.some((game) => value(game) !== "");
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
  const chooser = (name, label, options, chosen, choose) => {
    const select = make("select", { "aria-label": label, title: label, change: () => choose(select.value) },
      options.map(([value, text]) => make("option", { value, selected: value === chosen }, text)));
    return select;
  };
  const languages = chooser("language", t("language"), LANGUAGES, code(), (value) => {
    stored.set("language", value);
    language = LANGUAGES.findIndex(([name]) => name === value);
    render();
  });
  const themes = chooser("theme", t("theme"), THEMES.map((name) => [name, t(`theme-${name}`)]), theme, (value) => {
    stored.set("theme", value);
    theme = value;
    showTheme();
  });
  return make("header", {}, make("h1", {}, DATA.title || t("report")), make("div", { class: "settings" }, languages, themes));
}

const systemTheme = matchMedia("(prefers-color-scheme: dark)");

function showTheme() {
  const isDark = theme === "auto" ? systemTheme.matches : theme === "dark";
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
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
    view = new GameView(game, Number.isNaN(ply) ? (view?.game === game ? view.ply : 0) : ply);
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

systemTheme.addEventListener("change", showTheme);
narrow.addEventListener("change", render);
showTheme();
render();
