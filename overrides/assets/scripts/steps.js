"use strict";
// <gdr-steps>: five buttons over the five steps of the model answer. Without scripts the steps are folds; here the folds
// stay, so that a link, find-in-page and print open them as ever, and the buttons show and change which of them are open.

(() => {
  const gdr = (globalThis.gdr ??= {});

  class Steps extends HTMLElement {
    connectedCallback() {
      this.buttons = [...this.querySelectorAll("button")];
      this.panels = this.buttons.map((button) => document.getElementById(button.getAttribute("aria-controls")));
      for (const [at, panel] of this.panels.entries()) {
        panel.addEventListener("toggle", () => this.toggled(at));
        panel.querySelector("[data-next]")?.addEventListener("click", () => this.go(at + 1));
      }
      this.addEventListener("click", ({ target }) => {
        const at = this.buttons.indexOf(target.closest("button"));
        if (at >= 0) this.open(at, !this.panels[at].open);
      });
      this.addEventListener("keydown", (event) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        const at = this.buttons.indexOf(document.activeElement) + by;
        // With Alt it goes back in the browser's history.
        if (!by || !this.buttons[at] || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        this.go(at);
      });
      this.render();
    }

    /** Open one step and close the others, or close it. */
    open(at, open = true) {
      for (const [other, panel] of this.panels.entries()) panel.open = open && other === at;
    }

    /** Whoever opened it, a press, a link or find-in-page: the last one stays open on the next visit. */
    toggled(at) {
      if (this.panels[at].open) gdr.folds.step = at + 1;
      else if (gdr.folds.step === at + 1) gdr.folds.step = 0;
      this.render();
    }

    go(at) {
      this.open(at);
      this.buttons[at].focus();
    }

    render() {
      const lit = new Set();
      for (const [at, panel] of this.panels.entries()) {
        this.buttons[at].setAttribute("aria-expanded", panel.open);
        if (panel.open) for (const { hash } of panel.querySelectorAll(".gdr-uses a")) lit.add(hash.slice(1));
      }
      for (const row of document.querySelectorAll(".gdr-row")) row.classList.toggle("gdr-lit", lit.has(row.id));
    }
  }

  customElements.define("gdr-steps", Steps);
})();
