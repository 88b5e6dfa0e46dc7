"""State and actions of each screen part; no widgets."""
