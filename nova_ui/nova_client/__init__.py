"""The one door to Nova, with session and origin bound in."""
