"""Measurements with goals, in ratios and medians of one run: `make bench`. Nothing here is timed by pytest."""
