"""Installation of a package under the name of the library that it replaces."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def install(package: ModuleType, name: str) -> None:
    """Make `import NAME` import this package, and `import NAME.x` its submodule `x`.

    Args:
        package: The package.
        name: Name of the library that it replaces.

    Raises:
        RuntimeError: if the library itself has already been imported, because modules that refer to it would keep it.
    """
    import pkgutil
    import sys
    from importlib import import_module

    there = sys.modules.get(name)
    if there not in (None, package):
        raise RuntimeError(f"{name} is imported already, from {there.__file__}: install() must come before")
    own = package.__name__
    submodules = [module.name for module in pkgutil.walk_packages(package.__path__, own + ".")]
    for module in [own, *submodules]:
        sys.modules[name + module[len(own) :]] = import_module(module)
