"""What people say when they mean a tool: for the built-in model, one file per area."""
