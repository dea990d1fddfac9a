/* What all pages share: texts and numbers in the language of the reader, elements, colours. */

const LANGUAGES = [["en", "English"], ["fr", "Français"], ["mg", "Malagasy"]];
const THEMES = ["auto", "light", "dark"];

/** What a reader has chosen; where files may store nothing, it is forgotten with the page. */
const stored = {
  get(name) {
    try {
      return localStorage.getItem(`vato-${name}`);
    } catch {
      return null;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`vato-${name}`, value);
      return true;
    } catch {
      // It counts as long as the page is open.
      return false;
    }
  },
};

/** What is stored as JSON, where it is of the kind that it was. */
function recalled(name, otherwise) {
  try {
    const value = JSON.parse(stored.get(name));
    return value !== null && typeof value === "object" && Array.isArray(value) === Array.isArray(otherwise) ? value : otherwise;
  } catch {
    return otherwise;
  }
}

let language = LANGUAGES.findIndex(([code]) => code === (stored.get("language") ?? navigator.language.slice(0, 2)));
language = Math.max(language, 0);
let theme = THEMES.includes(stored.get("theme")) ? stored.get("theme") : "auto";

/** How long a step of a turn is to be seen, in milliseconds. */
const STEP_TIMES = { slow: 700, normal: 350, fast: 180, off: 0 };
let animation = Object.hasOwn(STEP_TIMES, stored.get("animation")) ? stored.get("animation") : "normal";
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const stepTime = () => (calm.matches ? 0 : STEP_TIMES[animation]);

/** A text in the language of the page; what has no text is shown as it is. */
function t(key, ...values) {
  const text = Object.hasOwn(TEXTS, key) ? TEXTS[key][language] : key;
  return text.replace(/\{(\d)\}/g, (_, place) => values[place]);
}

/** An element with attributes (functions are listeners) and children: elements, or texts, which stay texts. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name, value);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** After a choice by mouse the keys belong to the page again. */
function leave(select) {
  if (!select.matches(":focus-visible")) {
    select.blur();
  }
}

const code = () => LANGUAGES[language][0];
/** Writers of numbers, by language and digits: to make one takes longer than to write with it. */
const numberFormats = new Map();

/** A number with at least and at most so many digits behind the point. */
function written(value, least, most) {
  const key = `${code()} ${least} ${most}`;
  if (!numberFormats.has(key)) {
    numberFormats.set(key, new Intl.NumberFormat(code(), { minimumFractionDigits: least, maximumFractionDigits: most }));
  }
  return numberFormats.get(key).format(value).replace("-", "−");
}

const fixed = (value, digits = 0) => written(value, digits, digits);
/** Up to one digit, such as points. */
const short = (value) => written(value, 0, 1);
const percent = (share, digits = 1) => `${fixed(100 * share, digits)} %`;
/** Something, and what is said of it. */
const named = (name, words) => `${name}${code() === "fr" ? "\u00a0" : ""}: ${words}`;
const isKnown = (value) => value !== null && value !== undefined;
/** With its sign; zero is +0. */
function signed(value, digits = 0) {
  const text = fixed(Math.abs(value), digits);
  const isNegative = value < 0 && Number(value.toFixed(digits)) !== 0;
  return (isNegative ? "−" : "+") + text;
}

function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function panel(title, ...content) {
  return make("section", { class: "panel" }, make("h2", {}, title), content);
}

/** Whether charts are drawn for a narrow window, so that their texts stay readable. */
const narrow = matchMedia("(max-width: 600px)");
const isNarrow = () => narrow.matches;

/** A choice that the browser keeps: its label, and the element; `choose` is told of another one. */
function setting(name, options, chosen, choose) {
  const select = make("select", { "aria-label": t(name), title: t(name), change: () => {
    leave(select);
    stored.set(name, select.value);
    choose(select.value);
  } },
    options.map(([value, text]) => make("option", { value, selected: value === chosen }, text)));
  return [t(name), select];
}

/** The choices of language, colours and animation; `redraw` draws the page anew in another language. */
function settings(redraw) {
  return [
    setting("language", LANGUAGES, code(), (value) => {
      language = LANGUAGES.findIndex(([name]) => name === value);
      redraw();
    }),
    setting("theme", THEMES.map((name) => [name, t(`theme-${name}`)]), theme, (value) => {
      theme = value;
      showTheme();
    }),
    setting("animation", Object.keys(STEP_TIMES).map((name) => [name, t(`animation-${name}`)]), animation, (value) => { animation = value; }),
  ];
}

const systemTheme = matchMedia("(prefers-color-scheme: dark)");

function showTheme() {
  const isDark = theme === "auto" ? systemTheme.matches : theme === "dark";
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  // The frame that a system draws around it.
  document.querySelector("[name=theme-color]").content = getComputedStyle(document.documentElement).getPropertyValue("--page").trim();
}

systemTheme.addEventListener("change", showTheme);
showTheme();
