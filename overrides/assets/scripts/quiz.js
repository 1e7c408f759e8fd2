"use strict";
// The quiz: the first option that is opened is the answer; its explanation is the feedback. All others can be read after.

(() => {
  const gdr = (globalThis.gdr ??= {});
  const { store, progress } = gdr;

  store.register("quiz", {
    version: 1,
    migrate: {},
    check: (data) => progress.isMap(data, progress.isText),
    merge: (ours = {}, theirs = {}) => ({ ...theirs, ...ours }),
  });

  const list = document.querySelector(".gdr-quiz");
  if (!list) return;
  const questions = [...list.children];
  const score = document.querySelector("[data-quiz-score]");
  const again = document.querySelector("[data-quiz-again]");

  const optionOf = (question, id) => [...question.querySelectorAll("details")].find(({ dataset }) => dataset.option === id);

  const render = () => {
    const given = store.get("quiz", gdr.design) ?? {};
    let answered = 0;
    let right = 0;
    for (const question of questions) {
      const answer = given[question.id];
      for (const option of question.querySelectorAll("details")) {
        const chosen = option.dataset.option === answer;
        if (chosen) option.open = true;
        option.classList.toggle("gdr-chosen", chosen);
        if (chosen) answered += 1;
        if (chosen && answer === "right") right += 1;
      }
    }
    score.textContent = answered ? `${right} of ${answered} right at the first try, ${questions.length} in all` : "";
    again.hidden = !answered;
  };

  // What find-in-page opens is no answer.
  let pressed = null;
  list.addEventListener("click", ({ target }) => {
    pressed = target.closest("summary")?.parentElement;
  });
  list.addEventListener(
    "toggle",
    ({ target }) => {
      if (!target.open || target !== pressed) return;
      const question = target.closest("li");
      // An answer that is no longer among the options counts as none.
      store.update("quiz", gdr.design, (given = {}) =>
        optionOf(question, given[question.id]) ? given : { ...given, [question.id]: target.dataset.option },
      );
    },
    true,
  );
  again.addEventListener("click", () => {
    store.update("quiz", gdr.design, () => undefined);
    for (const option of list.querySelectorAll("details")) option.open = false;
    questions[0].querySelector("summary").focus();
  });
  store.watch("quiz", render);
  render();
})();
