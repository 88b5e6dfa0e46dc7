"""The engine: one turn between a model and the gate, live turns, history."""
