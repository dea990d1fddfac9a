/* What is said and asked: how a game has ended, why a stone cannot move, whether something may be lost. */

/** Who has won by a result: `w`, `b`, or nobody. */
const winnerOf = (result) => ({ "1-0": "w", "0-1": "b" })[result];

/** How a game has ended: "You win: Black has no stones left", "Vato wins: you resigned". `person` is the colour of somebody who has played. */
function verdictText(result, reason, person) {
  const loser = { "1-0": "b", "0-1": "w" }[result];
  const who = t(!loser ? "drawn" : !person ? (loser === "b" ? "white-won" : "black-won") : person === loser ? "vato-won" : "you-won");
  const key = `end-${reason}`;
  const why = reason === "resignation" && person === loser ? t("you-resigned") : loser && Object.hasOwn(TEXTS, key) ? t(key, t(loser === "w" ? "white" : "black")) : t(reason ?? "");
  return why ? t("ended", who, why) : who;
}

/** How the game has ended in the position that is shown, if it has. */
function endOf({ node, tree, opponent }) {
  const isHere = node === opponent?.node && !opponent.isTold;
  const person = isHere && !opponent.isOfPeople ? opponent.person : null;
  const ended = (result, reason) => ({ result, words: verdictText(result, reason, person) });
  if (node.known?.outcome) {
    return ended(node.known.outcome.result, node.known.outcome.reason);
  }
  const reason = { resignation: "resignation", "time forfeit": "time-loss", agreement: "agreement" }[tree.tag("Termination")];
  return isHere && opponent.isOver && tree.result !== "*" ? ended(tree.result, reason) : null;
}

/** Who is to move, or how the game has ended. */
function stateOf(app) {
  const end = endOf(app);
  return end ? `${end.result}, ${end.words}` : t(app.tree.whiteMoves(app.node.ply) ? "white-to-move" : "black-to-move");
}

/** The position for those who do not see it. */
function inWords(app) {
  const { turn, ply } = app.node;
  const captured = turn?.captured.length ?? 0;
  const moved = turn ? `${app.tree.count(ply)} ${turn.text}${captured > 0 ? `, ${t("captures", captured)}` : ""}. ` : "";
  return `${moved}${stateOf(app)}.`;
}

/** A button that asks before it acts: it acts on the second click, if it has not been left meanwhile. The second one of a double click is
    none. */
function carefulButton(key, act) {
  const text = make("span", {}, t(key));
  const button = make("button", { type: "button", class: Object.hasOwn(ICONS, key) ? "tool" : null, blur: () => button.reset(), click: ({ detail }) => {
    if (detail > 1) {
      return;
    } else if (button.isAsking) {
      button.reset();
      act();
    } else {
      button.isAsking = true;
      button.dataset.asking = "";
      text.textContent = t(`${key}-really`);
    }
  } }, Object.hasOwn(ICONS, key) ? icon(key) : null, text);
  button.reset = () => {
    button.isAsking = false;
    delete button.dataset.asking;
    text.textContent = t(key);
  };
  return button;
}

/** What a dialog does that puts another game on the board: if moves would be lost, it asks once. */
function careful(app, accept) {
  let hasAsked = false;
  return (wait) => {
    if (!hasAsked && app.hasUnsaved) {
      hasAsked = true;
      throw new Error(t("not-saved"));
    }
    return accept(wait);
  };
}

/** Why nobody can move in the position that is shown; nothing if somebody can. */
function whyNoMove({ node, isPlaying, opponent }) {
  if (node.known?.outcome) {
    return t("is-over");
  }
  return node.known && isPlaying && !opponent.mayMove(node) ? t(node === opponent.node ? "not-your-turn" : "not-here") : "";
}

/** Whether a stone of the side to move is on a point. */
const isOwnStone = ({ node: { stones, ply }, tree }, point) => tree.stoneOn(stones, point) === (tree.whiteMoves(ply) ? "w" : "b");

/** Why no stone can be taken up on a point. */
function whyNot(app, point) {
  const { node: { known, stones }, tree } = app;
  const why = whyNoMove(app);
  if (why || !known) {
    return why;
  }
  if (known.passes) {
    return t("only-pass");
  }
  if (tree.stoneOn(stones, point) === ".") {
    return t("no-stone", point);
  }
  if (!isOwnStone(app, point)) {
    return t("other-side", point);
  }
  const mustCapture = known.stones.every(({ next }) => next.every(({ how }) => how));
  return t(mustCapture ? "must-capture" : "is-blocked", point);
}

/** Why a stone cannot go on by a turn to a neighbouring point, in the server's words; nothing of other points. */
async function whyNotStep(place, turn) {
  const [at, to] = turn.split("-").slice(-2).map((step) => [step.charCodeAt(0), Number(step[1])]);
  if (Math.hypot(to[0] - at[0], to[1] - at[1]) >= 2) {
    return "";
  }
  try {
    await ask("/position", { place, turn });
    return "";
  } catch (error) {
    if (error instanceof NoServer) {
      return error.message;
    }
    // Which turn it is, is seen.
    const why = error.message.split(/[ \u00a0]?: /).at(-1);
    return why[0].toUpperCase() + why.slice(1);
  }
}
