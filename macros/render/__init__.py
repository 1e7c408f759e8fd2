"""Views of chains as HTML: templates get finished texts and format nothing; nothing here makes a number."""
