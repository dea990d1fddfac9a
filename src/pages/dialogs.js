/* Dialogs: a new game, a position to set up, files. */

/** Clocks: seconds, and seconds added with each move. */
const CLOCKS = [[60, 1], [180, 2], [300, 3], [600, 5], [1800, 10]];

/** A dialog that is open until it is closed; `accept` may answer false to keep it open, as `closeText` may tell. */
function openDialog(title, content, accept, acceptText, closeText = accept ? t("cancel") : t("close")) {
  const problem = make("p", { class: "problem", role: "alert" });
  const close = make("button", { type: "button", click: () => dialog.close() }, closeText);
  const form = make("form", { method: "dialog", submit: async (event) => {
    event.preventDefault();
    try {
      if ((await accept()) !== false) {
        dialog.close();
      }
    } catch (error) {
      problem.textContent = error.message;
    }
  } },
  make("h2", {}, title), content, problem,
  make("div", { class: "row end" }, close, accept ? make("button", { type: "submit", class: "primary" }, acceptText) : null));
  const dialog = make("dialog", { "aria-label": title, close: () => dialog.remove() }, form);
  document.body.append(dialog);
  dialog.showModal();
  return { dialog, problem };
}

const field = (label, control) => make("label", { class: "field" }, make("span", {}, label), control);

function choice(options, chosen, change = null) {
  return make("select", { change }, options.map(([value, text]) => make("option", { value, selected: value === chosen }, text)));
}

/** The choice of rules and board: an element, and the rules string that is chosen; `changed` is told of another choice. */
function rulesChoice({ start: { presets, boards }, tree: { rules: current } }, changed = () => {}) {
  const known = presets.find(({ name, rules }) => name === current || rules === current);
  const rules = choice([...presets.map(({ name }) => [name, t(`rules-${name}`)]), ["custom", t("rules-custom")]], known?.name ?? "custom", () => {
    update();
    changed();
  });
  const board = choice([["", t("board-usual")], ...boards.map((size) => [size, size.replace("x", " × ")])], "", changed);
  const own = make("input", { type: "text", maxlength: 200, value: known ? "" : current, spellcheck: "false", placeholder: "board=5x5 chain=full", change: changed });
  const [boardField, ownField] = [field(t("board"), board), field(t("rules-string"), own)];
  const update = () => {
    boardField.hidden = rules.value === "custom";
    ownField.hidden = rules.value !== "custom";
  };
  update();
  const value = () => {
    if (rules.value === "custom") {
      return own.value.trim();
    }
    if (!board.value) {
      return rules.value;
    }
    const words = presets.find(({ name }) => name === rules.value).rules.split(" ");
    return [...words.filter((word) => word && !word.startsWith("board=")), `board=${board.value}`].join(" ");
  };
  return { element: [field(t("rules"), rules), boardField, ownField], value };
}

function newGameDialog(app) {
  const rules = rulesChoice(app);
  openDialog(t("new-game"), rules.element, careful(app, () => app.begin({ rules: rules.value() })), t("begin"));
}

function playDialog(app) {
  const rules = rulesChoice(app);
  const person = choice([["w", t("white")], ["b", t("black")], ["", t("by-lot")]], stored.get("person") ?? "w");
  const most = app.start.levels;
  const level = make("input", { type: "range", min: 0, max: most, value: Math.min(Number(stored.get("level") ?? 5), most), input: () => showLevel() });
  const levelText = make("output", {});
  const showLevel = () => { levelText.textContent = `${level.value} / ${most}`; };
  showLevel();
  const clocks = CLOCKS.map(([base, increment]) => [`${base}+${increment}`, `${base / 60} min + ${increment} s`]);
  const clock = choice([["", t("no-clock")], ...clocks], stored.get("clock") ?? "");
  const from = choice([["start", t("from-start")], ["here", t("from-here")]], "start", () => { rulesPart.hidden = from.value === "here"; });
  const rulesPart = make("div", {}, rules.element);
  openDialog(t("play-engine"), [
    field(t("you-play"), person), field(t("level"), make("span", { class: "range" }, level, levelText)),
    field(t("clock"), clock), field(t("begins"), from), rulesPart,
  ], careful(app, async () => {
    const here = from.value === "here";
    const start = here ? { rules: app.tree.rules, start: app.node.known?.fen ?? app.tree.start } : { rules: rules.value() };
    const [base, increment] = clock.value.split("+").map(Number);
    for (const [name, control] of [["person", person], ["level", level], ["clock", clock]]) {
      stored.set(name, control.value);
    }
    await app.begin(start, {
      person: person.value || (Math.random() < 0.5 ? "w" : "b"),
      level: Number(level.value),
      clock: clock.value ? { base, increment } : null,
    });
  }), t("begin"));
}

/** A board to put stones on. */
function setUpDialog(app) {
  let { columns, rows } = app.tree;
  let stones = [...app.node.stones];
  let board = null;
  /** The counters of a FEN, which hold as long as this is the position. */
  let counters = { of: "", text: "" };
  const rules = rulesChoice(app, () => start((size) => size !== `${columns}x${rows}`));
  const place = make("div", { class: "setupboard" });
  const colours = [["w", t("white")], ["b", t("black")], [".", t("empty")]];
  const colour = make("div", { class: "row", role: "radiogroup", "aria-label": t("put") }, colours.map(([value, name], index) => make("label", { class: "radio" },
    make("input", { type: "radio", name: "colour", value, checked: index === 0 }),
    value === "." ? null : make("span", { class: value === "b" ? "dot dark" : "dot" }), name)));
  const side = choice([["w", t("white-to-move")], ["b", t("black-to-move")]], app.tree.whiteMoves(app.node.ply) ? "w" : "b", () => show());
  const fen = make("input", { type: "text", maxlength: 200, spellcheck: "false", "aria-label": "FEN", change: () => read() });
  const at = (point) => (rows - Number(point.slice(1))) * columns + point.charCodeAt(0) - 97;
  const names = { w: t("white"), b: t("black"), ".": t("empty") };
  const position = () => {
    const ranks = Array.from({ length: rows }, (_, row) => stones.slice(row * columns, (row + 1) * columns).join(""));
    return `${ranks.map((rank) => rank.replace(/\.+/g, (empty) => empty.length)).join("/")} ${side.value}`;
  };
  const show = () => {
    fen.value = [position(), counters.of === position() ? counters.text : ""].filter(Boolean).join(" ");
    board.show({ stones: stones.join(""), label: t("set-up"), describe: (point) => `${point}, ${names[stones[at(point)]]}` });
  };
  const put = (point) => {
    const chosen = colour.querySelector(":checked").value;
    stones[at(point)] = stones[at(point)] === chosen ? "." : chosen;
    show();
  };
  const draw = () => {
    board = new Board({ columns, rows, onPick: put });
    place.replaceChildren(board.element);
    show();
  };
  /** The board of a FEN; of a wrong one the server says what is wrong when the dialog is accepted. */
  const take = (text) => {
    const [ranks, mover, ...rest] = text.trim().split(/\s+/);
    const all = Board.stonesOf(ranks).toLowerCase();
    const height = ranks.split("/").length;
    if (/^[wb.]+$/.test(all) && all.length % height === 0) {
      [stones, rows, columns] = [[...all], height, all.length / height];
      side.value = mover === "b" ? "b" : "w";
      counters = { of: position(), text: rest.join(" ") };
      draw();
    }
  };
  const read = () => take(fen.value);
  /** The start position of the chosen rules, if their board is wanted. */
  const start = async (isWanted) => {
    const chosen = rules.value();
    try {
      const { fen: text } = await ask("/position", { place: { rules: chosen } });
      const [first, ...others] = text.split(" ")[0].split("/");
      // Another choice may have been made meanwhile.
      if (chosen === rules.value() && isWanted(`${Board.stonesOf(first).length}x${others.length + 1}`)) {
        take(text);
      }
      problem.textContent = "";
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const action = (text, act) => make("button", { type: "button", click: act }, text);
  const { problem } = openDialog(t("set-up"), [
    rules.element,
    make("div", { class: "row" },
      action(t("start-position"), () => start(() => true)),
      action(t("clear"), () => {
        stones = stones.map(() => ".");
        show();
      })),
    colour, place, field(t("to-move"), side), field("FEN", fen),
  ], careful(app, () => app.begin({ rules: rules.value(), start: fen.value })), t("use"));
  app.node.known ? take(app.node.known.fen) : draw();
}

function openFileDialog(app) {
  const text = make("textarea", { rows: 6, spellcheck: "false", "aria-label": "PGN, FEN", placeholder: "1. f2-e3A …" });
  const file = make("input", { type: "file", accept: ".pgn,.txt,.fen", change: async () => {
    const [chosen] = file.files;
    if (chosen) {
      text.value = await chosen.text();
      find();
    }
  } });
  const list = make("select", { size: 6, "aria-label": t("games") });
  const listField = make("div", { hidden: true }, list);
  const { problem } = openDialog(t("open"), [
    field(t("file"), file), field(t("or-text"), text), listField,
  ], careful(app, async () => {
    const written = text.value.trim();
    // A FEN is one line that begins with ranks.
    if (/^[wb1-9]+(\/[wb1-9]+)+( .*)?$/i.test(written)) {
      await app.begin({ rules: rulesFor(app, written), start: written });
    } else {
      await app.read(text.value, listField.hidden ? 1 : list.selectedIndex + 1);
    }
  }), t("open"));
  const find = async () => {
    try {
      const { games } = await ask("/read", { pgn: text.value });
      list.replaceChildren(...games.map(({ white, black, result, plies }, index) =>
        make("option", { value: index + 1, selected: index === 0 }, `${index + 1}. ${white} – ${black} ${result} (${plies})`)));
      listField.hidden = games.length < 2;
      problem.textContent = "";
    } catch (error) {
      listField.hidden = true;
      problem.textContent = error.message;
    }
  };
  text.addEventListener("change", () => text.value.trim().startsWith("[") && find());
}

/** The rules in force, on the board of a FEN. */
function rulesFor(app, fen) {
  const ranks = fen.split(" ")[0];
  const rows = ranks.split("/").length;
  const columns = Board.stonesOf(ranks).length / rows;
  const isSame = rows === app.tree.rows && columns === app.tree.columns;
  return isSame ? app.tree.rules : `board=${columns}x${rows}`;
}

/** Which game of a file is shown, and the way to its neighbours. */
function fileControls(app) {
  if ((app.file?.count ?? 0) < 2) {
    return null;
  }
  const { pgn, number, count } = app.file;
  const neighbour = (key, symbol, other) => {
    const read = careful(app, () => app.read(pgn, other));
    const disabled = other < 1 || other > count;
    return make("button", { type: "button", "aria-label": t(key), title: t(key), disabled, click: () => app.attempt(read) }, symbol);
  };
  return make("div", { class: "row" }, make("span", { class: "muted" }, t("game-number", number, count)),
    neighbour("previous-game", "‹", number - 1), neighbour("next-game", "›", number + 1));
}

function saveDialog(app) {
  const { tree } = app;
  const inputs = ["White", "Black", "Event", "Date"].map((name) => {
    const value = tree.tag(name);
    return [name, make("input", { type: "text", maxlength: 200, value: /^[?.]*$/.test(value) ? "" : value })];
  });
  const labels = { White: t("white"), Black: t("black"), Event: t("event"), Date: t("date") };
  const result = choice(["*", "1-0", "0-1", "1/2-1/2"].map((text) => [text, text]), tree.result);
  const text = make("textarea", { rows: 8, readonly: true, spellcheck: "false", "aria-label": "PGN" });
  const fen = make("input", { type: "text", readonly: true, "aria-label": "FEN", value: app.node.known?.fen ?? tree.start });
  const copy = make("button", { type: "button", click: () => {
    fen.select();
    document.execCommand("copy");
  } }, t("copy"));
  const { problem } = openDialog(t("save"), [
    make("div", { class: "columns" }, inputs.map(([name, input]) => field(labels[name], input)), field(t("result"), result)),
    field("PGN", text), field(t("position-fen"), make("div", { class: "copied" }, fen, copy)),
  ], async () => {
    await write();
    const link = make("a", { href: URL.createObjectURL(new Blob([text.value], { type: "application/x-chess-pgn" })), download: "vato.pgn" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    app.changed(false);
    return false;
  }, t("download"), t("close"));
  const write = async () => {
    try {
      inputs.forEach(([name, input]) => tree.setTag(name, input.value.trim()));
      tree.result = result.value;
      const { isChanged } = tree;
      text.value = (await ask("/write", tree.data())).pgn;
      problem.textContent = "";
      app.changed(isChanged);
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  for (const control of [...inputs.map(([, input]) => input), result]) {
    control.addEventListener("change", write);
  }
  write();
}

function helpDialog() {
  const keys = [
    ["← →", "keys-help"], [`${t("key-home")} ${t("key-end")}`, "keys-ends"], ["E", "engine"], ["F", "flip"], ["M", "key-move"],
    ["Tab", "key-tab"], ["Enter", "key-enter"], ["A W", "key-choice"], ["S", "key-stop"], [t("key-escape"), "key-put-down"],
  ];
  openDialog(t("keys"), make("dl", { class: "tags" }, keys.map(([names, meaning]) => [
    make("dt", {}, names.split(" ").map((name) => [make("kbd", {}, name), " "])), make("dd", {}, t(meaning))])), null, "");
}
