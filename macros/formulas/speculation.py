"""Speculative decoding: a cheap draft guesses, the model checks all guesses in one step."""

from typing import Annotated

from macros.sizing import Constant, In, N, formula, geometric_sum, implied

_EACH = implied("token")
_CHECK = Constant(1, "token", shown="1")

_LEVIATHAN = "Leviathan, Kalman and Matias 2023, arXiv:2211.17192, section 3"


@formula("token", "tokens per round", source=_LEVIATHAN)
def tokens_per_round(
    acceptance: Annotated[N, In("", "acceptance", most=1)],
    draft_tokens: Annotated[N, In("token", "drafted", whole=True)],
) -> N:
    """Expected tokens that one round of drafting and checking gives a sequence.

    The model's own next token always comes. The first drafted token survives with the acceptance rate, the second only
    if the first did, and so on: a sum of powers. At an acceptance of one it is all drafted tokens and one more.

    Trap: leaving the model's own token out. One drafted token is worth one plus the acceptance rate, not the rate.
    """
    return geometric_sum(acceptance, draft_tokens) * _EACH


@formula("", "speed-up by speculation", source=_LEVIATHAN)
def speculative_speedup(
    acceptance: Annotated[N, In("", "acceptance", most=1)],
    draft_tokens: Annotated[N, In("token", "drafted", whole=True)],
    draft_cost: Annotated[N, In("", "draft cost", most=1)],
) -> N:
    """How much faster decode gets while a step that checks several tokens takes as long as a plain one.

    A round gives the expected tokens and takes the draft's steps, each a fraction of the model's, and one step of the
    model.

    Trap: checking is free only while decode waits for memory. At a large batch the extra tokens cost arithmetic.
    """
    return tokens_per_round(acceptance, draft_tokens) / (draft_cost * draft_tokens + _CHECK)
