/* A game as a link, a position as a picture. */

/** The most characters of a link. Longer ones are cut off where they are passed on. */
const LINK_LENGTH = 8000;

/** The data of a link of whatever host, also behind a token, among other words, broken into lines, or without its sign; not in a game. */
const LINK = /^(?:(?:(?!\[\w+\s+")[^{]){0,1000}?#(?:[^\s#]*&(?:amp;)?)?|\s*(?=game=H4sI))game=([\w-]+(?:[\s>]+[\w-]+)*(?=&)|[\w-]*)/i;

/** A link that holds the game itself, packed, and the place that is shown: `ply=5.1.3` is after five moves of the main line, the first
    variation there and three moves of that. `contest` goes with it. */
async function linkTo({ tree, node, isFlipped }, pgn, contest = "") {
  const counts = [0];
  for (const place of tree.places(node)) {
    if (place === 0) {
      counts[counts.length - 1] += 1;
    } else {
      counts.push(place, 0);
    }
  }
  const data = (await packed(pgn)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${stored.get("site") || location.origin + location.pathname}#game=${data}${contest}&ply=${counts.join(".")}${isFlipped ? "&turned" : ""}`;
}

/** The game of a link, and the place in it; of another text, nothing. */
async function readLink(text, most) {
  const part = withSigns(text.slice(0, 2 * LINK_LENGTH));
  const [begin, data] = LINK.exec(part) ?? [];
  if (!isKnown(begin)) {
    return null;
  }
  // Of other lines only a word that is alone may be part of it.
  const [more] = part.slice(begin.length).replaceAll("&amp;", "&").replace(/[\s>]+(?=[^\s>]+[^\S\r\n]*$)/gm, "").split(/\s/, 1);
  const [, ply = "0"] = /&ply=(\d{1,4}(?:\.\d{1,4}){0,99})/.exec(more) ?? [];
  const at = ply.split(".").flatMap((count, index) => (index % 2 ? Number(count) : Array(Number(count)).fill(0)));
  try {
    const bytes = bytesOf(data.replace(/[\s>]/g, "").replaceAll("-", "+").replaceAll("_", "/"));
    if (!isPacked(bytes)) {
      throw new Error();
    }
    const [, id, to, isOffered] = /^&with=(\d{1,16})&to=([wb])(&draw)?&ply=/.exec(more) ?? [];
    if (!id && /&(with|(?!ply=|turned)[a-z]*$)/.test(more)) {
      throw new Error();
    }
    const contest = id ? { id: Number(id), to, isOffered: isKnown(isOffered) } : null;
    return { pgn: await textOf(new Blob([bytes]), most), at, isFlipped: more.includes("&turned"), contest };
  } catch (error) {
    throw error instanceof NoServer ? error : new Error(t("link-wrong"));
  }
}

/** Opens the link of the address. It is asked about like a text that is pasted, if something would be lost, and kept until that is decided. */
function openLinked() {
  const { link } = server;
  if (link && mayOpen()) {
    const dialog = openFileDialog(app, { pasted: `${location.origin}${location.pathname}#${link}` });
    dialog.isLinked = true;
    // Before the dialog looks for another link.
    dialog.addEventListener("close", () => {
      if (server.link === link) {
        server.link = "";
        keep("link", "");
      }
    }, true);
    dialog.querySelector("form").requestSubmit();
  }
}

/** Copies the text of a field, which fails where the browser denies it. */
async function copyText(input) {
  input.select();
  document.execCommand("copy") || await navigator.clipboard.writeText(input.value);
  return t("copied");
}

/** The link by which a game of two goes on at the other's. */
async function sendDialog(app) {
  const { opponent, tree } = app;
  // Its name, who answers, and perhaps the offer of a draw.
  const contest = `&with=${opponent.id}&to=${opponent.person === "w" ? "b" : "w"}${opponent.isOffering ? "&draw" : ""}`;
  const pgn = await app.attempt(async () => (await ask("/write", tree.data())).pgn);
  if (!pgn || opponent !== app.opponent) {
    return;
  }
  const link = make("input", { type: "text", readonly: true, "aria-label": t("link"), value: await linkTo({ tree, node: opponent.node }, pgn, contest) });
  openDialog(t("send-move"), [make("p", {}, t("send-how")), field(t("link"), link)], async () => {
    await copyText(link).catch(() => { throw new Error(t("copy-denied")); });
    opponent.isSent = true;
    opponent.isOffering &&= "sent";
    app.keep();
    app.view.show();
    app.view.say(t("link-copied"));
  }, t("copy-link"), t("close"));
}

/** The properties by which the parts of a board look as they do. */
const LOOK = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "opacity", "stop-color",
  "font-size", "font-weight", "text-anchor"];

/** A property as all programs read it. */
function plainly(value) {
  const [, kind, parts] = /^(rgb\(|color\(srgb )([^/]+)\)$/.exec(value) ?? [];
  const byte = (part) => Math.round(part * (kind === "rgb(" ? 1 : 255)).toString(16).padStart(2, "0");
  return kind ? `#${parts.split(/[ ,]+/).map(byte).join("")}` : value.replace(/(\d)px/g, "$1");
}

/** The position that is shown, with the last move and the best arrow, as an SVG document that refers to no style. */
function pictureOf({ tree: { columns, rows }, node: { stones, turn, known }, engine, isFlipped }) {
  const board = new Board({ columns, rows });
  board.flip(isFlipped);
  board.show({ stones, last: turn, arrows: engine.arrows.slice(0, 1) });
  const { element } = board;
  // Only there it has colours.
  document.body.append(element);
  const plain = getComputedStyle(element);
  // What is inside first: it looks as it does also by the classes around it.
  for (const part of [...element.querySelectorAll("*")].reverse()) {
    const look = getComputedStyle(part);
    for (const name of LOOK.filter((name) => look[name] !== plain[name] && !part.hasAttribute(name))) {
      part.setAttribute(name, plainly(look[name]));
    }
    if (part.localName === "text") {
      // Not all programs know other base lines.
      part.setAttribute("dy", (0.27 * parseFloat(look.fontSize)).toFixed(1));
    }
    part.removeAttribute("class");
  }
  element.remove();
  const { width, height } = element.viewBox.baseVal;
  for (const [name, value] of Object.entries({ width, height, "font-family": "sans-serif" })) {
    element.setAttribute(name, value);
  }
  ["class", "aria-label"].forEach((name) => element.removeAttribute(name));
  element.prepend(svg("title", {}, known?.fen ?? ""));
  return new XMLSerializer().serializeToString(element);
}

/** The same as PNG, with two pixels for each unit. */
async function pixelsOf(picture) {
  const image = make("img", { src: `data:image/svg+xml,${encodeURIComponent(picture)}` });
  await image.decode();
  const canvas = make("canvas", { width: 2 * image.naturalWidth, height: 2 * image.naturalHeight });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => { canvas.toBlob(done); });
}

/** The name of a file of a game: the players and the date, as far as they are known. */
function fileNameOf(tree, kind) {
  const known = ["White", "Black", "Date"].map((name) => tree.tag(name)).filter((value) => !/^[?.]*$/.test(value));
  const words = known.map((value) => value.replace(/[^\p{L}\p{M}\p{N}.-]+/gu, "_").slice(0, 60).replace(/^[_.]+|[_.]+$/g, "")).filter(Boolean);
  return `${words.join("-") || "vato"}.${kind}`;
}

function download(content, name) {
  const link = make("a", { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** What the dialog that saves has for sharing; `share` is told of the link to the game, or that it is not what is to be saved;
    `renew` says whether the link is that to the game as it is now. */
function shareParts(app, renew) {
  const told = make("p", { class: "muted small", role: "status" }, t("link-how"));
  const say = (text) => { told.textContent = text; };
  const shown = (name) => make("input", { type: "text", readonly: true, "aria-label": name });
  const [link, fen] = [shown(t("link")), shown("FEN")];
  const button = (key, act) => make("button", { type: "button", click: act }, t(key));
  const row = (name, kind, ...content) => make("div", { class: "field", role: "group", "aria-label": name }, make("span", {}, name), make("div", { class: kind }, content));
  /** Of several that are pressed the last is what is copied: the others have ended before, or come to nothing. `act` gives what is to be said. */
  let [last, ending] = [null, Promise.resolve()];
  const copying = (act, text = "") => () => {
    const pressed = Symbol("pressed");
    const isLast = () => last === pressed;
    last = pressed;
    say(text);
    ending = ending.then(() => isLast() && act(isLast)).catch(() => t("copy-denied")).then((words) => isLast() && say(words));
  };
  const linkRow = row(t("link"), "copied", [link, button("copy-link",
    copying(async (isLast) => ((await renew()) && isLast() && link.value ? copyText(link) : told.textContent)))]);
  const onceMade = (act) => () => act(pictureOf(app)).catch((error) => say(error.message));
  const actions = [
    ["SVG", async (picture) => download(new Blob([picture], { type: "image/svg+xml" }), fileNameOf(app.tree, "svg"))],
    ["PNG", async (picture) => download(await pixelsOf(picture), fileNameOf(app.tree, "png"))],
  ];
  const copyPicture = async (isLast) => {
    const pixels = pixelsOf(pictureOf(app)).then((made) => (isLast() ? made : Promise.reject()));
    await navigator.clipboard.write([new ClipboardItem({ "image/png": pixels })]);
    return t("copied");
  };
  const share = (text) => {
    linkRow.hidden = !text;
    const isLong = text.length > LINK_LENGTH;
    link.value = isLong ? "" : text;
    link.nextSibling.disabled = isLong;
    say(isLong ? t("link-too-long", fixed(text.length), fixed(LINK_LENGTH)) : text && t("link-how"));
  };
  const parts = [
    linkRow, row(t("position-fen"), "copied", [fen, button("copy", copying(() => copyText(fen)))]),
    row(t("picture"), "row", actions.map(([key, act]) => button(key, onceMade(act))),
      window.ClipboardItem ? button("copy-picture", copying(copyPicture, t("picture-making"))) : null), told,
  ];
  return { fen, share, parts };
}
