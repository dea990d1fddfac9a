/* What the report shows of a match: what `vato match` has reckoned, in tables and charts. */

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

/** The names of the lines of a chart, each with a piece of its line. */
function legend(names) {
  return make("ul", { class: "legend" }, names.map((name, series) => make("li", {},
    svg("svg", { viewBox: "0 0 26 12", "aria-hidden": "true" }, svg("line", { class: `series-${series % 6}`, x1: 0, x2: 26, y1: 6, y2: 6, "stroke-width": 4 })),
    name)));
}

/** Round numbers from the first to the last, `count` of them or fewer. */
function ticks(least, most, count = 5) {
  const rough = (most - least) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const unit = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough);
  const all = [];
  for (let tick = Math.ceil(least / unit); tick * unit <= most + unit * 1e-9; tick += 1) {
    all.push(tick * unit);
  }
  return all;
}

/**
 * A chart of lines over the number of games: `lines` are lists of `[x, y]`, `band` a list of `[x, low, high]`,
 * `bounds` are heights that are drawn as broken lines.
 */
function lineChart(label, { lines, band = [], bounds = [], digits = 0 }) {
  const points = lines.flat();
  if (points.length === 0) {
    return null;
  }
  const [width, height] = isNarrow() ? [340, 200] : [640, 240];
  const [left, bottom, top, right] = [58, 28, 10, 12];
  const most = Math.max(...points.map(([x]) => x), 1);
  const values = points.map(([, y]) => y);
  // Bounds that are far out, as after few games, are cut off.
  const spread = Math.max(...values) - Math.min(...values) || 10;
  const [cutLow, cutHigh] = [Math.min(...values) - 1.5 * spread, Math.max(...values) + 1.5 * spread];
  const cut = (value) => Math.min(Math.max(value, cutLow), cutHigh);
  const heights = [...values, ...bounds, 0, ...band.flatMap(([, low, high]) => [cut(low), cut(high)])];
  const margin = 0.05 * (Math.max(...heights) - Math.min(...heights)) || 1;
  const [low, high] = [Math.min(...heights) - margin, Math.max(...heights) + margin];
  const x = (value) => left + (value * (width - left - right)) / most;
  const y = (value) => height - bottom - ((value - low) * (height - bottom - top)) / (high - low);
  const chart = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  const text = (attributes, written) => {
    const element = svg("text", attributes);
    element.textContent = written;
    return element;
  };
  for (const tick of ticks(low, high)) {
    const kind = Math.abs(tick) < 1e-9 ? "zero" : "grid";
    chart.append(svg("line", { class: kind, x1: left, x2: width - right, y1: y(tick), y2: y(tick) }));
    chart.append(text({ x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, kind === "zero" ? fixed(0) : signed(tick, digits)));
  }
  chart.append(text({ x: left - 6, y: height - 8, "text-anchor": "end" }, t("games")));
  for (const tick of ticks(0, most, isNarrow() ? 5 : 10).filter(Number.isInteger)) {
    chart.append(text({ x: x(tick), y: height - 8, "text-anchor": tick === 0 ? "start" : tick > 0.95 * most ? "end" : "middle" }, fixed(tick)));
  }
  if (band.length > 1) {
    const upper = band.map(([place, , above]) => [x(place), y(cut(above))]);
    const lower = band.map(([place, below]) => [x(place), y(cut(below))]).reverse();
    chart.append(svg("polygon", { class: "band", points: [...upper, ...lower].join(" ") }));
  }
  for (const bound of bounds) {
    chart.append(svg("line", { class: "bound", x1: left, x2: width - right, y1: y(bound), y2: y(bound) }));
  }
  lines.forEach((line, series) => {
    chart.append(svg("polyline", { class: `line series-${series % 6}`, points: line.map(([place, value]) => [x(place), y(value)]).join(" ") }));
  });
  return chart;
}

/** An estimate: `+12.3 ± 4.5`. */
function estimateText(estimate, digits = 1) {
  if (!isKnown(estimate?.value)) {
    return t("unknown");
  }
  const hasBounds = isKnown(estimate.lower) && isKnown(estimate.upper);
  const margin = hasBounds ? (estimate.upper - estimate.lower) / 2 : 0;
  return signed(estimate.value, digits) + (margin > 0 ? ` ± ${fixed(margin, digits)}` : "");
}

function boundsText(estimate, digits = 1) {
  const hasBounds = isKnown(estimate?.lower) && isKnown(estimate?.upper);
  return hasBounds ? t("bounds", signed(estimate.lower, digits), signed(estimate.upper, digits)) : t("no-bounds");
}

const countsText = ({ wins, draws, losses }) => `+${fixed(wins)} =${fixed(draws)} −${fixed(losses)}`;
const pointsOf = ({ wins, draws }) => wins + draws / 2;
/** What is counted. */
const unitOf = ({ format }) => t(format === "vela" ? "rounds" : "games");
const gamesOf = ({ wins, draws, losses }) => wins + draws + losses;

function tile(name, value, ...more) {
  return make("div", { class: "tile" }, make("div", { class: "name" }, name), make("div", { class: "value" }, value),
    more.map((text) => make("div", { class: "more" }, text)));
}

/** The result: of two engines with score and Elo, from the view of the first. */
function summaryPanel(contest) {
  const { tally, figures } = contest;
  const isVela = contest.format === "vela";
  const tiles = [];
  if (tally && figures) {
    const all = gamesOf(tally);
    const points = pointsOf(tally);
    tiles.push(
      tile(isVela ? `${t("score")} (${t("rounds").toLowerCase()})` : t("score"), `${short(points)} / ${fixed(all)}`, percent(points / all), `${t("as-white", countsText(tally.white))}; ${t("as-black", countsText(tally.black))}`),
      tile(t("elo"), estimateText(figures.elo), boundsText(figures.elo)),
      tile(t("normalised"), estimateText(figures.normalized_elo), boundsText(figures.normalized_elo)),
      tile(t("los"), isKnown(figures.los) ? percent(figures.los) : t("unknown")),
    );
  }
  tiles.push(tile(t("games"), fixed(contest.games), t(contest.ending)),
    tile(t("mean-plies"), fixed(contest.mean_plies)));
  const share = () => {
    const part = (kind, value) => {
      const element = make("div", { class: kind });
      element.style.flexGrow = value;
      return element;
    };
    return [make("div", { class: "share", "aria-hidden": "true" }, part("wins", tally.wins), part("draws", tally.draws), part("losses", tally.losses)),
      make("p", { class: "small" }, named(contest.engines[0].name, t("wins-draws-losses", fixed(tally.wins), `${fixed(tally.draws)} (${percent(tally.draws / gamesOf(tally))})`, fixed(tally.losses)))),
      make("p", { class: "small muted" }, named(t("pairs"), tally.pairs.map((pair) => fixed(pair)).join(", ")))];
  };
  return panel(contest.event || t("summary"), make("p", { class: "muted" }, contest.conditions),
    make("div", { class: "tiles" }, tiles), tally && figures ? share() : null,
    figures?.with_prior ? make("p", { class: "small muted" }, t("with-prior")) : null,
    figures?.unpaired > 0 ? make("p", { class: "small muted" }, t("unpaired", fixed(figures.unpaired))) : null,
    contest.ranking.places.filter(({ vela }) => vela).map(({ name, vela }) =>
      make("p", { class: "small" }, named(name, t("velas", ...[vela.normal, vela.as_giver, vela.as_eater].map(countsText))))),
    (contest.ranking.remarks ?? []).map((remark) => make("p", { class: "small" }, remark)));
}

/** The engines in their order, with what each has done against each. */
function standingsPanel(contest) {
  const { places, tie_breaks: tieBreaks } = contest.ranking;
  const has = (of) => places.some(of);
  const columns = [
    [t("engine"), "", ({ name }, place) => `${place + 1}. ${name}`],
    [t("points"), "number", ({ points }) => short(points)],
    [unitOf(contest), "number", ({ games }) => fixed(games)],
    has(({ bye_points: byes }) => byes > 0) && [t("byes"), "number", ({ bye_points: byes }) => short(byes)],
    ...tieBreaks.map((name, place) => [name === "buchholz" ? "Buchholz" : "Sonneborn-Berger", "number", (row) => fixed(row.tie_breaks[place], 2)]),
    contest.ratings && ["Elo", "number", ({ engine }) => estimateText(contest.ratings.engines[engine].elo, 0)],
    ...places.map((other, place) => [`${place + 1}`, "number", ({ engine }) => {
      const counts = contest.crosstable[engine][other.engine];
      return engine === other.engine ? "·" : gamesOf(counts) === 0 ? "" : `${short(pointsOf(counts))}/${fixed(gamesOf(counts))}`;
    }]),
    has(({ note }) => note) && [t("came-to"), "", ({ note }) => note ?? ""],
  ].filter(Boolean);
  const rows = places.map((place, number) => columns.map(([, , write]) => write(place, number)));
  return panel(`${t("standings")} · ${t("crosstable")}`, table(columns, rows), make("p", { class: "muted small" }, t("crosstable-help", unitOf(contest).toLowerCase())));
}

/** Ratings with error bars. */
function ratingsPanel(contest) {
  const { ratings } = contest;
  const rated = contest.ranking.places
    .map(({ engine, name }) => ({ name, elo: ratings.engines[engine].elo }))
    .filter(({ elo }) => isKnown(elo?.value));
  const ends = rated.flatMap(({ elo }) => [elo.value, elo.lower, elo.upper]).filter(isKnown);
  const margin = 0.05 * (Math.max(...ends) - Math.min(...ends)) || 10;
  const [least, most] = [Math.min(...ends) - margin, Math.max(...ends) + margin];
  const [width, left] = isNarrow() ? [340, 100] : [640, 190];
  const [row, foot] = [28, 26];
  const height = rated.length * row + foot;
  const x = (value) => left + ((value - least) * (width - left - 20)) / (most - least);
  const chart = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": rated.map(({ name, elo }) => `${name}: ${estimateText(elo, 0)}`).join("; ") });
  const text = (attributes, written) => {
    const element = svg("text", attributes);
    element.textContent = written;
    return element;
  };
  for (const tick of ticks(least, most, isNarrow() ? 4 : 8)) {
    chart.append(svg("line", { class: "grid", x1: x(tick), x2: x(tick), y1: 0, y2: height - foot }),
      text({ x: x(tick), y: height - 8, "text-anchor": "middle" }, fixed(tick)));
  }
  // Names have 12 pixels (style.css).
  const pen = make("canvas").getContext("2d");
  pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  rated.forEach(({ name, elo }, place) => {
    const y = place * row + row / 2;
    let shown = name;
    for (let letters = name.length - 1; pen.measureText(shown).width > left - 14; letters -= 1) {
      shown = `${name.slice(0, letters)}…`;
    }
    chart.append(text({ class: "name", x: left - 10, y: y + 4, "text-anchor": "end" }, shown));
    if (isKnown(elo.lower) && isKnown(elo.upper) && elo.upper > elo.lower) {
      for (const [x1, x2, y1, y2] of [[elo.lower, elo.upper, y, y], [elo.lower, elo.lower, y - 5, y + 5], [elo.upper, elo.upper, y - 5, y + 5]]) {
        chart.append(svg("line", { class: "error series-0", x1: x(x1), x2: x(x2), y1, y2 }));
      }
    }
    chart.append(svg("circle", { class: "series-0", cx: x(elo.value), cy: y, r: 5 }));
  });
  const anchor = contest.engines[ratings.anchor].name;
  return panel(t("ratings"), chart,
    make("p", { class: "muted small" }, t("ratings-help", anchor, percent(ratings.draw_rate, 0), unitOf(contest).toLowerCase())),
    ratings.with_added_games ? make("p", { class: "muted small" }, t("added-games")) : null);
}

function eloPanel(contest) {
  const points = contest.progress;
  if (contest.figures) {
    const known = points.filter(({ elo }) => isKnown(elo?.value));
    const band = known.filter(({ elo }) => isKnown(elo.lower) && isKnown(elo.upper)).map(({ games, elo }) => [games, elo.lower, elo.upper]);
    const chart = lineChart(t("elo-over-time"), { lines: [known.map(({ games, elo }) => [games, elo.value])], band });
    return chart && panel(t("elo-over-time"), chart);
  }
  const best = contest.ranking.places.slice(0, 6);
  const lines = best.map(({ engine }) => points.filter(({ ratings }) => isKnown(ratings?.[engine])).map(({ games, ratings }) => [games, ratings[engine]]));
  const chart = lineChart(t("elo-over-time"), { lines });
  return chart && panel(t("elo-over-time"), chart, legend(best.map(({ name }) => name)));
}

function sprtPanel({ sprt, progress }) {
  const line = progress.filter(({ llr }) => isKnown(llr)).map(({ games, llr }) => [games, llr]);
  return panel(t("sprt"), lineChart(t("sprt"), { lines: [[[0, 0], ...line]], bounds: [sprt.lower, sprt.upper], digits: 1 }),
    make("p", {}, make("strong", {}, t(`sprt-${sprt.decision}`)), ". ", t("llr", signed(sprt.llr, 2), signed(sprt.lower, 2), signed(sprt.upper, 2))),
    language === 0 ? make("p", { class: "small muted" }, sprt.sentence) : null);
}

/** The results of each opening: of two engines as the match has counted them, else of the games shown. */
function openingsPanel(contest) {
  let openings = contest.openings;
  const first = openings.length > 0 ? contest.engines[0].name : null;
  if (!first) {
    const counted = new Map();
    for (const game of DATA.games) {
      const name = tagOf(game, "Opening");
      const counts = counted.get(name) ?? { wins: 0, draws: 0, losses: 0 };
      counts[game.result === "1-0" ? "wins" : game.result === "0-1" ? "losses" : "draws"] += 1;
      counted.set(name, counts);
    }
    openings = [...counted].map(([name, white]) => [name, white, white]);
  }
  if (openings.length < 2) {
    return null;
  }
  const head = [[t("opening"), ""], [t("games"), "number"], ...(first ? [[first, "number"]] : []), [t("white"), "number"]];
  const rows = openings.map(([name, counts, white]) => [name, fixed(gamesOf(white)), ...(first ? [countsText(counts)] : []), countsText(white)]);
  return panel(t("by-opening"), table(head, rows, "tall"));
}

function timePanel(contest) {
  const head = [["engine", ""], ...["moves", "time-total", "time-a-move", "mean-depth", "speed", "delay", "late"].map((key) => [key, "number"])];
  const rows = contest.engines.map((engine, place) => [
    engine.name,
    fixed(engine.moves),
    t("seconds", fixed(engine.seconds, 1)),
    engine.moves > 0 ? t("milliseconds", fixed((1e3 * engine.seconds) / engine.moves, 1)) : "–",
    isKnown(engine.mean_depth) ? fixed(engine.mean_depth, 1) : "–",
    isKnown(contest.speeds[place]) ? fixed(contest.speeds[place]) : "–",
    isKnown(engine.median_delay_ms) ? t("milliseconds", `${fixed(engine.median_delay_ms, 1)} / ${fixed(engine.longest_delay_ms, 1)}`) : "–",
    fixed(engine.late),
  ]);
  return panel(t("time-use"), table(head.map(([key, kind]) => [t(key), kind]), rows));
}

/** How games ended, those that were lost by faults, and what engines might do better. */
function endsPanel(contest) {
  const ends = contest.terminations.map(({ termination, engine, games }) => [t(termination), engine ?? "", fixed(games)]);
  const lost = DATA.games.filter(({ fault }) => fault);
  const withdrawn = contest.engines.filter((engine) => engine.withdrawn > 0).map(({ name }) => name);
  const advice = contest.engines.flatMap((engine) => engine.checks.map((check) => [engine.name, t(check.check), fixed(check.count), check.example]));
  const faults = lost.map((game) => [
    make("a", { href: `#game=${game.number}` }, t("game-of", fixed(game.number))),
    game.result === "1-0" ? game.black : game.result === "0-1" ? game.white : "",
    t(game.termination),
    game.conclusion ?? "",
  ]);
  return panel(t("ends"),
    table([[t("end"), ""], [t("fault-by"), ""], [t("games"), "number"]], ends),
    make("h3", {}, t("faults")),
    lost.length === 0 ? make("p", {}, t("faults-none"))
      : table([[t("number"), ""], [t("fault-by"), ""], [t("end"), ""], [t("why"), ""]], faults, "tall"),
    withdrawn.length > 0 ? make("p", {}, t("withdrawn-engines", withdrawn.join(", "))) : null,
    advice.length > 0 ? [make("h3", {}, t("advice")), table([[t("engine"), ""], [t("advice"), ""], [t("times"), "number"], [t("example"), ""]], advice)] : null);
}

function matchPanels(contest) {
  if (contest.games === 0) {
    return [summaryPanel(contest)];
  }
  return [
    summaryPanel(contest),
    contest.engines.length > 2 ? standingsPanel(contest) : null,
    make("div", { class: "panels" }, [
      contest.ratings ? ratingsPanel(contest) : null,
      eloPanel(contest),
      contest.sprt ? sprtPanel(contest) : null,
      endsPanel(contest),
      openingsPanel(contest),
    ]),
    timePanel(contest),
  ].filter(Boolean);
}
