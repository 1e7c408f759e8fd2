"""One module a design, named like its block in `data/assumptions.yml`: `chain(c)` names the design's steps in order."""
