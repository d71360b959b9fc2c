"""make_wheel.py OUT VERSION NAME=PREFIX=FEATURES...: a wheel of the package and of builds of Wedjat, one a processor.

Nothing is downloaded: Python, strip, ldd and patchelf are all that is used. A PREFIX is a build or an installation of Wedjat; the file
FEATURES says what its processor has to have. Shared libraries that a plain system lacks go along.
"""

import ast
import base64
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

# What every system of the wheel's kind has: the C and C++ libraries, as manylinux has them.
SYSTEM = ("libc.so", "libm.so", "libdl.so", "librt.so", "libpthread.so", "libstdc++.so", "libgcc_s.so", "ld-linux", "linux-vdso")
WANTED = ("lib/libwedjat.so.1", "lib/wedjat/libwedjat-compile.so", "lib/wedjat/wedjat-tool-host", "lib/wedjat/tool_host.py",
          "lib/wedjat/confine.so")


class Stub(ast.NodeTransformer):
    """What a reader of types needs: declarations, docstrings, no bodies."""

    def visit_FunctionDef(self, node):
        doc = ast.get_docstring(node, clean=False)
        node.body = ([ast.Expr(ast.Constant(doc))] if doc else []) + [ast.Expr(ast.Constant(...))]
        return node

    def visit_Assign(self, node):
        return node if not isinstance(node.value, (ast.ListComp, ast.DictComp)) else None

    def visit_Module(self, node):
        kept = (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef, ast.Assign, ast.AnnAssign, ast.If)
        node.body = [each for i, each in enumerate(node.body) if isinstance(each, kept) or (i == 0 and isinstance(each, ast.Expr))]
        node.body = [each for each in node.body if not (isinstance(each, ast.FunctionDef) and each.name.startswith("_"))]
        return self.generic_visit(node)


def attributes(node):
    """`self.x: T = …` and `self.x = …` of __init__ as declarations of the class."""
    init = next((each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"), None)
    known = {each.arg: each.annotation for each in [*init.args.args, *init.args.kwonlyargs]} if init else {}
    found = {}
    for each in ast.walk(init) if init else ():
        target = each.targets[0] if isinstance(each, ast.Assign) else each.target if isinstance(each, ast.AnnAssign) else None
        if not isinstance(target, ast.Attribute) or target.attr.startswith("_") or getattr(target.value, "id", "") != "self":
            continue
        annotation = each.annotation if isinstance(each, ast.AnnAssign) else known.get(getattr(each.value, "id", ""))
        found.setdefault(target.attr, annotation or ast.Name("Any"))
    return [ast.AnnAssign(ast.Name(name), annotation, None, 1) for name, annotation in found.items()]


def stub_of(source):
    tree = ast.parse(source)
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            node.body += attributes(node)
    if "Any" not in source and tree.body:
        tree.body.insert(1, ast.parse("from typing import Any").body[0])
    return ast.unparse(ast.fix_missing_locations(Stub().visit(tree))) + "\n"


def libraries_of(path):
    """The shared libraries that a file needs and that go along, with where they lie here."""
    told = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
    for line in told.splitlines():
        name, _, rest = line.strip().partition(" => ")
        if not rest or name.startswith(SYSTEM):
            continue
        where = rest.split(" (")[0]
        if where == "not found":
            raise SystemExit(f"make_wheel.py: {path} needs {name}, which is not here")
        yield name, pathlib.Path(where)


def is_elf(path):
    return path.open("rb").read(4) == b"\x7fELF"


def files_of(prefix):
    """What of a build belongs into the wheel, by its path there."""
    found = {name: prefix / name for name in WANTED if (prefix / name).exists()}
    for tool in sorted((prefix / "lib/wedjat/tools").iterdir()):
        found[f"lib/wedjat/tools/{tool.name}"] = tool
    if "lib/libwedjat.so.1" not in found:
        raise SystemExit(f"make_wheel.py: {prefix} holds no lib/libwedjat.so.1")
    for path in list(found.values()):
        if is_elf(path):
            for name, where in libraries_of(path):
                found.setdefault(f"lib/wedjat/bundled/{name}", where)
    return found


def portable(name, path, scratch):
    """The file as it goes into the wheel: programs and libraries without symbols, finding what goes along with them."""
    if not is_elf(path):
        return path.read_bytes()
    copy = pathlib.Path(scratch) / "copy"
    shutil.copyfile(path, copy)
    if "bundled" not in name:
        subprocess.run(["strip", "--strip-unneeded", copy], check=True)
    up = "/".join([".."] * (len(pathlib.PurePath(name).parts) - 2))
    subprocess.run(["patchelf", "--force-rpath", "--set-rpath", f"$ORIGIN/{up or '.'}/wedjat/bundled", copy], check=True)
    return copy.read_bytes()


def main():
    out, version, *variants = sys.argv[1:]
    package = pathlib.Path(__file__).parent / "wedjat"
    tag = "py3-none-linux_x86_64"
    info = f"wedjat-{version}.dist-info"
    entries = {}
    for source in sorted(package.iterdir()):
        if source.suffix in (".py", ".typed"):
            entries[f"wedjat/{source.name}"] = source.read_bytes()
        if source.suffix == ".py" and source.name not in ("_structs.py", "_library.py", "_interruption.py"):
            entries[f"wedjat/{source.stem}.pyi"] = stub_of(source.read_text(encoding="utf-8")).encode()
    modes = {}
    with tempfile.TemporaryDirectory() as scratch:
        for variant in variants:
            title, prefix, features = variant.split("=")
            for name, path in files_of(pathlib.Path(prefix)).items():
                entries[f"wedjat/native/{title}/{name}"] = portable(name, path, scratch)
                modes[f"wedjat/native/{title}/{name}"] = 0o755 if path.stat().st_mode & 0o100 else 0o644
            wanted = re.findall(r"WEDJAT_FEATURE\((\w+)\)", pathlib.Path(features).read_text(encoding="utf-8"))
            entries[f"wedjat/native/{title}/features.txt"] = "".join(f"{each}\n" for each in wanted).encode()
    readme = (package.parent / "README.md").read_text(encoding="utf-8")
    entries[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: wedjat\nVersion: {version}\nSummary: PTX on the CPU, with the bits of the hardware\n"
        f"Requires-Python: >=3.9\nProvides-Extra: numpy\nRequires-Dist: numpy; extra == 'numpy'\n"
        f"Description-Content-Type: text/markdown\n\n{readme}").encode()
    entries[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: wedjat\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    entries[f"{info}/entry_points.txt"] = b"[pytest11]\nwedjat = wedjat.pytest_plugin\n"
    record = "".join(
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
        for name, data in entries.items())
    entries[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    wheel = pathlib.Path(out) / f"wedjat-{version}-{tag}.whl"
    wheel.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # the same bytes from the same files
            entry.external_attr = (0o100000 | modes.get(name, 0o644)) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    print(wheel)


main()
