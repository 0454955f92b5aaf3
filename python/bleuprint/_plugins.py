"""`load`: adds metrics that are written in Rust and come in a separate wheel.

The module of a plug-in is this package's native module, built over a registry with more metrics. It replaces
`bleuprint._native`, so every call finds the plug-in's metrics by name.
"""

from __future__ import annotations

import importlib
import sys

from . import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Optional

_loaded: Optional[ModuleType] = None


def loaded() -> Optional[str]:
    """Return the name of the plug-in's module, or None if no plug-in is loaded."""
    return None if _loaded is None else _loaded.__name__


def load(name: str) -> ModuleType:
    """Load a plug-in: a separate wheel with metrics written in Rust.

    The plug-in's metrics can then be named like all others, in every call of the package and in processes that read its
    pickles. `examples/plugins/python` is an example. A process can load one plug-in; its registry may hold the metrics of several
    packages.

    Args:
        name: Name of the plug-in's module. Load it before the first metric is created.

    Returns:
        The module. Loading the same plug-in again returns the same module.

    Raises:
        RuntimeError: if another plug-in is loaded, or a metric has already been created.
        ImportError: if the module is missing, is not a plug-in, or was built for another version of bleuprint.
    """
    global _loaded
    from . import __version__

    if _loaded is not None:
        if _loaded.__name__ == name:
            return _loaded
        raise RuntimeError(
            f"{_loaded.__name__} is loaded, and a process has one plug-in: build one wheel whose registry has the metrics of both"
        )
    if _native.is_used():
        raise RuntimeError(f"load {name} before the first metric is made: metrics made before do not mix with those made after")
    plugin = importlib.import_module(name)
    version = getattr(plugin, "__bleuprint__", None)
    if version is None:
        raise ImportError(f"{name} is no plug-in of bleuprint: its crate has the line `bleuprint_python::plugin!({name}, registry);`")
    if version != __version__:
        raise ImportError(f"{name} was built over bleuprint {version}, but this is {__version__}: build it again over {__version__}")
    replaced = {
        id(old): getattr(plugin, member)
        for member, old in vars(_native).items()
        if not member.startswith("__") and hasattr(plugin, member)
    }
    # `from ._native import X` binds X in the importing module too, so every module of the package is searched.
    for module in [one for path, one in sys.modules.items() if path == "bleuprint" or path.startswith("bleuprint.")]:
        for member, value in list(vars(module).items()):
            if id(value) in replaced:
                setattr(module, member, replaced[id(value)])
    _loaded = plugin
    return plugin
