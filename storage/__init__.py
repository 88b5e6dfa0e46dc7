"""What lies in the database and how it gets there."""
