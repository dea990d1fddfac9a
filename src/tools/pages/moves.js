/* Moves of games as the data has them: turns, scores, marks; and the graph of their evaluation. */

const MARKS = { "??": "blunder", "?": "mistake", "?!": "inaccuracy", "!": "good", "!!": "good", "!?": "good" };
const signOf = (mark) => Object.keys(MARKS).find((sign) => MARKS[sign] === mark);

/** A turn of the data: `f2-e3A:d4c5` is a path, how its points were reached, and the captured points; `pass` has no path. */
function turnOf(word) {
  const [text, captured = ""] = word.split(":");
  const steps = text === "pass" ? [] : text.split("-");
  return { text, path: steps.map((step) => step.slice(0, 2)), hows: steps.map((step) => step.slice(2)), captured: captured.match(/../g) ?? [] };
}

const wordsOf = (column) => (column ? column.split(" ") : []);

/** The score of a move, which counts plies from before it, as that of the position after it; of an unknown one nothing. */
const scoreAfter = (score) => (score && score !== "-" ? score.replace(/M(\d+)$/, (_, plies) => `M${Math.max(plies - 1, 0)}`) : "");

/** A score of the data with a minus of its own width; unknown ones are nothing. */
const scoreText = (score) => (score && score !== "-" ? score.replace("-", "−").replace(".", fixed(0.5, 1)[1]) : "");

/** How high a score stands in the graph, from -1 to 1: half way up at 1.2 stones. */
function heightOf(score) {
  if (!score || score === "-") {
    return null;
  }
  const stones = Number(score);
  return Number.isNaN(stones) ? (score[0] === "-" ? -1 : 1) : stones / (Math.abs(stones) + 1.2);
}

/** Where the graph begins, beside its scale. */
const GRAPH_LEFT = 20;

/** The evaluation after each ply, to be clicked on: `go` is told the ply. */
class EvaluationGraph {
  #width;
  #height;
  #last = 1;
  #now;

  constructor(go, size = isNarrow() ? [340, 110] : [600, 130]) {
    [this.#width, this.#height] = size;
    const label = `${t("evaluation")}. ${t("evaluation-help")}`;
    this.element = svg("svg", { class: "chart graph", viewBox: `0 0 ${this.#width} ${this.#height}`, role: "img", "aria-label": label });
    this.#now = svg("line", { class: "now", y1: 0, y2: this.#height });
    const goThere = (event) => {
      // Its element may be wider or higher than what is drawn in it.
      const { a: scale, e: left } = this.element.getScreenCTM();
      const share = ((event.clientX - left) / scale - GRAPH_LEFT) / (this.#width - GRAPH_LEFT - 4);
      go(Math.round(Math.min(Math.max(share, 0), 1) * this.#last));
    };
    this.element.addEventListener("pointerdown", (event) => {
      this.element.setPointerCapture(event.pointerId);
      goThere(event);
    });
    this.element.addEventListener("pointermove", (event) => event.buttons > 0 && goThere(event));
  }

  #x(ply) {
    return GRAPH_LEFT + (ply * (this.#width - GRAPH_LEFT - 4)) / this.#last;
  }

  /** Draws lines of heights from -1 to 1, one for each position from the first on, and marks: `[ply, "??"]`. */
  draw(heights, marks) {
    const [width, middle] = [this.#width, this.#height / 2];
    this.#last = Math.max(...heights.map((line) => line.length)) - 1 || 1;
    const x = (ply) => this.#x(ply);
    const y = (value) => middle - value * (middle - 5);
    // The scale: even, and one stone ahead.
    const scale = [1, 0, -1].flatMap((stones) => {
      const at = y(heightOf(String(stones)));
      return [svg("line", { class: stones ? "grid" : "zero", x1: 0, x2: width, y1: at, y2: at }), svg("text", { x: 2, y: at - 3 }, stones ? signed(stones) : "0")];
    });
    const drawn = [svg("title", {}, t("evaluation-help")), ...scale];
    heights.forEach((line, series) => {
      const points = line.map((value, ply) => (isKnown(value) ? [x(ply), y(value)] : null)).filter(Boolean);
      if (points.length > 0 && heights.length === 1) {
        const area = [[points[0][0], middle], ...points, [points[points.length - 1][0], middle]];
        drawn.push(svg("polygon", { class: "area", points: area.join(" ") }));
      }
      drawn.push(svg("polyline", { class: `line series-${series}`, points: points.join(" ") }));
    });
    for (const [ply, sign] of marks) {
      const mark = MARKS[sign];
      const value = heights[0][ply];
      if (heights.length === 1 && mark && mark !== "good" && isKnown(value)) {
        drawn.push(svg("circle", { class: mark, cx: x(ply), cy: y(value), r: 4.5 }));
      }
    }
    this.element.replaceChildren(...drawn, this.#now);
  }

  /** Shows which position is looked at. */
  show(ply) {
    this.#now.setAttribute("x1", this.#x(ply));
    this.#now.setAttribute("x2", this.#x(ply));
  }
}
