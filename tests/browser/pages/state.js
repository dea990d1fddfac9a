/* What a person would write down of a game, beside what the state of the game says: any order of what can be done to it. It runs after the
   sources of `state.js` and what that needs, without a page; gives what is wrong, or nothing. */

const START = "wbwb.wbwb/9/9/9/9 w 0 1";

/** The seed of the numbers, and a clock that is set. */
let seed = 1;
const below = (end) => {
  seed = (seed * 48271) % 2147483647;
  return seed % end;
};
let time = 0;

class Played extends Contest {
  get now() {
    return time;
  }
}

const same = (what, one, other) => {
  if (JSON.stringify(one) !== JSON.stringify(other)) {
    throw new Error(`${what}: ${JSON.stringify(one)}, expected ${JSON.stringify(other)}`);
  }
};

/** A game as the person has written it down: the moves, the clocks before each of them and now, the result. */
function game(steps) {
  const person = "wb"[below(2)];
  const clock = below(3) > 0 ? { base: 60, increment: 2 } : null;
  const level = below(22);
  const paper = { moves: [], clocks: [{ w: 60000, b: 60000 }], thought: 0, result: "*", why: "" };
  let tree = new GameTree({ rules: "tsivy", start: START });
  let contest = new Played(tree, { person, level, clock });
  /** One's own games, as the browser keeps them. */
  let own = "[]";
  let at = tree.root;
  let serial = 0;
  const log = [];
  const side = () => "wb"[paper.moves.length % 2];
  const end = () => tree.line(tree.root).at(-1);
  const word = () => `a1-${"abcdefghi"[below(9)]}${1 + below(5)}`;
  /** What the page keeps is read again. */
  const load = (data, state) => {
    tree = new GameTree(JSON.parse(JSON.stringify(data)));
    contest = new Played(tree, JSON.parse(JSON.stringify(state)));
    contest.keptText = ownText(contest.own);
    at = end();
  };
  const spend = () => {
    const spent = below(3000);
    time += spent;
    paper.thought += paper.moves.length > 0 && contest.since !== null ? spent : 0;
  };
  const actions = {
    move: () => {
      const text = word();
      const node = contest.isOver ? tree.add(at, text) : tree.add(end(), text);
      contest.played(node);
      if (paper.result === "*") {
        const [now, mover] = [paper.clocks.at(-1), side()];
        paper.clocks.push({ ...now, [mover]: Math.max(0, now[mover] - paper.thought) + (paper.moves.length > 0 ? 2000 : 0) });
        [paper.thought, paper.moves] = [0, [...paper.moves, text]];
        contest.since = time;
      }
      at = node;
    },
    takeBack: () => {
      if (!contest.isOver && contest.lastMove) {
        contest.takeBack();
        const count = paper.moves.length - 2;
        [paper.moves, paper.clocks, paper.thought] = [paper.moves.slice(0, count), paper.clocks.slice(0, count + 1), 0];
        contest.since = time;
        at = end();
      }
    },
    end: () => {
      if (!contest.isOver && below(3) === 0) {
        [paper.result, paper.why] = [["1-0", "resignation"], ["0-1", "time forfeit"], ["1/2-1/2", "agreement"]][below(3)];
        contest.end(paper.result, paper.why);
      }
    },
    pause: () => contest.stop(),
    goOn: () => {
      contest.since ??= contest.isOver ? null : time;
    },
    walk: () => {
      const all = [tree.root, ...end().children, ...tree.line(at)];
      at = all[below(all.length)];
    },
    reload: () => {
      contest.stop();
      actions.keep();
      load(tree.data(), contest.state);
    },
    resume: () => {
      contest.stop();
      actions.keep();
      const [kept] = JSON.parse(own);
      kept && load(kept.data, kept.opponent);
    },
    keep: () => {
      const games = withOwnGame(JSON.parse(own), contest, (serial += 1));
      own = JSON.stringify(games);
      contest.keptText = ownText(contest.own);
      same("kept twice", withOwnGame(JSON.parse(own), contest, 0), JSON.parse(own));
    },
    remove: () => {
      if (contest.isOver && tree.mayRemove(at)) {
        const { parent } = at;
        tree.remove(at);
        at = parent;
      }
    },
    promote: () => contest.isOver && tree.mayPromote(at) && tree.promote(at, 64),
    review: () => {
      const words = tree.playedLine(below(2) ? at : end()).map(({ turn }) => turn?.text);
      // A variation may be judged as well; what came after the game never is.
      const isGame = tree.line(tree.root).includes(at) || tree.path(at).includes(end());
      isGame && same("reviewed", words.slice(1), paper.moves);
    },
  };
  const names = Object.keys(actions);
  for (let step = 0; step < steps; step += 1) {
    const name = below(2) ? "move" : names[below(names.length)];
    log.push(name);
    spend();
    try {
      actions[name]();
      const line = tree.line(tree.root);
      same("moves", line.slice(1).map(({ turn }) => turn.text), paper.moves);
      same("result", tree.result, paper.result);
      same("how it ended", tree.tag("Termination"), paper.why);
      same("is over", contest.isOver, paper.result !== "*");
      if (clock) {
        const now = { ...paper.clocks.at(-1) };
        now[side()] = Math.max(0, now[side()] - paper.thought);
        same("clocks", { w: contest.left("w"), b: contest.left("b") }, now);
        same("clocks before", line.map((node) => node.clock), paper.clocks);
      }
      // What is saved: the moves up to the end, also where others follow.
      const { nodes, end: last = nodes.length, result } = tree.data();
      const saved = [];
      for (let parent = 0; parent !== last;) {
        const next = nodes.findIndex((node) => node.parent === parent);
        if (next < 0) {
          break;
        }
        saved.push(nodes[next].word);
        parent = next + 1;
      }
      same("saved", [saved, result], [paper.moves, paper.result]);
      const games = withOwnGame(JSON.parse(own), contest, serial);
      same("own games", games.length, paper.moves.length > 0 ? 1 : 0);
      games.length > 0 && same("own game", [games[0].result, games[0].opponent.isOver], [paper.result, contest.isOver]);
    } catch (error) {
      throw new Error(`${error.message} after ${log.join(" ")}`);
    }
  }
}

/** A person's comment that comes back as another one, or as an engine's score, from a file, where spaces at its ends are lost. */
function commentFault() {
  for (const noted of ["", "+0.35/12 0.84s"]) {
    for (const added of ["", "Vato: -0.20/9, mark ?"]) {
      for (const comment of ["", "good", "+1.50", "0.84s", "+0.35/12", "-M5", "+1.50, better", "good Vato: +0.50/10, mark ?", "Vato: +TB"]) {
        const tree = new GameTree({ start: START, nodes: [{ parent: 0, word: "a1-a2", comment: `${noted} ${added}`.trim() }] });
        const [node] = tree.root.children;
        const [{ text } = {}, before] = [node.score ?? {}, node.comment];
        node.comment = comment;
        const data = tree.data();
        data.nodes[0].comment = data.nodes[0].comment.trim();
        const [again] = new GameTree(data).root.children;
        if (before !== "" || again.comment !== comment || again.score?.text !== text) {
          return JSON.stringify([noted, comment, added, before, again.comment, again.score?.text]);
        }
      }
    }
  }
  return "";
}

/** A result that is given again holds for the line as it is then; one that is corrected at once, for where it was. */
function resultFault() {
  const words = ["a1-a2", "b1-b2", "c1-c2"];
  // The game ends after so many of the moves, and the others follow: before the result is taken away, or after that.
  for (const end of [0, 1, 2]) {
    for (const isThere of [true, false]) {
      const nodes = words.slice(0, isThere ? 3 : end).map((word, parent) => ({ parent, word }));
      const tree = new GameTree({ start: START, result: "1-0", nodes, end });
      tree.result = "*";
      words.reduce((node, word) => tree.add(node, word), tree.root);
      tree.result = "1-0";
      const [played, expected] = [tree.line(tree.root).length - 1, isThere ? end : 3];
      if (played !== expected) {
        return `an end after ${end} plies came back after ${played}, expected ${expected}`;
      }
    }
  }
  // What a file has after the last move of a game without a result is no part of it.
  const nodes = words.map((word, parent) => ({ parent, word }));
  const tree = new GameTree({ start: START, result: "*", nodes, end: 2 });
  const played = tree.line(tree.root).length - 1;
  return played === 2 && tree.data().end === 2 ? "" : `an unfinished game has ${played} plies, expected 2`;
}

/** The first of many games that is not as it was written down. */
function faultOf(games) {
  const fault = commentFault() || resultFault();
  if (fault) {
    return fault;
  }
  for (let number = 1; number <= games; number += 1) {
    seed = number;
    below(1);
    try {
      game(40);
    } catch (error) {
      return `seed ${number}: ${error.message}`;
    }
  }
  return "";
}
