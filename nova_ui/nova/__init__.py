"""Nova itself: what the endpoints do, one service per area."""
