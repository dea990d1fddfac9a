/* Parts of the page of which one is seen at a time, each behind a tab. */

class Tabs {
  #parts = [];
  /** The part that is seen. */
  current = null;

  /** `changed` is told that another part is seen. */
  constructor(changed) {
    this.changed = changed;
  }

  /** `parts` are pairs: a name, and what is to be seen. */
  draw(label, parts) {
    this.#parts = parts.map(([name, content]) => ({
      name,
      tab: make("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `part-${name}`, click: () => {
        this.choose(name);
        leave(this.#part(name).tab);
      } }, t(`tab-${name}`)),
      panel: make("div", { role: "tabpanel", id: `part-${name}`, class: "part", "aria-labelledby": `tab-${name}` }, content),
    }));
    this.list = make("div", { role: "tablist", "aria-label": label, keydown: (event) => this.#key(event) }, this.#parts.map(({ tab }) => tab));
    /** Where the game against Vato stands if it has no tab. */
    this.own = make("section", { class: "panel dock own" });
    return this.element = make("section", { class: "panel dock", "aria-label": label }, this.list, this.#parts.map(({ panel }) => panel));
  }

  #part(name) {
    return this.#parts.find((part) => part.name === name);
  }

  /** Which parts there are now: the one that is seen stays if it can, else that which was chosen last comes back. The game
      may stand apart (`isApart`). */
  show(all, isApart) {
    const names = all.filter((name) => !isApart || name !== "game");
    const [place, { panel }] = [isApart ? this.own : this.element, this.#part("game")];
    // That which was chosen last may have stood apart.
    const seen = !isApart && panel.parentElement === this.own ? stored.get("tab") : this.current;
    panel.parentElement === place || place.append(panel);
    this.own.hidden = !isApart || !all.includes("game");
    this.element.hidden = names.length === 0;
    this.#parts.forEach(({ name, tab }) => { tab.hidden = !names.includes(name); });
    // A single one needs no tab.
    this.list.hidden = names.length < 2;
    this.#see([seen, stored.get("tab"), names[0]].find((name) => names.includes(name)));
  }

  /** Somebody wants to see a part, or it has something to tell. */
  choose(name) {
    const { tab, panel } = this.#part(name);
    const isApart = panel.parentElement === this.own;
    if (isApart || !tab.hidden) {
      stored.set("tab", name);
      isApart || this.#see(name);
      this.changed();
    }
  }

  #see(name) {
    this.current = name;
    for (const { name: other, tab, panel } of this.#parts) {
      const had = other !== name && panel.contains(document.activeElement);
      tab.setAttribute("aria-selected", String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
      panel.hidden = other !== name && panel.parentElement !== this.own;
      had && !this.list.hidden && this.#part(name).tab.focus();
    }
  }

  /** The cursor keys go from tab to tab. */
  #key(event) {
    const there = this.#parts.filter(({ tab }) => !tab.hidden);
    const at = there.findIndex(({ name }) => name === this.current);
    const steps = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: -1 };
    if (Object.hasOwn(steps, event.key) && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      event.stopPropagation();
      const { name, tab } = there.at(steps[event.key] % there.length);
      this.choose(name);
      tab.focus();
    }
  }
}
