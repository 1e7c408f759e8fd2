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
        panel.addEventListener("toggle", () => this.render());
        panel.querySelector("[data-next]")?.addEventListener("click", () => this.go(at + 1));
      }
      this.addEventListener("click", ({ target }) => {
        const at = this.buttons.indexOf(target.closest("button"));
        if (at >= 0) this.open(at, !this.panels[at].open);
      });
      this.addEventListener("keydown", (event) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        const at = this.buttons.indexOf(document.activeElement) + by;
        if (!by || !this.buttons[at]) return;
        event.preventDefault();
        this.go(at);
      });
      this.render();
    }

    /** Open one step and close the others, or close it. */
    open(at, open = true) {
      for (const [other, panel] of this.panels.entries()) panel.open = open && other === at;
      gdr.folds.step = open ? at + 1 : 0;
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
