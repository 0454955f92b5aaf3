"""The version in signatures."""

__version__ = version = "bleuprint-0.1.0"
__version_tuple__ = version_tuple = (0, 1, 0)
