"""The shop in Python."""
