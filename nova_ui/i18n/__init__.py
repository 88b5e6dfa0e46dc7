"""Message catalogues and the translator."""
