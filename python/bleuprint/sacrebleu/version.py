"""The version of sacreBLEU whose interface this is, with bleuprint's version as its local part."""

__version__ = version = "2.6.0+bleuprint.0.1.0"
__version_tuple__ = version_tuple = (2, 6, 0, "bleuprint.0.1.0")
