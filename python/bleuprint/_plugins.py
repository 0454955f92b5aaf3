"""`load`: metrics in Rust from a wheel of their own.

The module of a plug-in is this package's native module built again, over a registry with more metrics. It takes the place of
`bleuprint._native`, so every call finds its metrics by name.
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
    """The name of the plug-in, if there is one."""
    return None if _loaded is None else _loaded.__name__


def load(name: str) -> ModuleType:
    """Loads a plug-in, a wheel of its own with metrics in Rust, by the name of its module; see `examples/plugins/python`.

    Its metrics then have their names beside the others, in every call of the package and in processes that read its pickles. Load
    it before the first metric is made. A plug-in must be built over this version of bleuprint. A process has one plug-in; a registry may
    hold the metrics of several packages.
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
    # In the native module, and wherever a module of the package has a name for a member of it.
    for module in [one for path, one in sys.modules.items() if path == "bleuprint" or path.startswith("bleuprint.")]:
        for member, value in list(vars(module).items()):
            if id(value) in replaced:
                setattr(module, member, replaced[id(value)])
    _loaded = plugin
    return plugin
