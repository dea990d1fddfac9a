/* The file that a game is from: its games, with what has been changed in them. */

class GameFile {
  /** `games` as the server lists them: where each begins in the text, and why one cannot be read. `edits` has those games that are
      not any longer as they are in the text, by their numbers. At `rest` begin those that are not listed. */
  constructor({ pgn, name = "vato.pgn", games, rest, number, edits = {}, id = Math.random() }) {
    Object.assign(this, { pgn, name, games, rest, number, edits, id });
  }

  get count() {
    return this.games.length;
  }

  /** That not all games are listed, if so. */
  get limit() {
    return this.rest === undefined ? "" : t("games-listed", fixed(this.count));
  }

  /** Why games of the text cannot be read. */
  get faults() {
    return this.#faults(true);
  }

  /** The same of games of another format, which the text does not have. */
  get leftOut() {
    return this.#faults(false);
  }

  #faults(hasText) {
    return this.games.flatMap(({ fault }, index) =>
      (fault && Boolean(this.text(index + 1)) === hasText ? [t("game-fault", index + 1, translated(fault))] : []));
  }

  /** How a line of the text ends. */
  get #lineEnd() {
    return /\r\n|\r|\n/.exec(this.pgn)?.[0] ?? "\n";
  }

  /** The text of a game, with all that stands before it. */
  text(number) {
    return this.pgn.slice(number === 1 ? 0 : this.games[number - 1].begins, this.games[number]?.begins ?? this.rest);
  }

  /** The nearest game that can be read, after the one that is shown or before it. */
  neighbour(by) {
    for (let number = this.number + by; number >= 1 && number <= this.count; number += by) {
      if (!this.games[number - 1].fault) {
        return number;
      }
    }
    return null;
  }

  /** Keeps the game that is shown as it is now, before another one is; whether there is room for it. */
  stash(tree) {
    if (tree.isEdited) {
      this.edits[this.number] = { data: tree.data(), isChanged: tree.isChanged };
      const [white, black] = ["White", "Black"].map((name) => tree.tag(name) || "?");
      Object.assign(this.games[this.number - 1], { white, black, result: tree.result });
    }
    return this.keepEdits();
  }

  /** A game as the page has it, and what is wrong with its moves. */
  async read(number) {
    const edit = this.edits[number];
    // By itself it could be taken for a game of another format. No other one begins with such a line.
    const { game, faults } = edit ? { game: edit.data, faults: [] } : await ask("/read", { pgn: `%\n${this.text(number)}` });
    const tree = new GameTree(game);
    if (edit) {
      tree.isEdited = true;
      tree.isChanged = edit.isChanged;
    }
    const lines = this.pgn.slice(0, number === 1 ? 0 : this.games[number - 1].begins).split(/\r\n|\r|\n/).length - 2;
    return { tree, faults: faults.map((fault) => fault.replace(/^line (\d+)/, (_, line) => `line ${Number(line) + lines}`)) };
  }

  /** All games as text: those that have not been changed as they were, also those that cannot be read. */
  async written() {
    const changed = await this.#changed();
    const texts = this.games.map((_, index) => {
      const text = changed[index + 1] ?? this.text(index + 1);
      // What has been written anew begins a line.
      return changed[index + 2] && !/[\r\n]$/.test(text) ? text + this.#lineEnd.repeat(2) : text;
    });
    return texts.concat(this.rest === undefined ? "" : this.pgn.slice(this.rest)).join("");
  }

  /** The games that have been changed as text, by their numbers: as many in a request as its size allows. */
  async #changed() {
    const texts = {};
    for (const waiting = Object.entries(this.edits); waiting.length > 0;) {
      let size = 0;
      const last = waiting.findIndex(([, { data }]) => {
        size += JSON.stringify(data).length;
        return size > 1e6;
      });
      const part = waiting.splice(0, last + 1 || waiting.length);
      const answers = await ask("/write-all", part.map(([, { data }]) => data));
      part.forEach(([number], index) => {
        const { Ok: text, Err: fault } = answers[index];
        if (fault) {
          throw new Error(t("game-fault", number, translated(fault)));
        }
        // Lines that are no part of a game, among lines of tags and comments.
        const parts = this.text(Number(number)).match(/^%.*|^\[.*|;.*|\{[^}]*\}/gm) ?? [];
        const others = parts.filter((part) => part.startsWith("%"));
        texts[number] = [...others, text].join("\n").replaceAll("\n", this.#lineEnd);
      });
    }
    return texts;
  }

  /** Keeps the text, packed, as files may be larger than what may be kept. */
  async keep(wait) {
    try {
      const { pgn, name, games, rest, id } = this;
      return keep("file", await wait(packed(JSON.stringify({ pgn, name, games, rest, id })))) && this.keepEdits();
    } catch {
      return keep("file", "");
    }
  }

  keepEdits() {
    return keep("edits", JSON.stringify(this.edits));
  }

  /** The file that has been kept, if it is this one and all that was changed in it is there. */
  static async kept({ id, number }) {
    try {
      const text = await new Response(new Blob([bytesOf(kept("file"))]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
      const file = new GameFile({ ...JSON.parse(text), number, edits: keptData("edits") });
      return file.id === id && file.edits ? file : null;
    } catch {
      return null;
    }
  }
}

/** Bytes as characters of the same numbers. */
function binary(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) {
    text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  }
  return text;
}

/** A text packed by gzip, in Base64. */
async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return btoa(binary(new Uint8Array(await new Response(stream).arrayBuffer())));
}

/** The bytes of a text in Base64. */
const bytesOf = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

const isPacked = ([first, second]) => first === 0x1f && second === 0x8b;

/** What is packed by gzip, in parts; `limit` is told how much it is. Browsers unpack one member at a time, and do not say where it ends. */
async function unpacked(bytes, limit) {
  const parts = [];
  for (let [begin, end, size, failed] = [0, 1, 0, 0]; begin < bytes.length; end += 1) {
    // The bytes by which members begin may be elsewhere, too, but not often.
    if (failed > 3) {
      throw new Error(t("damaged"));
    } else if (end >= bytes.length || (bytes[end] === 0x1f && bytes[end + 1] === 0x8b && bytes[end + 2] === 8)) {
      const reader = new Blob([bytes.subarray(begin, end)]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
      const read = () => reader.read().catch(() => ({ done: true, isBroken: true }));
      const own = [];
      let [grown, part] = [size, await read()];
      for (; !part.done; part = await read()) {
        own.push(part.value);
        grown += part.value.length;
        limit(grown);
      }
      failed += 1;
      if (!part.isBroken) {
        parts.push(...own);
        [begin, size, failed] = [end, grown, 0];
      }
    }
  }
  return parts;
}

/** The text of a file, also one that is packed or not in UTF-8; of at most so many bytes, which a small packed one may exceed. */
async function textOf(file, most) {
  const limit = (size) => {
    if (size > most) {
      throw new Error(t("too-large", megabytes(most)));
    }
  };
  limit(file.size);
  const given = new Uint8Array(await file.arrayBuffer());
  const bytes = isPacked(given) ? new Uint8Array(await new Blob(await unpacked(given, limit)).arrayBuffer()) : given;
  const begin = bytes.subarray(0, 8);
  // UTF-16 begins with its mark, or with a `[`; UTF-32 looks like it.
  const wide = begin[2] || begin[3] ? { "255,254": "utf-16le", "254,255": "utf-16be", "91,0": "utf-16le", "0,91": "utf-16be" }[begin.slice(0, 2).join()] : null;
  if (!wide) {
    await ask("/text", binary(begin));
  }
  try {
    return new TextDecoder(wide ?? "utf-8", { fatal: !wide }).decode(bytes);
  } catch {
    // The server decides which bytes are Latin-1, as for the files that it begins with.
    return ask("/text", binary(bytes));
  }
}

/** Which game of a file is shown, and the way to its neighbours. */
function fileControls(app) {
  const { file } = app;
  if ((file?.count ?? 0) < 2) {
    return null;
  }
  const neighbour = (key, symbol, other) => make("button", {
    type: "button", "aria-label": t(key), title: t(key), disabled: other === null, click: () => app.attempt(() => app.turnTo(other)),
  }, symbol);
  const told = [["unreadable", file.faults], ["left-out", file.leftOut]].filter(([, faults]) => faults.length > 0)
    .map(([key, faults]) => make("span", { class: "muted small", title: faults.join("\n") }, t(key, faults.length)));
  return make("div", { class: "row" }, make("span", { class: "muted" }, t("game-number", file.number, file.count)),
    neighbour("previous-game", "‹", file.neighbour(-1)), neighbour("next-game", "›", file.neighbour(1)),
    file.limit ? make("span", { class: "muted small" }, file.limit) : null, told);
}
