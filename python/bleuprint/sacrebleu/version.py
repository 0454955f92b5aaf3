"""The version whose interface this is, and the program behind it as a local part."""

__version__ = version = "2.6.0+bleuprint.0.1.0"
__version_tuple__ = version_tuple = (2, 6, 0, "bleuprint.0.1.0")
