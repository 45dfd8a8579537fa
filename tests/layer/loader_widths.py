#!/usr/bin/env python3
"""The layer for programs of 32 and of 64 bits, installed side by side.

In: the build folder of each. Out: "item A7 ok"; a line for each fault, and then exit 1; exit 77
where one build is not there.
usage: loader_widths.py BUILD64 BUILD32
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import loader_support


def install(build, prefix):
    """All files below the prefix afterwards, relative to it."""
    subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True,
                   capture_output=True)
    return {path.relative_to(prefix) for path in prefix.rglob("*") if path.is_file()}


def check_files(prefix, installed):
    """Neither build replaces a file of the other, and each manifest names its own library."""
    shared = installed[64] & installed[32]
    if shared:
        yield f"both install {sorted(str(path) for path in shared)}"
    for bits, files in installed.items():
        manifests = [path for path in files if path.suffix == ".json"]
        if len(manifests) != 1:
            yield f"{bits} bits: manifests {manifests}"
            continue
        layer = json.loads((prefix / manifests[0]).read_text())["layer"]
        if layer["library_arch"] != str(bits):
            yield f"{bits} bits: library_arch {layer['library_arch']}"
        library = (prefix / manifests[0]).parent / layer["library_path"]
        if library.resolve().relative_to(prefix.resolve()) not in files:
            yield f"{bits} bits: {layer['library_path']} is not what was installed"


def check_programs(prefix, builds, folder):
    """A program of either width gets its layer, and its loader touches nothing of the other."""
    for bits, build in builds.items():
        env = loader_support.environment(
            prefix / "share", folder, loader_support.drivers(build)["fake"],
            {"VKMETER": "1", "VKMETER_OUTPUT": f"{folder}/{bits}.json", "VK_LOADER_DEBUG": "all"})
        done = loader_support.run([build / "bin/loader_addresses", "--maps"], env)
        if not done.stdout.endswith("mapped plain\n"):
            yield f"{bits} bits: not in the process: {done.stdout[-200:]}{done.stderr[-200:]}"
        if not (folder / f"{bits}.json").is_file():
            yield f"{bits} bits: no profile"
        for line in done.stderr.splitlines():
            if re.search(r"wrong ELF class|^\[?(WARN|ERROR).*vkmeter", line, re.I):
                yield f"{bits} bits: the loader says: {line}"


def main():
    builds = {64: pathlib.Path(sys.argv[1]).resolve(), 32: pathlib.Path(sys.argv[2]).resolve()}
    for bits, build in builds.items():
        if not all((build / file).exists() for file in ("bin/vkmeter", "bin/loader_addresses")):
            print(f"skipped: no build of {bits} bits in {build}")
            return 77
        if loader_support.bits(build) != bits:
            print(f"{build} is not of {bits} bits")
            return 1
    with tempfile.TemporaryDirectory(prefix="vkm_widths_") as name:
        folder = pathlib.Path(name)
        installed = {bits: install(build, folder / str(bits)) for bits, build in builds.items()}
        prefix = folder / "both"
        for build in builds.values():
            install(build, prefix)
        faults = [*check_files(prefix, installed), *check_programs(prefix, builds, folder)]
    for fault in faults:
        print(fault)
    if not faults:
        print("item A7 ok")
    return 1 if faults else 0


sys.exit(main())
