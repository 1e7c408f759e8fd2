"""The data file: read with positions, checked, and given to chains as typed input numbers."""

from .load import load, parse
from .mistakes import DataError
from .model import Assumptions
from .schema import schema, write_schema
from .splice import add_block, splice

__all__ = ["Assumptions", "DataError", "add_block", "load", "parse", "schema", "splice", "write_schema"]
