"""What the model may ask for: one file per area."""
