"""Arithmetic on numbers."""
