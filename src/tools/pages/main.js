/* The page of the analysis board as it is opened: keys, pointers, files, and the server that comes and goes. */

const app = new AnalysisBoard();

/** A key goes to the page wherever the focus is, but in a text; a choice keeps those by which it is made. */
function key(event) {
  const steps = {
    ArrowLeft: () => app.back(),
    ArrowRight: () => app.forward(),
    Home: () => app.go(app.tree.root),
    End: () => app.go(app.tree.line(app.node).at(-1)),
  };
  const actions = {
    ...steps,
    ArrowUp: () => app.aside(-1),
    ArrowDown: () => app.aside(1),
    Escape: () => {
      app.putDown();
      event.target.closest?.("input, textarea")?.blur();
    },
    e: () => app.isPlaying || app.engine.toggle(),
    f: () => app.flip(),
    m: () => {
      app.view.unfold("typing", true);
      app.view.moveInput.select();
    },
    a: () => app.hand.choose("A"),
    w: () => app.hand.choose("W"),
    s: () => app.hand.finish(),
    h: () => app.hint.press(),
    r: () => app.view.replay(),
  };
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const { target } = event;
  const isIn = (selector) => target.closest?.(selector);
  const isText = isIn("input, textarea") && !(target === app.view.moveInput && target.value === "" && name.length > 1);
  const isOwn = (isText && name !== "Escape") || (isIn("select") && !Object.hasOwn(steps, name) && name !== "Escape");
  if (Object.hasOwn(actions, name) && !isOwn && actions[name]() !== false) {
    event.preventDefault();
  }
}

addEventListener("keydown", (event) => {
  // Behind a dialog or a menu nothing happens, wherever the focus is.
  if (!document.querySelector("dialog, :popover-open") && !event.altKey && !event.ctrlKey && !event.metaKey && app.tree) {
    key(event);
  }
});

narrow.addEventListener("change", () => app.tree && app.view.redraw());
addEventListener("resize", () => app.tree && app.view.resized());
for (const [kind, isPressed] of [["pointerdown", true], ["pointerup", false], ["pointercancel", false]]) {
  // A list that opens does not tell when it is released.
  addEventListener(kind, ({ target }) => { app.isPressed = isPressed && !target.closest?.("select"); }, true);
}
// A click beside the board puts a stone down that waits for an answer.
addEventListener("pointerdown", ({ target }) => {
  if (app.hand.choice && !target.closest?.("button, a, input, select, textarea, .board, dialog")) {
    app.hand.putDown();
    app.view.showBoard();
  }
});
/** A file that is dropped on the page, or a text that is pasted where nothing is typed, is to be opened. */
const mayOpen = () => app.tree && !document.querySelector("dialog[open]");
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  const { files } = event.dataTransfer;
  if (files.length > 0 && !event.target.closest?.("[type=file]")) {
    // Beside the board, too: the browser would leave the page for it.
    event.preventDefault();
    if (mayOpen()) {
      openFileDialog(app, { files });
    }
  }
});
addEventListener("paste", (event) => {
  const pasted = event.clipboardData.getData("text");
  if (pasted && mayOpen() && !event.target.closest?.("input, textarea")) {
    event.preventDefault();
    openFileDialog(app, { pasted });
  }
});
addEventListener("pagehide", () => app.tree && app.keep());
document.addEventListener("visibilitychange", () => app.tree && document.hidden && app.keep());

/** Before the tab is closed: what has not been saved is asked about. */
addEventListener("beforeunload", (event) => {
  app.tree && app.keep();
  if ((app.tree && app.hasUnsaved) || [...document.querySelectorAll("dialog")].some(({ isTouched }) => isTouched)) {
    event.preventDefault();
  }
});

let opening = null;

function open() {
  opening ??= app.open().catch((error) => {
    document.querySelectorAll("main").forEach((old) => old.remove());
    document.body.append(make("main", {}, make("section", { class: "panel" }, make("h1", {}, "Vato"), make("p", { role: "alert" }, error.message), server.link ? make("p", {}, t("link-waits")) : null)));
  }).finally(() => { opening = null; });
}

server.changed = () => {
  if (app.tree) {
    app.connection();
  } else if (!server.trouble) {
    open();
  }
};
open();
