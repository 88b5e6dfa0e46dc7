"""Widgets that draw a presenter and decide nothing."""
