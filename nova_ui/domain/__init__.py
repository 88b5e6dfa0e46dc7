"""Values and their invariants; no input or output."""
