/* One's own games against the engine, which the browser keeps for all pages. */

const MOST_GAMES = 300;

/** The games, the newest first. */
function ownGames() {
  try {
    const games = JSON.parse(stored.get("games"));
    return Array.isArray(games) ? games : [];
  } catch {
    return [];
  }
}

/** Keeps the game against the engine from its first turn on; whether it is kept. The oldest ones make room. */
function keepOwnGame({ opponent, tree }) {
  if (!opponent || tree.root.children.length === 0) {
    return false;
  }
  const data = tree.data();
  const text = JSON.stringify([data, opponent.isOver]);
  // Another page may have gone on with it.
  if (text === opponent.keptText) {
    return true;
  }
  const games = ownGames();
  const known = games.find(({ opponent: { id } }) => id === opponent.id);
  if (known && text === JSON.stringify([known.data, known.opponent.isOver])) {
    opponent.keptText = text;
    return true;
  }
  const others = games.filter((game) => game !== known);
  const game = { at: Date.now(), data, opponent: opponent.state, result: tree.result };
  for (let count = Math.min(others.length, MOST_GAMES - 1); ; count = Math.floor(count / 2)) {
    if (stored.set("games", JSON.stringify([game, ...others.slice(0, count)]))) {
      opponent.keptText = text;
      return true;
    } else if (count === 0) {
      return false;
    }
  }
}

/** How a game ended for the person: `won`, `lost`, `drawn`, or `going` if it has not. */
function endFor({ result, opponent: { person, isOver } }) {
  const winner = { "1-0": "w", "0-1": "b" }[result];
  return winner ? (winner === person ? "won" : "lost") : isOver ? "drawn" : "going";
}

function ownGamesDialog(app) {
  app.keep();
  const totals = make("p", { class: "muted" });
  const list = make("ul", { class: "owngames" });
  const show = () => {
    const games = ownGames();
    const count = (end) => fixed(games.filter((game) => endFor(game) === end).length);
    dialog.querySelector(".primary").hidden = games.length === 0;
    totals.textContent = games.length > 0 ? t("own-totals", count("won"), count("drawn"), count("lost")) : t("no-own-games");
    list.replaceChildren(...games.map((game) => {
      const { at, data, opponent: { id, person, level } } = game;
      const date = new Intl.DateTimeFormat(code(), { dateStyle: "medium", timeStyle: "short" }).format(at);
      const about = [t(`own-${endFor(game)}`), t("vato-level", level), t(person === "w" ? "white" : "black"), date].join(" · ");
      return make("li", {}, make("span", { class: `about ${endFor(game)}` }, about),
        make("button", { type: "button", "aria-label": `${t("open")}: ${about}`, click: () => openGame(game) }, t(endFor(game) === "going" ? "continue" : "open")),
        carefulButton("delete", () => {
          stored.set("games", JSON.stringify(ownGames().filter((other) => other.opponent.id !== id)));
          show();
        }));
    }));
  };
  const openGame = async (game) => {
    try {
      await accept(game);
      dialog.close();
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  let chosen = null;
  const replace = careful(app, () => app.resume(chosen));
  const accept = (game) => {
    chosen = game;
    return replace();
  };
  const { dialog, problem } = openDialog(t("my-games"), [totals, list], async (wait) => {
    const answers = await wait(ask("/write-all", ownGames().map(({ data }) => data)));
    const pgn = answers.map(({ Ok: text }) => text).filter(Boolean).join("\n");
    download(new Blob([pgn], { type: "application/x-chess-pgn" }), "my-games.pgn");
    return false;
  }, t("export-all"), t("close"));
  show();
}
