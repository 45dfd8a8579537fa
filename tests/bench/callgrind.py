"""Instructions of the layer by callgrind: what is executed between entering it and leaving it
again, its own and those of the C library on its behalf, but not those of the driver below."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

LAYER, DRIVER = "libVkLayer_vkmeter.so", "libvkm_fake_driver.so"
LIBC = "/libc.so"  # calls back, for a sort, below a call of the layer


class Names:
    """The names of a callgrind file: "(7) name" where first seen, "(7)" from then on."""

    def __init__(self):
        self.known = {}

    def read(self, text):
        number, _, name = text.partition(" ")
        if name:
            self.known[number] = name
        return self.known.get(number, number)


def calls(lines):
    """Every (calling object, called object, instructions) in a callgrind file."""
    objects = Names()
    caller = called = None
    is_call = False
    for line in lines:
        if is_call:
            yield caller, called, int(line.split()[1])
            is_call, called = False, None
        elif line.startswith("ob="):
            caller = objects.read(line[3:].strip())
        elif line.startswith("cob="):
            called = objects.read(line[4:].strip())
        elif line.startswith("calls="):
            called = called or caller
            is_call = True


def layer_instructions(lines):
    """What ran below the entries into the layer, without what ran below its calls of the driver."""
    total = 0
    for caller, called, instructions in calls(lines):
        if called.endswith(LAYER) and not caller.endswith(LAYER) and LIBC not in caller:
            total += instructions
        elif caller.endswith(LAYER) and called.endswith(DRIVER):
            total -= instructions
    return total


def count(program, *arguments, **environment):
    """(instructions of the layer inside bench_counted*, what the program printed)"""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "callgrind.out"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
                   "--collect-atstart=no", "--toggle-collect=bench_counted*", program, *arguments]
        # The same surroundings for everybody: what the program is told is counted with it.
        ran = subprocess.run(command, capture_output=True, text=True, cwd=folder,
                             env={"PATH": os.environ["PATH"], **environment})
        if ran.returncode != 0:
            sys.exit(f"failed: {' '.join(map(str, command))}\n{ran.stdout}{ran.stderr}")
        instructions = layer_instructions(out.read_text().splitlines())
    if instructions <= 0:
        sys.exit("callgrind saw no call of the layer")
    return instructions, ran.stdout


def whole(command):
    """Instructions of a command that prints nowhere, from beginning to end."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["valgrind", "--tool=callgrind",
                               f"--callgrind-out-file={folder}/callgrind.out", *command],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}\n{done.stderr}")
    return int(re.search(r"refs:\s+([\d,]+)", done.stderr).group(1).replace(",", ""))
