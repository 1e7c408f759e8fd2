"""The number engine: quantities that record how they were made, and the views of such a recording.

Pure Python: it knows neither MkDocs nor Jinja, and nothing here imports from the packages that use it.
"""

from .chain import Builder, Chain, Constraint, Measured, Step, record
from .errors import SizingError
from .formula import FORMULAS, Formula, In, formula
from .inputs import Input
from .operations import ceil, floor, geometric_sum, maximum, minimum, no_more_than, not_negative, power, sqrt
from .quantity import Constant, N, Quantity, implied
from .rerun import replay

__all__ = [
    "FORMULAS",
    "Builder",
    "Chain",
    "Constant",
    "Constraint",
    "Formula",
    "In",
    "Input",
    "Measured",
    "N",
    "Quantity",
    "SizingError",
    "Step",
    "ceil",
    "floor",
    "formula",
    "geometric_sum",
    "implied",
    "maximum",
    "minimum",
    "no_more_than",
    "not_negative",
    "power",
    "record",
    "replay",
    "sqrt",
]
