/* Why a move is good or bad, in words: by what it takes, what can be taken after it, and what is proven. */

const sideName = (isWhite) => t(isWhite ? "white" : "black");
const orNothing = (count) => (count > 0 ? fixed(count) : t("nothing"));
const stonesText = (count) => t(count === 1 ? "one-stone" : "some-stones", fixed(count));

/** A turn in few characters: of a long chain its ends. */
const brief = ({ path, text }) => (path.length > 4 ? `${path[0]}-…-${path.at(-1)}` : text);

/** Writes a text with moves in it: a short one stays on one line. */
function writeMoves(element, text) {
  const isShort = (part, at) => at % 2 === 1 && part.split("-").length < 5;
  element.replaceChildren(...text.split(/([a-z]\d[AW]?(?:-(?:…|[a-z]\d[AW]?))+)/).map((part, at) => (isShort(part, at) ? make("span", { class: "whole" }, part) : part)));
}

/** Who is proven to win by a score, if somebody is: `win` or `loss` of this side. */
function forcedOf(score, isWhite) {
  return /M|TB/.test(score?.text) ? ((score.text[0] === "+") === isWhite ? "win" : "loss") : null;
}

/** What a move takes, and the most that the other side can take then; `known` is what is known of the position after the move. */
function takesText({ captured: { length: takes } }, known, other) {
  const most = turnOf(known?.largest ?? "pass").captured.length;
  const isLast = known?.outcome?.reason === "no-stones";
  const key = !known || isLast || (most > 0 && takes === 0) ? "" : takes === 0 ? "why-safe" : most === 0 ? "why-takes" : most < takes ? "why-takes-only" : "why-takes-back";
  return isLast ? t("why-last", stonesText(takes), other) : key && t(key, stonesText(takes), other, fixed(most));
}

/** What the other side could have taken if it were its turn before a move, and can take no longer. */
function preventsText(before, after, other) {
  const [threat, now] = [before, after].map((known) => turnOf(known?.largest ?? "pass"));
  const isLess = before && after && threat.captured.length > now.captured.length;
  return isLess ? t("why-prevents", other, stonesText(threat.captured.length), brief(threat), orNothing(now.captured.length)) : "";
}

/** What a bad move has been judged to be and what follows from it (`why`), and what the better one is about (`better`). */
function judgedParts(tree, { turn, judged, parent, found, score, chance, ply }, nameOf = ({ text }) => text) {
  const isWhite = tree.isWhite(ply);
  const other = sideName(!isWhite);
  const [reply] = (found?.words ?? []).map(turnOf);
  const [best, then] = (parent.found?.words ?? []).map(turnOf);
  const [lost, saved, more] = [reply, then, best].map((one) => one?.captured.length ?? 0);
  const isMore = more > turn.captured.length;
  const [was, is] = [parent, { score }].map((one) => forcedOf(one.score, isWhite));
  const chances = [parent.chance, chance].map((white) => percent((isWhite ? white : 100 - white) / 100, 0));
  const isForced = (was === "win" && is !== "win") || (is === "loss" && was !== "loss" && reply !== undefined);
  const why = isForced ? (is === "loss" && reply ? t(lost > 0 ? "after-takes-wins" : "after-wins", other, nameOf(reply), stonesText(lost)) : t("loses-win"))
    : lost > saved ? t("after-takes", other, nameOf(reply), stonesText(lost))
      : isMore || !isKnown(chance) ? "" : t("chances-fall", sideName(isWhite), ...chances);
  const better = isMore && !why ? t("better-takes", stonesText(more), turn.captured.length > 0 ? fixed(turn.captured.length) : t("none"))
    : !isForced && lost > saved && then ? t(more > 0 ? "better-trade" : saved > 0 ? "better-loses" : "better-safe", stonesText(more || saved), orNothing(saved)) : t("better");
  const mark = t(`a-${MARKS[judged]}`);
  return { why: [`${mark[0].toUpperCase()}${mark.slice(1)}.`, why].filter(Boolean).join(" "), better: best ? better : "", best };
}

/** The same in a few words, where the best line has no place beside it. */
function judgedText(tree, node) {
  const { why, better, best } = judgedParts(tree, node, brief);
  return better ? `${why} ${named(better, brief(best))}.` : why;
}
