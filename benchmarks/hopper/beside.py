"""Two GPUs beside each other: `beside.py FOLDER OTHER...`, pairs of folders of the same kernels with results of each. Prints a row for each kernel and number of warps."""

import sys

import results


def main():
    print("form", "kernel", "warps", "cycles", "other", sep="\t")
    pairs = iter(sys.argv[1:])
    for folder, other in zip(pairs, pairs):
        found = {(kernel.form, kernel.body): kernel for kernel in results.kernels(other)}
        for kernel in results.kernels(folder):
            beside = found.get((kernel.form, kernel.body))
            for shape, time in kernel.times.items():
                if time and beside and beside.times.get(shape):
                    print(kernel.form, kernel.body, shape, f"{time.cycles:.4g}", f"{beside.times[shape].cycles:.4g}", sep="\t")


if __name__ == "__main__":
    main()
