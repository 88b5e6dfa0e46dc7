"""Scripted attacks on an assistant as it is configured, on a stage of its own that can't reach live data."""
