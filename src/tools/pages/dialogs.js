/* Dialogs: a new game, a position to set up, files. */

/** Clocks: seconds, and seconds added with each move. */
const CLOCKS = [[60, 1], [180, 2], [300, 3], [600, 5], [1800, 10]];

/** A dialog that is open until it is closed (`isTouched`: with something in it that would be lost); `accept` may answer false to keep it open, as `closeText` may tell.
    It waits by the function that it is given: once it is cancelled, or accepted again, what it waits for never comes. */
function openDialog(title, content, accept, acceptText, closeText = accept ? t("cancel") : t("close")) {
  const problem = make("p", { class: "problem", role: "alert" });
  let last = null;
  const close = make("button", { type: "button", click: () => dialog.close() }, closeText);
  const form = make("form", { method: "dialog", submit: async (event) => {
    event.preventDefault();
    problem.textContent = "";
    const accepting = Symbol("accepting");
    last = accepting;
    const wait = (answer) => answer.finally(() => (dialog.open && last === accepting) || new Promise(() => {}));
    try {
      if ((await accept(wait)) !== false) {
        const isByKeys = form.querySelector(":focus-visible");
        dialog.close();
        isByKeys && app.view.focus();
      }
    } catch (error) {
      problem.textContent = error.message;
      if (error instanceof NoServer && dialog.isLinked) {
        await wait(serverBack());
        form.requestSubmit();
      }
    }
  } },
  make("h2", {}, title), content, problem,
  make("div", { class: "row end" }, close, accept ? make("button", { type: "submit", class: "primary" }, acceptText) : null));
  // Esc does not throw away at once what has been typed or put.
  const dialog = make("dialog", { "aria-label": title, close: () => {
    dialog.remove();
    openLinked();
  }, input: ({ target }) => { dialog.isTouched ||= target.matches("textarea, [type=text]"); }, cancel: (event) => {
    last = null;
    if (dialog.isTouched && event.cancelable && event.target === dialog) {
      event.preventDefault();
      dialog.isTouched = false;
      problem.textContent = t("not-used");
    }
  } }, form);
  document.body.append(dialog);
  dialog.showModal();
  return { dialog, problem };
}

const field = (label, control) => make("label", { class: "field" }, make("span", {}, label), control);

function choice(options, chosen, change = null) {
  return make("select", { change }, options.map(([value, text]) => make("option", { value, selected: value === chosen }, text)));
}

/** The choice of rules and board: an element, and the rules string that is chosen; `changed` is told of another choice. */
function rulesChoice({ start: { presets, boards }, tree }, changed = () => {}) {
  // A vela is one game: the next is a normal one on its board.
  const [current, size] = !tree.isVela ? [tree.rules, ""] : ["tsivy", tree.rules === "vela" ? "" : `${tree.columns}x${tree.rows}`];
  const known = presets.find(({ name, rules }) => name === current || rules === current);
  const rules = choice([...presets.map(({ name }) => [name, t(`rules-${name}`)]), ["custom", t("rules-custom")]], known?.name ?? "custom", () => {
    update();
    changed();
  });
  const board = choice([["", t("board-usual")], ...boards.map((one) => [one, one.replace("x", " × ")])], size, changed);
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
    const words = presets.find(({ name }) => name === rules.value).rules.split(" ").filter(Boolean);
    const [usual = "board=9x5"] = words.filter((word) => word.startsWith("board="));
    // On its own board it has its name.
    return usual === `board=${board.value}` ? rules.value : [...words.filter((word) => word !== usual), `board=${board.value}`].join(" ");
  };
  /** Takes another board, such as `5x5`. */
  const resize = (size) => {
    board.value = size;
    own.value = [...own.value.split(" ").filter((word) => word && !word.startsWith("board=")), `board=${size}`].join(" ");
  };
  return { element: [field(t("rules"), rules), boardField, ownField], value, resize };
}

function newGameDialog(app) {
  const rules = rulesChoice(app);
  openDialog(t("new-game"), rules.element, careful(app, (wait) => app.begin({ rules: rules.value() }, null, wait)), t("begin"));
}

/** The names of levels, from so high on. */
const LEVEL_NAMES = [[0, "beginner"], [3, "casual"], [6, "club"], [9, "strong"], [12, "expert"], [15, "master"], [18, "champion"], [21, "perfect"]];

/** The level that plays by the proof of the standard game. */
const PERFECT_LEVEL = 21;

/** A level by its number and name, in a text: `level-number`, `vato-level`. */
const levelText = (key, level) => t(key, level, t(`level-${LEVEL_NAMES.findLast(([least]) => least <= level)[1]}`));

/** The engine as a player. */
const vatoName = (level) => (level === PERFECT_LEVEL ? t("vato-proof") : levelText("vato-level", level));

/** Ratings are estimates: that of a level, to tens. */
const tens = (rating) => 10 * Math.round(rating / 10);

/** The levels of each name, of which the one in the middle is taken first, and the Elo from the lowest of them to the next name. */
function levelGroups({ start: { levels } }) {
  return LEVEL_NAMES.map(([least, name], at) => {
    const end = LEVEL_NAMES[at + 1]?.[0] ?? levels.length;
    const rating = isKnown(levels[end]) ? `Elo ${tens(levels[least])}–${tens(levels[end])}` : isKnown(levels[least]) ? `Elo ${tens(levels[least])}+` : t("level-proven");
    return { name, rating, numbers: Array.from({ length: end - least }, (_, place) => least + place), middle: Math.floor((least + end - 1) / 2) };
  });
}

/** Buttons of which one is chosen: pairs of its value and what is on it. */
function radios(name, label, options, chosen, changed = () => {}) {
  const element = make("div", { class: name, role: "radiogroup", "aria-label": label, change: () => changed(value()) }, options.map(([value, ...content]) =>
    make("label", {}, make("input", { type: "radio", name, value, checked: value === chosen }), content)));
  const value = () => element.querySelector(":checked").value;
  return { element, get value() { return value(); } };
}

/** A first game, which begins at once, perhaps with a turn. */
const beginnerGame = (app, word = null) => app.attempt(async () => {
  await app.begin({ rules: app.tree.rules }, { person: "w", level: app.start.first_level, clock: null });
  word && app.play(word);
  app.view.say(t("first-game"));
});

/** Another level for a game that has not begun. */
const levelDialog = (app) => playDialog(app, app.opponent);

/** The names of two people, colours, whether the board turns: elements, and what `begin` takes. */
function peopleChoice(isByLink) {
  const known = recalled("people", {});
  const inputs = ["white", "black"].map((side) => make("input", { type: "text", maxlength: 60, value: typeof known[side] === "string" ? known[side] : "", placeholder: t(side), autocomplete: "off" }));
  const knob = (key) => [t(key), make("input", { type: "checkbox", role: "switch", class: "knob", "aria-label": t(key), checked: known[key] === true })];
  const knobs = ["colours-by-lot", "turn-board"].map(knob);
  const knobFields = knobs.map(([name, input]) => field(name, input));
  const value = () => {
    const [white, black] = inputs.map((input) => tidied(input.value));
    const [isByLot, isTurning] = knobs.map(([, input]) => input.checked);
    stored.set("people", JSON.stringify({ white, black, "colours-by-lot": isByLot, "turn-board": isTurning }));
    const [w, b] = isByLot && Math.random() < 0.5 ? [black, white] : [white, black];
    return isByLink() ? { isByLink: true, level: null, names: { w: white, b: black } } : { person: null, level: null, isTurning, names: { w, b } };
  };
  return { element: [inputs.map((input, at) => field(t(["white", "black"][at]), input)), knobFields], value, knobFields };
}

/** A game against the engine or of two people: a new one, or the same with another level. */
function playDialog(app, same = null) {
  const rules = rulesChoice(app, () => offer());
  const { levels } = app.start;
  const groups = levelGroups(app);
  const stone = (kind) => make("span", { class: `dot ${kind}` });
  const side = ["w", "", "b"].includes(stored.get("person")) ? stored.get("person") : "w";
  const person = radios("stones", t("you-play"), [["w", stone(""), t("white")], ["", stone("both"), t("by-lot")], ["b", stone("dark"), t("black")]], side);
  const last = same?.level ?? stored.get("level") ?? "";
  const before = /^\d+$/.test(last) && last < levels.length ? Number(last) : app.start.first_level;
  const chosen = groups.find(({ numbers }) => numbers.includes(before));
  /** The levels that have the chosen name. */
  const level = make("select");
  const fill = ({ numbers, middle }, number = middle) => {
    const options = numbers.map((one) => [one, [levelText("level-number", one), isKnown(levels[one]) ? `Elo ${tens(levels[one])}` : one < PERFECT_LEVEL ? t("level-full") : ""].filter(Boolean).join(" · ")]);
    level.replaceChildren(...choice(options).children);
    level.value = number;
  };
  fill(chosen, before);
  const names = radios("levels", t("level"), groups.map(({ name, rating }) => [name, t(`level-${name}`), make("span", { class: "muted small", title: t("elo-help") }, rating)]), chosen.name, (name) => fill(groups.find((group) => group.name === name)));
  /** Nobody can beat the proof, which is that of the standard game from its start. */
  const offer = () => {
    const isProven = same ? app.tree.rules === "tsivy" && app.tree.isFromStart : from.value === "start" && rules.value() === "tsivy";
    const [champion, perfect] = [...names.element.querySelectorAll("input")].slice(-2);
    perfect.parentElement.hidden = !isProven;
    if (!isProven && perfect.checked) {
      champion.checked = true;
      fill(groups.at(-2), PERFECT_LEVEL - 1);
    }
  };
  const KINDS = [["vato", "Vato"], ["two", t("two-people")], ["link", t("by-link")]];
  const isOf = (value) => !same && kind.value === value;
  const people = peopleChoice(() => isOf("link"));
  const kind = radios("kinds", t("opponent"), KINDS, KINDS.find(([value]) => value === stored.get("opponent"))?.[0] ?? "vato", () => showKind());
  const showKind = () => {
    [names.element, exactPart, eloPart].forEach((part) => { part.hidden = isOf("two") || isOf("link"); });
    person.element.hidden = Boolean(same) || isOf("two");
    peoplePart.hidden = !isOf("two") && !isOf("link");
    clockPart.hidden = Boolean(same) || isOf("link");
    linkPart.hidden = !isOf("link");
    people.knobFields.forEach((part) => { part.hidden = !isOf("two"); });
  };
  const clocks = CLOCKS.map(([base, increment]) => [`${base}+${increment}`, `${base / 60} min + ${increment} s`]);
  const clock = choice([["", t("no-clock")], ...clocks], stored.get("clock") ?? "");
  const from = choice([["start", t("from-start")], ["here", t("from-here")]], "start", () => {
    rulesPart.hidden = from.value === "here";
    offer();
  });
  const rulesPart = make("div", {}, rules.element);
  const linkPart = make("p", { class: "muted small" }, t("by-link-how"));
  const peoplePart = make("div", {}, people.element);
  const clockPart = field(t("clock"), clock);
  const exactPart = field(t("exact-level"), level);
  const eloPart = make("p", { class: "muted small" }, t("elo-help"));
  showKind();
  offer();
  const others = same ? [] : [field(t("begins"), from), rulesPart];
  openDialog(t(same ? "level" : "play-engine"), [
    same ? null : kind.element, linkPart, names.element, person.element, peoplePart, clockPart,
    make("details", {}, make("summary", {}, t("more")), exactPart, others, eloPart),
  ], careful(app, async (wait) => {
    Number(level.value) === PERFECT_LEVEL && (same || isOf("vato")) && (await wait(proofLoaded()));
    if (same) {
      const { tree, opponent } = app;
      stored.set("level", level.value);
      await app.begin({ rules: tree.rules, start: tree.start }, { person: opponent.person, level: Number(level.value), clock: opponent.clock }, wait);
      return;
    }
    const here = from.value === "here";
    const start = here ? { rules: app.tree.rules, start: (await wait(ask("/position", { place: app.tree.place(app.node) }))).fen } : { rules: rules.value() };
    const [base, increment] = clock.value.split("+").map(Number);
    for (const [name, control] of [["opponent", kind], ["clock", clock], ["person", person], ["level", level]]) {
      stored.set(name, control.value);
    }
    const against = { person: person.value || (Math.random() < 0.5 ? "w" : "b"), level: Number(level.value) };
    await app.begin(start, { ...against, clock: clock.value && !isOf("link") ? { base, increment } : null, ...(isOf("vato") ? {} : people.value()) }, wait);
  }), t("begin"));
}

/** Fails where the proof cannot be had. The site has to load it; the program has it. */
const proofLoaded = async () => globalThis.transport && ask("/proof");

/** What is proven of the standard game, and a game in which to try to beat it. */
function proofDialog(app) {
  const person = choice([["w", t("white")], ["b", t("black")]], stored.get("person") ?? "w");
  const { problem } = openDialog(t("proof"), [
    ["proof-is", "proof-try"].map((key) => make("p", {}, t(key))), make("p", {}, t("proof-check"), " ", make("code", {}, "vato solve verify proof")), field(t("you-play"), person),
  ], careful(app, async (wait) => {
    await wait(proofLoaded());
    await app.begin({ rules: "tsivy" }, { person: person.value, level: PERFECT_LEVEL, clock: null }, wait);
    app.view.say(t("proof-start"));
  }), t("proof-begin"));
  // The question whether to throw away a game may be there by then.
  proofLoaded().catch((error) => { problem.textContent ||= error.message; });
}

/** A board to put stones on. */
function setUpDialog(app) {
  let { columns, rows } = app.tree;
  let stones = [...app.node.stones];
  let board = null;
  /** The counters of a FEN, which hold as long as this is the position. */
  let counters = { of: "", text: "" };
  /** What has been put on boards of other sizes. */
  const others = {};
  const rules = rulesChoice(app, () => start(true));
  const place = make("div", { class: "setupboard" });
  const colours = [["w", t("white")], ["b", t("black")], [".", t("empty")]];
  const colour = make("div", { class: "row", role: "radiogroup", "aria-label": t("put") }, colours.map(([value, name], index) => make("label", { class: "radio" },
    make("input", { type: "radio", name: "colour", value, checked: index === 0 }),
    value === "." ? null : make("span", { class: value === "b" ? "dot dark" : "dot" }), name)));
  const side = choice([["w", t("white-to-move")], ["b", t("black-to-move")]], app.tree.whiteMoves(app.node.ply) ? "w" : "b", () => show());
  const fen = make("input", { type: "text", maxlength: 1000, spellcheck: "false", "aria-label": "FEN", change: () => read() });
  const at = (point) => (rows - Number(point.slice(1))) * columns + point.charCodeAt(0) - 97;
  const names = { w: t("white"), b: t("black"), ".": t("empty") };
  const position = () => {
    const ranks = Array.from({ length: rows }, (_, row) => stones.slice(row * columns, (row + 1) * columns).join(""));
    return `${ranks.map((rank) => rank.replace(/\.+/g, (empty) => empty.length)).join("/")} ${side.value}`;
  };
  const written = () => [position(), counters.of === position() ? counters.text : ""].filter(Boolean).join(" ");
  /** Of another position nothing has been said. */
  const show = () => {
    problem.textContent = "";
    fen.value = written();
    board.show({ stones: stones.join(""), label: t("set-up"), describe: (point) => `${point}, ${names[stones[at(point)]]}` });
  };
  const put = (point) => {
    const chosen = colour.querySelector(":checked").value;
    stones[at(point)] = stones[at(point)] === chosen ? "." : chosen;
    dialog.isTouched = true;
    show();
  };
  const draw = () => {
    board = new Board({ columns, rows, onPick: put });
    place.replaceChildren(board.element);
    show();
  };
  /** The board of a FEN, of which the rules are told; of a wrong one the server says what is wrong when the dialog is accepted. */
  const take = async (text, resize = null) => {
    const [ranks = "", mover = "", ...rest] = fieldsOf(text);
    const lines = ranks.toLowerCase().split("/").map(Board.stonesOf);
    const size = `${lines[0].length}x${lines.length}`;
    if (app.start.boards.includes(size) && /^[wb]?$/i.test(mover) && lines.every((line) => /^[wb.]+$/.test(line) && line.length === lines[0].length)) {
      const isSame = lines.length === rows && lines[0].length === columns;
      if (!isSame) {
        resize?.(size);
        await app.released();
      }
      [stones, rows, columns] = [[...lines.join("")], lines.length, lines[0].length];
      side.value = /^b/i.test(mover) ? "b" : "w";
      counters = { of: position(), text: rest.join(" ") };
      isSame && board ? show() : draw();
    }
  };
  /** What has been typed; without anything, the board stays. */
  const read = () => {
    problem.textContent = "";
    return fieldsOf(fen.value).length > 0 ? take(fen.value, rules.resize) : show();
  };
  /** The start position of the chosen rules; or only their board, with what has been put on it before. */
  const start = async (isBoardAlone = false) => {
    const chosen = rules.value();
    try {
      const { fen: text } = await ask("/position", { place: { rules: chosen } }).finally(() => app.released());
      const [first, ...more] = text.split(" ")[0].split("/");
      const [now, size] = [`${columns}x${rows}`, `${Board.stonesOf(first).length}x${more.length + 1}`];
      // Another choice may have been made meanwhile.
      if (chosen === rules.value() && !(isBoardAlone && size === now)) {
        others[now] = written();
        take((isBoardAlone && others[size]) || text);
      }
      problem.textContent = "";
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const action = (text, act) => make("button", { type: "button", click: act }, text);
  const { dialog, problem } = openDialog(t("set-up"), [
    rules.element,
    make("div", { class: "row" },
      action(t("start-position"), () => start()),
      action(t("clear"), () => {
        stones = stones.map(() => ".");
        show();
      })),
    colour, place, field(t("to-move"), side), field("FEN", fen),
  ], careful(app, (wait) => app.begin({ rules: rules.value(), start: fen.value, isOwn: true }, null, wait)), t("use"));
  app.node.known ? take(app.node.known.fen) : draw();
}

function openFileDialog(app, { files, pasted = "" } = {}) {
  const text = make("textarea", { rows: 6, spellcheck: "false", "aria-label": "PGN, FEN", placeholder: "1. f2-e3A …", change: () => find(), input: () => {
    file.value = "";
    forget();
  } });
  const file = make("input", { type: "file", accept: ".pgn,.txt,.fen,.gz,.json,.sgf,.trl", change: () => {
    forget();
    find();
  } });
  /** What is to be opened. A file does not go through the field for texts, which changes line ends and is slow with large ones. */
  const source = async () => {
    const [chosen] = file.files;
    const pgn = chosen ? await textOf(chosen, app.start.largest) : text.value;
    return (await readLink(pgn, app.start.largest)) ?? { pgn, name: chosen?.name.replace(/\.gz$/, "") };
  };
  const list = make("select", { size: 6, "aria-label": t("games") });
  const listField = make("div", { hidden: true }, list);
  /** Of a file and a text, which are both kept, the file counts. */
  const note = make("p", { class: "muted small", role: "status" });
  const { dialog, problem } = openDialog(t("open"), [
    field(t("file"), file), field(t("or-text"), text), note, listField,
  ], careful(app, async (wait) => {
    const { pgn, ...more } = await wait(source());
    await app.readText({ pgn, ...more, number: listField.hidden ? 1 : Number(list.value) }, wait);
  }), t("open"));
  let last = null;
  /** Of another text nothing has been said. */
  const forget = () => {
    [listField.hidden, last, problem.textContent] = [true, null, ""];
    note.textContent = file.files.length > 0 && text.value.trim() ? t("file-first") : "";
  };
  /** Lists the games, of which one is chosen. */
  const find = async () => {
    const finding = Symbol("finding");
    last = finding;
    try {
      const { pgn } = await source();
      const fens = fensOf(pgn);
      if (!pgn || fens.length === 1) {
        return;
      }
      const { games, number, rest } = await (fens.length > 0 ? Promise.resolve({ games: [] }) : ask("/read", { pgn })).finally(() => app.released());
      // Another text may be there by now.
      if (last !== finding) {
        return;
      }
      list.replaceChildren(...games.map(({ white, black, result, plies, fault }, index) =>
        make("option", { value: index + 1, selected: index + 1 === number, disabled: Boolean(fault) },
          fault ? t("game-fault", index + 1, translated(fault)) : `${index + 1}. ${white} – ${black} ${result} (${plies})`)),
      ...fens.slice(0, MOST_POSITIONS).map((fen, index) => make("option", { value: index + 1, selected: index === 0 }, `${index + 1}. ${fen}`)),
      rest === undefined ? "" : make("option", { disabled: true }, t("games-listed", fixed(games.length))),
      fens.length > MOST_POSITIONS ? make("option", { disabled: true }, t("positions-listed", fixed(MOST_POSITIONS))) : "");
      listField.hidden = list.length < 2;
    } catch (error) {
      // A question may be there.
      problem.textContent ||= last === finding ? error.message : "";
      error instanceof NoServer && serverBack().then(() => dialog.open && last === finding && find());
    }
  };
  text.value = pasted;
  if (files) {
    // The field names the one that is opened.
    const first = new DataTransfer();
    first.items.add(files[0]);
    file.files = first.files;
  }
  find();
  return dialog;
}

const megabytes = (bytes) => fixed(bytes / 2 ** 20);

/** The fields of a FEN, as the server reads it: without the words before it, quotation marks, a comment and operations of EPD. */
function fieldsOf(text) {
  const [given, ...more] = text.split(";");
  const words = given.split(/[\s_"'[\]\ufeff]+/).filter((word) => word && word !== "-");
  const fields = words.slice(words.findIndex((word) => !/^(position|fen)$/i.test(word)));
  const end = more.length > 0 ? fields.findIndex((word, index) => index > 1 && /^[a-z]/i.test(word)) : -1;
  return end < 0 ? fields : fields.slice(0, end);
}

/** A FEN is a line that begins with ranks, of which most are right: the words of an address or a path are none. */
function isFen(line) {
  const ranks = fieldsOf(line)[0]?.split("/") ?? [];
  const right = ranks.filter((rank) => /^[wb.\d]+$/i.test(rank));
  return /^[^[{(]/.test(line) && ranks.length > 1 && !ranks.some((rank) => /[-{(]/.test(rank)) && 2 * right.length > ranks.length;
}

/** The most positions of a text that are listed. */
const MOST_POSITIONS = 10_000;

/** The positions, each in a line, that a text has instead of games; lines with a comment are left out. What is wrong with one is
    said when it is chosen. */
function fensOf(text) {
  const lines = text.trim().split(/[\r\n]+/).filter((line, _, { length }) => length === 1 || !/^\s*[;#]/.test(line));
  return 2 * lines.filter(isFen).length > lines.length ? lines : [];
}

/** The rules in force, on the board of a FEN: as wide as most of its ranks. After a vela they are the normal ones. */
function rulesFor(app, fen) {
  const widths = fieldsOf(fen)[0].split("/").map((rank) => Board.stonesOf(rank).length).sort();
  const columns = widths[widths.length >> 1];
  const isSame = widths.length === app.tree?.rows && columns === app.tree.columns;
  return isSame && !app.tree.isVela ? app.tree.rules : `board=${columns}x${widths.length}`;
}

/** The most characters of a text that are shown. */
const SHOWN = 100_000;

function saveDialog(app) {
  const { tree, file } = app;
  const changed = () => {
    tree.isOwn = true;
    app.changed();
  };
  const inputs = ["White", "Black", "Event", "Date"].map((name) => {
    const value = tree.tag(name);
    const isUnknown = /^[?.]*$/.test(value);
    const input = make("input", { type: "text", maxlength: 200, value: isUnknown ? "" : value, input: () => {
      tree.setTag(name, input.value.trim() || (isUnknown ? value : ""));
      changed();
    } });
    return [name, input];
  });
  const labels = { White: t("white"), Black: t("black"), Event: t("event"), Date: t("date") };
  const result = choice(["*", "1-0", "0-1", "1/2-1/2"].map((text) => [text, text]), tree.result, () => {
    tree.result = result.value;
    changed();
  });
  const scope = choice([["game", t("this-game")], ["file", t("all-games", file?.limit ? `${file.count}+` : file?.count)]], "game", () => show());
  const scopeField = field(t("what"), scope);
  scopeField.hidden = (file?.count ?? 0) < 2;
  const text = make("textarea", { rows: 8, readonly: true, spellcheck: "false", "aria-label": "PGN" });
  const { fen, share, parts } = shareParts(app, () => {
    clearTimeout(waiting);
    return show();
  });
  /** The game, or the file, as it is now. */
  const written = async () => {
    if (scope.value === "game") {
      return (await ask("/write", tree.data())).pgn;
    }
    file.stash(tree);
    return file.written();
  };
  const { dialog, problem } = openDialog(t("save-share"), [
    make("div", { class: "columns" }, inputs.map(([name, input]) => field(labels[name], input)), tree.isPlayed ? null : field(t("result"), result)), scopeField,
    field("PGN", text), parts,
  ], async () => {
    const before = JSON.stringify(tree.data());
    const pgn = await written();
    const name = scope.value === "file" ? file.name : fileNameOf(tree, "pgn");
    download(new Blob([pgn], { type: "application/x-chess-pgn" }), name);
    warn(pgn);
    // Somebody may have closed the dialog and gone on meanwhile.
    if (tree === app.tree && JSON.stringify(tree.data()) === before) {
      app.saved(scope.value === "file");
    }
    return false;
  }, t("download"), t("close"));
  const warn = (pgn) => {
    const { largest, moves } = app.start;
    const count = tree.data().nodes.length;
    const leftOut = scope.value === "file" ? file.leftOut : [];
    problem.textContent = new Blob([pgn]).size > largest ? t("too-large-later", megabytes(largest)) : count > moves ? t("too-long-later", fixed(moves))
      : leftOut.length > 0 ? toldOf("games-left-out", leftOut) : "";
  };
  let [last, showing] = [null, null];
  /** Whether all is shown as it is now. */
  const show = () => {
    showing = showNow();
    return showing;
  };
  const showNow = async () => {
    const writing = Symbol("writing");
    last = writing;
    result.value = tree.result;
    fen.value = app.node.known?.fen ?? (app.node === tree.root ? tree.start : "");
    try {
      const pgn = await written();
      const link = scope.value === "game" ? await linkTo(app, pgn) : "";
      if (last !== writing) {
        return showing;
      }
      text.value = pgn.length > SHOWN ? `${pgn.slice(0, SHOWN)}…` : pgn;
      warn(pgn);
      share(link);
      return true;
    } catch (error) {
      problem.textContent = error instanceof NoServer ? t("save-later") : error.message;
      return false;
    }
  };
  dialog.addEventListener("input", () => { dialog.isTouched = false; });
  // A game goes on, or ends, also below the dialog.
  let waiting = 0;
  dialog.renew = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => dialog.open && show(), 100);
  };
  show();
}

/** A choice that the browser keeps and that is on or off. */
function toggle(name, isOn, choose) {
  return [t(name), make("input", { type: "checkbox", role: "switch", class: "knob", "aria-label": t(name), checked: isOn, change: ({ target }) => {
    stored.set(name, target.checked ? "on" : "off");
    choose(target.checked);
  } })];
}

function settingsDialog(app) {
  const { start, view } = app;
  const onOff = ["on", "off"].map((value) => [value, t(`switch-${value}`)]);
  const own = [
    toggle("sound", isSoundOn, (isOn) => { isSoundOn = isOn; }),
    setting("upright", [["auto", t("upright-auto")], ...onOff], upright, (value) => {
      upright = value;
      view.turn();
      view.showBoard();
    }),
    toggle("movable-marks", areMovableShown(), () => view.showBoard()),
  ];
  /** The engine's threads and memory are the same for all pages, as long as the server runs. */
  const resource = (name, values, written) => {
    const select = choice([], null, () => app.attempt(async () => {
      try {
        start.engine = await ask("/engine", { [name]: Number(select.value) });
        app.engine.restart();
      } finally {
        select.value = start.engine[name];
      }
    }));
    const show = () => {
      const options = [...new Set([start.engine[name], ...values])].sort((one, other) => one - other);
      select.replaceChildren(...choice(options.map((value) => [value, written(value)])).children);
      select.value = start.engine[name];
    };
    show();
    return { element: field(t(`engine-${name}`), select), show };
  };
  const resources = [
    resource("threads", Array.from({ length: start.processors }, (_, index) => index + 1), fixed),
    resource("hash", [16, 64, 256, 1024].filter((size) => size <= start.memory), (size) => `${fixed(size)} MiB`),
  ];
  // Another page may have changed them.
  ask("/engine").then((engine) => {
    start.engine = engine;
    resources.forEach(({ show }) => show());
  }).catch(() => {});
  const { dialog } = openDialog(t("settings"), [...settings(() => {
    view.redraw();
    dialog.close();
    settingsDialog(app);
  }), ...own].map(([label, select]) => field(label, select)).concat(resources.map(({ element }) => element)), null, "");
  // The button by which it was opened may have been drawn anew.
  dialog.addEventListener("close", () => document.activeElement === document.body && document.querySelector("#settings").focus());
}

/** What a small window has no room for. */
function moreDialog(app) {
  const { view } = app;
  const folded = [["notes", () => view.unfold("notes", true)], ["typing", () => view.unfold("typing", true)]].filter(([key]) => key !== "notes" || !app.isPlaying);
  const items = [...STEPS.filter(([key]) => key !== "back" && key !== "forward"), ["my-games", ownGamesDialog], ...folded, ...TOOLS.filter(([key]) => key !== "keys")];
  const { dialog } = openDialog(t("more"), make("div", { class: "items" }, items.map(([key, act]) => make("button", { type: "button", class: "tool", click: () => {
    dialog.close();
    act(app);
  } }, icon(key), t(key)))), null, "");
}

function helpDialog() {
  const keys = [
    ["← →", "keys-help"], ["↑ ↓", "key-aside"], [`${t("key-home")} ${t("key-end")}`, "keys-ends"], ["E", "engine"], ["F", "flip"], ["M", "key-move"],
    ["Tab", "key-tab"], ["Enter", "key-enter"], ["A W", "key-choice"], ["S", "key-stop"], ["R", "key-replay"], ["H", "key-hint"], [t("key-escape"), "key-put-down"],
  ];
  openDialog(t("keys"), make("dl", { class: "tags" }, keys.map(([names, meaning]) => [
    make("dt", {}, names.split(" ").map((name) => [make("kbd", {}, name), " "])), make("dd", {}, t(meaning))])), null, "");
}
