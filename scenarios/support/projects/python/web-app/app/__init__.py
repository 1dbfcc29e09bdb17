"""A list of tasks over HTTP."""
