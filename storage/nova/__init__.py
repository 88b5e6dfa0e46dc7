"""Nova's tables."""
