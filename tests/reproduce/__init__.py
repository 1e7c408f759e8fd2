"""Two builds of one commit that have nothing in common but the commit: `make reproduce`."""
