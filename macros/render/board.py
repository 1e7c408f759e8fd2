"""The board of rounds on the home page, in the learner's order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from macros.render.templating import render

if TYPE_CHECKING:
    from collections.abc import Callable

    from macros.chains import Program
    from macros.pages import About


def board(programs: dict[str, Program], about: Callable[[str], About], link: Callable[[str, str], str]) -> str:
    """Print one row a round: its place in the order, its title, its time."""
    rounds = []
    for id, program in programs.items():
        minutes = sum(step.minutes.number for step in program.assumptions.steps)
        page = about(id)
        rounds.append(
            {
                "id": id,
                "link": link(f"designs/{id}.md", page.title),
                "about": page.description,
                "minutes": f"{minutes}",
            }
        )
    return render("board.html", rounds=rounds)
