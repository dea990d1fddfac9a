/* One's own games, against the engine or of two people, which the browser keeps for all pages. */

const MOST_GAMES = 300;

/** The games, the newest first. What is no game is passed over. */
function ownGames() {
  const isContest = ({ id, level, person }) => isKnown(id) && (level === null ? [null, "w", "b"].includes(person) : Number.isInteger(level) && /^[wb]$/.test(person));
  const isGame = (game) => Math.abs(game?.at) < 8e15 && isContest(game.opponent ?? {})
    && Array.isArray(game.data?.nodes) && typeof game.data.start === "string";
  return recalled("games", []).filter(isGame);
}

/** Keeps the game against the engine, or that there is none any longer; whether it is kept. The oldest ones make room. */
function keepOwnGame(contest) {
  const before = ownGames();
  const games = withOwnGame(before, contest, Date.now());
  const isThere = games.some(({ opponent: { id } }) => id === contest.id);
  const texts = games.slice(0, MOST_GAMES).map((game) => JSON.stringify(game));
  for (let count = texts.length; games !== before; count -= 1) {
    if (stored.set("games", `[${texts.slice(0, count)}]`)) {
      contest.keptText = ownText(contest.own);
      break;
    } else if (count <= 1) {
      return false;
    }
  }
  return isThere;
}

/** How a game ended for the person, or between two: `won`, `lost`, `drawn`, or `going` if it has not. */
function endFor({ result, opponent: { person } }) {
  const winner = winnerOf(result);
  return winner ? (winner === (person ?? "w") ? "won" : "lost") : result === "*" ? "going" : "drawn";
}

/** A game in a line: how it ended, the players, the rules, when it was played. */
function aboutGame({ at, data, result, opponent, opponent: { person, level } }) {
  const end = endFor({ result, opponent });
  const ending = person ? `own-${end}` : { won: "white-won", lost: "black-won" }[end] ?? `own-${end}`;
  const tree = new GameTree({ ...data, nodes: [] });
  const players = isKnown(level) ? [vatoName(level), t(person === "w" ? "white" : "black")] : [[0, 1].map((place) => nameOf(tree, place)).join(" – ")];
  const rules = data.rules === "tsivy" ? null : Object.hasOwn(TEXTS, `rules-${data.rules}`) ? t(`rules-${data.rules}`) : data.rules;
  const date = new Intl.DateTimeFormat(code(), { dateStyle: "medium", timeStyle: "short" }).format(at);
  return [t(ending), ...players, rules, date].filter(Boolean).join(" · ");
}

/** The last position of a game, with the person's side below. */
function pictureOfLast(data, person) {
  const tree = new GameTree(data);
  const { stones, turn } = tree.line(tree.root).at(-1);
  const board = new Board(tree);
  board.flip(person === "b");
  board.show({ stones, last: turn });
  return board.element;
}

/** The level that is offered after a game: the next one to who has won, an easier one to who has lost twice in a row. */
function betterLevel({ opponent, tree: { result } }) {
  const { id, level } = opponent;
  if (opponent.isOfPeople) {
    return null;
  }
  const end = endFor({ result, opponent });
  if (end !== "lost" || level === 0 || level === PERFECT_LEVEL) {
    return end === "won" && level < PERFECT_LEVEL - 1 ? level + 1 : null;
  }
  const games = ownGames();
  const before = games.slice(games.findIndex((game) => game.opponent.id === id) + 1).find((game) => game.opponent.isOver);
  return before && endFor(before) === "lost" ? level - 1 : null;
}

function ownGamesDialog(app) {
  app.keep();
  const totals = make("p", { class: "muted" });
  const list = make("ul", { class: "owngames" });
  // The pictures are drawn when they come into sight.
  const seen = new IntersectionObserver((entries) => entries.filter(({ isIntersecting }) => isIntersecting).forEach(({ target }) => {
    seen.unobserve(target);
    target.draw();
  }));
  const beginButton = make("button", { type: "button", class: "primary", click: () => {
    dialog.close();
    playDialog(app);
  } }, t("play-engine"));
  const show = () => {
    const games = ownGames();
    const had = list.contains(document.activeElement);
    const count = (end) => fixed(games.filter((game) => game.opponent.person && endFor(game) === end).length);
    exportButton.hidden = games.length === 0;
    beginButton.hidden = games.length > 0;
    totals.textContent = games.length > 0 ? t("own-totals", count("won"), count("drawn"), count("lost")) : t(stored.set("kept", "") ? "no-own-games" : "no-games-kept");
    list.replaceChildren(...games.map((game) => {
      const { data, opponent: { id, person } } = game;
      const action = game.opponent.isOver ? "review" : "continue";
      const about = aboutGame(game);
      const picture = make("span", { class: "picture", "aria-hidden": "true" });
      picture.draw = () => picture.append(pictureOfLast(data, person));
      seen.observe(picture);
      return make("li", {}, make("span", { class: `about ${endFor(game)}` }, about), picture,
        make("button", { type: "button", class: game.opponent.isOver ? null : "primary", "aria-label": `${t(action)}: ${about}`, click: () => openGame(id) }, t(action)),
        carefulButton("delete", () => {
          stored.set("games", JSON.stringify(ownGames().filter((other) => other.opponent.id !== id)));
          show();
        }));
    }));
    had && (list.querySelector("button") ?? dialog.querySelector(".end button")).focus();
  };
  let chosen = null;
  const replace = careful(app, () => app.resume(chosen));
  /** Opens a game as it is by now. */
  const openGame = async (id) => {
    try {
      app.keep();
      chosen = ownGames().find((game) => game.opponent.id === id) ?? chosen;
      await replace();
      dialog.close();
      app.isPlaying || app.review.start();
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const { dialog, problem } = openDialog(t("my-games"), [totals, beginButton, list], async (wait) => {
    const answers = await wait(ask("/write-all", ownGames().map(({ data }) => data)));
    const pgn = answers.map(({ Ok: text }) => text).filter(Boolean).join("\n");
    download(new Blob([pgn], { type: "application/x-chess-pgn" }), "my-games.pgn");
    return false;
  }, t("export-all"), t("close"));
  const exportButton = dialog.querySelector("[type=submit]");
  exportButton.classList.remove("primary");
  dialog.renew = show;
  show();
}
