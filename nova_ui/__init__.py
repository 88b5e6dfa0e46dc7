"""Nova AI: a guarded chat and its web interface over an identity-governance system."""
