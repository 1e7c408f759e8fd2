"""Classifiers at a low base rate."""

from typing import Annotated

from macros.sizing import In, N, formula


@formula("", "precision", source="Bayes' theorem")
def precision(
    base_rate: Annotated[N, In("", "base rate", most=1)],
    recall: Annotated[N, In("", "recall", most=1)],
    false_positives: Annotated[N, In("", "false positive rate", most=1)],
) -> N:
    """Share of what a classifier flags that is rightly flagged.

    Of all items, base rate × recall are flagged and bad; of the good ones the false positive rate is flagged too.

    Trap: 99 % accuracy sounds high. At one bad item in a thousand nine of ten flagged ones are good.
    """
    right = base_rate * recall
    return right / (right + (1 - base_rate) * false_positives)
