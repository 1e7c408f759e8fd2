"""The five ticks that every round shares; a design adds three of its own in its page's front matter."""

COMMON = (
    ("scale", "Asked for the scale and stated it before drawing"),
    ("numbers", "Gave every number with its assumption and its unit"),
    ("binding", "Named the constraint that binds and showed its arithmetic"),
    ("trade-off", "Named one trade-off with its price"),
    ("evaluation", "Said how to evaluate it and what to monitor"),
)
