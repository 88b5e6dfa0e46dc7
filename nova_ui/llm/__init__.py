"""Model providers behind one protocol."""
