"""A small sound site, and mistakes in it: one folder a mistake, with an edit of the site and the message it causes."""
