"""Routes of the interface: visit, presenter, components."""
