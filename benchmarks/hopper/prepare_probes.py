"""Makes the kernels of all probes: `prepare_probes.py FORMS FOLDER [ROOM …]`. Writes modules, plan.tsv, values.bin and index.tsv, as `prepare.py` does for forms; where that
has the number of a form, this has the name of a probe."""

import importlib
import json
import os
import sys

import assemble
import kernel
import machine_code
import scene

BATCH = 20  # kernels of a module: some take ptxas long
ROOMS = ("chase", "constants", "patterns", "stream", "contention", "waiting", "cluster", "bulk", "control", "fetch", "textures", "warpgroup")


def main():
    forms, folder, *rooms = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "index.tsv"), "w") as index, open(os.path.join(folder, "plan.tsv"), "w") as plan, open(
            os.path.join(folder, "refused.tsv"), "w") as refusals:
        for room in rooms or ROOMS:
            source = importlib.import_module(f"probes.{room}").probes
            made = list(source(open(forms)) if room == "warpgroup" else source())
            named = [(f"{room}{number}", kernel.kernel(f"{room}{number}", probe.body)) for number, probe in enumerate(made)]
            for path, kept, refused in assemble.in_batches(named, folder, room, BATCH):
                for name, why in refused.items():
                    print(made[int(name[len(room):])].name, why, sep=": ", file=refusals)
                codes = machine_code.kernels(open(path, "rb").read()) if path else {}
                for name in kept:
                    write(index, plan, os.path.basename(path), name, made[int(name[len(room):])], codes[name])
    with open(os.path.join(folder, "values.bin"), "wb") as values:
        values.write(scene.values_of_all_lanes())


def write(index, plan, module, name, probe, code):
    short, long = kernel.instances(probe.body)
    counts = machine_code.per_instance(code, long - short)
    shapes = sorted([f"{low:x}", f"{high:x}", round(count, 3)] for (low, high), count in counts.items()) if counts else None
    print(probe.name, "probe", module, name, probe.body.chains, long - short, "none", 0, json.dumps(shapes), sep="\t", file=index)
    print(module, name, probe.n, probe.shapes, sep="\t", file=plan)


if __name__ == "__main__":
    main()
