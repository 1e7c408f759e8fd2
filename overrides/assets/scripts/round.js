"use strict";
// <gdr-round>: the clock of the round, its buttons and its options, around markup that the page brings along.
// `data-when` names the states in which an element shows: rest, running, paused, ended, elsewhere (another design's round is on).

(() => {
  const gdr = (globalThis.gdr ??= {});
  const { store, clock, SITE } = gdr;
  const TITLE = document.title;

  store.register("settings", {
    version: 1,
    migrate: {},
    check: (data) =>
      ["sound", "vibration", "hidden"].every((name) => typeof data?.[name] === "boolean") &&
      ["practice", "exam"].includes(data.mode),
    merge: (ours, theirs) => ours ?? theirs,
  });
  const DEFAULTS = { sound: false, vibration: false, hidden: false, mode: "practice" };
  const settings = () => store.get("settings", SITE) ?? DEFAULTS;

  /** The running timer, settled; whoever notes its end is told once, in one tab. */
  gdr.timer = (onEnd) => {
    let rings = false;
    const timer = store.update("timer", SITE, (before) => {
      if (!before) return before;
      const after = clock.settle(before, Date.now());
      rings = before.ended === null && after.ended !== null;
      // Writing every reading would wake all other tabs; five seconds are enough to notice a clock that was set back.
      return rings || after.since !== before.since || after.seen - before.seen >= 5000 ? after : before;
    });
    if (rings) onEnd?.();
    return timer;
  };

  const beep = () => {
    const audio = new AudioContext();
    const tone = audio.createOscillator();
    tone.connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.6);
    tone.onended = () => audio.close();
  };

  /** Without a press on this page browsers refuse to vibrate, and some to sound; the clock says it in any case. */
  gdr.ring = () => {
    const { sound, vibration } = settings();
    if (vibration && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.([400, 200, 400]);
    if (sound) beep();
  };

  class Round extends HTMLElement {
    connectedCallback() {
      const { minutes, names } = this.dataset;
      this.plan = minutes.split(" ").map((each) => each * 60000);
      this.names = names.split("|");
      this.left = null;
      this.addEventListener("click", this);
      this.addEventListener("change", this);
      document.addEventListener("visibilitychange", this);
      for (const section of ["timer", "settings"]) store.watch(section, () => this.asking || this.render());
      this.render();
    }

    handleEvent({ type, target }) {
      if (type === "visibilitychange") this.render();
      else if (type === "click") this[target.closest("button[data-do]")?.dataset.do]?.();
      else if (target.name in DEFAULTS) {
        const value = target.type === "checkbox" ? target.checked : target.value;
        store.update("settings", SITE, (data = DEFAULTS) => ({ ...data, [target.name]: value }));
      }
    }

    change(step) {
      store.update("timer", SITE, (timer) => timer && step(clock.settle(timer, Date.now()), Date.now()));
      gdr.folds.mark();
    }

    start() {
      gdr.folds.reset();
      gdr.rubric?.clearSaved();
      const { mode } = settings();
      store.update("timer", SITE, () => clock.start(gdr.design, this.dataset.title, mode, this.plan, Date.now()));
      gdr.folds.mark();
      this.say(mode === "exam" ? "The exam has begun. The answer stays folded." : "The round has begun.");
    }

    pause() {
      this.change(clock.pause);
    }

    resume() {
      this.change(clock.resume);
    }

    next() {
      this.change(clock.next);
      this.say(this.querySelector("[data-show=label]").textContent);
    }

    done() {
      const mine = this.timer?.design === gdr.design;
      this.change(clock.finish);
      // Ending another design's round is no reason to open this one's score.
      if (mine) gdr.reveal("score");
    }

    reset() {
      store.update("timer", SITE, () => undefined);
      gdr.folds.mark();
    }

    tell() {
      if (this.timer) this.say(`${clock.words(this.left)} left`);
    }

    say(text) {
      // The same words twice are not read twice unless they were gone in between.
      const region = this.querySelector("[role=status]");
      region.textContent = "";
      cancelAnimationFrame(this.saying);
      this.saying = requestAnimationFrame(() => (region.textContent = text));
    }

    end() {
      this.say("Time is up.");
      gdr.ring();
    }

    get state() {
      if (!this.timer) return "rest";
      const { ended, since, design } = this.timer;
      // What has ended elsewhere is in nobody's way here.
      if (design !== gdr.design) return ended === null ? "elsewhere" : "rest";
      return ended !== null ? "ended" : since === null ? "paused" : "running";
    }

    render() {
      // Asking may note the time, of which every watcher is told, this element too.
      this.asking = true;
      this.timer = gdr.timer(() => this.end());
      this.asking = false;
      const { state } = this;
      const shown = state + this.timer?.phase;
      if (shown !== this.shown) {
        this.shown = shown;
        this.show(state);
        gdr.folds.mark();
      }
      this.read(state);
      // To the next whole second, so that the clock does not skip one.
      clearTimeout(this.tick);
      if (this.timer?.since) this.tick = setTimeout(() => this.render(), (this.left % 1000) + 20);
    }

    /** Show what belongs to a state; what goes away with the focus hands it to the first button that stays. */
    show(state) {
      const { activeElement } = document;
      const before = this.dataset.state;
      this.dataset.state = state;
      // What was said of the state before holds no more.
      this.querySelector("[role=status]").textContent = "";
      // Another tab may have noted the end, and rung.
      if (before === "running" && state === "ended" && !clock.read(this.timer, Date.now()).left) this.say("Time is up.");
      for (const part of this.querySelectorAll("[data-when]")) part.hidden = !part.dataset.when.includes(state);
      // The last step has no next one: there the round is done.
      const last = ["running", "paused"].includes(state) && this.timer.phase === this.timer.plan.length - 1;
      this.querySelector("[data-when=last]").hidden = !last;
      if (last) this.querySelector("[data-do=next]").hidden = true;
      for (const input of this.querySelectorAll("[name=mode]")) input.disabled = ["running", "paused"].includes(state);
      // Asked only then, because what is visible is known once the whole page is styled.
      const gone = () => !activeElement.checkVisibility() || activeElement.disabled;
      if (this.contains(activeElement) && gone()) this.querySelector("button:not([hidden])").focus();
    }

    read(state) {
      const mine = ["running", "paused", "ended"].includes(state);
      const total = this.plan.reduce((sum, ms) => sum + ms, 0);
      const now = this.timer && state !== "rest" ? clock.read(this.timer, Date.now()) : { left: total, spent: [] };
      const { phase } = this.timer ?? {};
      // A round begun before a change of the site may have more steps than names.
      const step = this.names[phase] ?? `Step ${phase + 1}`;
      const told = {
        rest: () => ["Not started"],
        running: () => [step, this.inPhase(now.phaseLeft)],
        paused: () => [step, "paused"],
        ended: () => (now.left > 0 ? ["Done", `after ${clock.passed(total - now.left)}`] : ["Time is up"]),
        elsewhere: () => [this.timer.title, this.timer.since === null ? "paused" : "running"],
      }[state]();
      this.set("clock", clock.text(now.left));
      this.set("label", told[0]);
      this.set("detail", told[1] ?? "");
      const options = settings();
      this.toggleAttribute("data-hidden", options.hidden);
      for (const input of this.querySelectorAll("input")) {
        if (input.type === "radio") input.checked = input.value === options.mode;
        else input.checked = options[input.name];
      }
      this.set("mode", options.mode === "exam" ? "Exam" : "Practice");
      for (const [at, bar] of this.querySelectorAll(".gdr-phases i").entries()) {
        const share = mine && at in now.spent ? Math.min(1, now.spent[at] / this.timer.plan[at]) : 0;
        bar.style.setProperty("--done", `${(100 * share).toFixed(1)}%`);
        bar.classList.toggle("gdr-over", mine && now.spent[at] > this.timer.plan[at]);
      }
      if (state === "elsewhere") this.querySelector("a[data-when=elsewhere]").href = `${this.timer.design}.html`;
      gdr.pad?.at(mine && state !== "ended" ? phase : null);
      document.title = state === "running" && !options.hidden ? `${clock.text(now.left)} · ${TITLE}` : TITLE;
      if (state === "running" && this.left !== null && !document.hidden) {
        const minutes = clock.due(this.left, now.left);
        if (minutes) this.say(`${minutes} minute${minutes === 1 ? "" : "s"} left`);
      }
      this.left = now.left;
    }

    inPhase(left) {
      // Over begins with its first whole second; until then nothing is left.
      return left <= -1000 ? `${clock.passed(-left)} over` : `${clock.text(Math.max(left, 0))} left`;
    }

    set(name, text) {
      const part = this.querySelector(`[data-show=${name}]`);
      if (part.textContent !== text) part.textContent = text;
    }
  }

  customElements.define("gdr-round", Round);
})();
