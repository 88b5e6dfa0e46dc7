"""The attacks, by the letter of the rule that they aim at."""
