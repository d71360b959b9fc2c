"""What the text of a form does not say: levels of memory, patterns of addresses, contention, and what waits."""

from dataclasses import dataclass

from chains import Body

ONE_WARP = "1x1"
WARPS = "1x1 1x2 1x4 1x8 1x16 1x32"


@dataclass
class Probe:
    name: str  # what is measured, and how: words and KEY=VALUE, with blanks between
    body: Body
    shapes: str = ONE_WARP
    n: int = 16


def body(name, instance, registers=(), setup=(), keep=(), **rest):
    """A body without guards; `instance` is PTX or a list of them, one for each chain."""
    instances = [instance] if isinstance(instance, str) else list(instance)
    return Body(name, len(instances), registers=list(registers), setup=list(setup), instance=instances, keep=list(keep), guarded=False, **rest)
