"""The HTTP interface under /api/v1: parse, call, answer."""
