"""Who is here: passwords, sessions, the guard in front of everything."""
