"""Decisions on values: one file per rule, and the gate that asks them all."""
