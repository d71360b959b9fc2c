#!/usr/bin/env python3
"""Writes compile_commands.json into FOLDER with a command for every source, also for those that BUILD compiles together:

    commands_by_source.py BUILD FOLDER
"""
import json
import pathlib
import re
import sys


def sources_of(command):
    file = pathlib.Path(command["file"])
    if not file.name.startswith("unity_") or not file.exists():
        return [str(file)]
    return re.findall(r'^#include "(.+)"$', file.read_text(), flags=re.MULTILINE)


def main(build, folder):
    commands = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
    by_source = []
    for command in commands:
        for source in sources_of(command):
            by_source.append({**command, "file": source, "command": command["command"].replace(command["file"], source)})
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps(by_source, indent=1))


main(*sys.argv[1:])
