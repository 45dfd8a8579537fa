"""What is installed where, and whether it works from there. In: a tree with a prefix in it. Out:
a line for each fault."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MANIFEST = "share/vulkan/implicit_layer.d/VkLayer_vkmeter.json"
MAN = "share/man/man1/vkmeter.1"
LIBRARY = "vkmeter/libVkLayer_vkmeter.so"
PROGRAMS = {"bin/vkmeter", "libexec/vkmeter/vkmeter-probe"}
FILES = PROGRAMS | {
    MANIFEST,
    MAN,
    "share/bash-completion/completions/vkmeter",
    "share/doc/vkmeter/copyright",
    "share/fish/vendor_completions.d/vkmeter.fish",
    "share/zsh/site-functions/_vkmeter",
}


def cached(build, name):
    """A value of the build's CMakeCache.txt."""
    for line in (build / "CMakeCache.txt").read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition("=")
        if key.partition(":")[0] == name:
            return value
    raise KeyError(name)


def files_of(tree):
    return {str(path.relative_to(tree)) for path in tree.rglob("*") if not path.is_dir()}


def tree_faults(tree, prefix, library_folder, renamed):
    """The files, all of them and no other; who may read and run them; what the manifest names.
    `renamed`: those that this tree has under another name, None for none."""
    wanted = {renamed.get(name, name) for name in FILES | {f"{library_folder}/{LIBRARY}"}}
    wanted = {f"{prefix}/{name}" for name in wanted | renamed.get(None, set())}
    found = files_of(tree)
    for name in sorted(wanted - found):
        yield f"not installed: {name}"
    for name in sorted(found - wanted):
        yield f"installed, and not expected: {name}"
    for name in sorted(found):
        mode = (tree / name).stat().st_mode & 0o7777
        runs = {0o755} if name.removeprefix(f"{prefix}/") in PROGRAMS else {0o644}
        if mode not in (runs | {0o755} if name.endswith(".so") else runs):
            yield f"{name} has mode {mode:o}"
    manifest = tree / prefix / MANIFEST
    if manifest.exists():
        layer = json.loads(manifest.read_text(encoding="utf-8"))["layer"]
        path = manifest.parent / layer["library_path"]
        if os.path.isabs(layer["library_path"]) or not path.resolve().is_file():
            yield f"the manifest names {layer['library_path']}, which is not there"


def lavapipe():
    """The manifest of the distribution's software driver, or None."""
    return next(iter(sorted(pathlib.Path("/usr/share/vulkan/icd.d").glob("lvp_icd*.json"))), None)


def use_faults(prefix, sample):
    """Nothing is installed in the system and nothing of ours is in the environment: the command
    finds its layer beside itself. `sample`: a program that uses Vulkan."""
    environment = {key: value for key, value in os.environ.items()
                   if not key.startswith(("VKMETER", "DISABLE_VKMETER", "VK_"))}
    driver = str(lavapipe())
    environment |= {"VK_DRIVER_FILES": driver, "VK_ICD_FILENAMES": driver, "LP_NUM_THREADS": "0"}
    with tempfile.TemporaryDirectory() as name:
        environment["XDG_RUNTIME_DIR"] = name
        profile = pathlib.Path(name) / "x.json"
        for command, holds in (
                (["doctor", "--selftest"], f"{prefix.resolve()}/"),
                (["run", "-p", profile, "--", sample, "--iterations", "2"], None),
                (["report", profile], "34 commands timed|dispatches")):
            done = subprocess.run([prefix / "bin/vkmeter", *command], env=environment, cwd=name,
                                  capture_output=True, text=True, timeout=300, check=False)
            if done.returncode != 0 or (holds and not re.search(holds, done.stdout)):
                yield f"vkmeter {command[0]}: status {done.returncode}: {done.stdout}{done.stderr}"
        check = subprocess.run([ROOT / "tests/support/validate_profiles", profile],
                               capture_output=True, text=True, check=False)
        if check.returncode != 0:
            yield check.stdout + check.stderr


def missing(*programs):
    """Those of the programs that this machine lacks."""
    return [program for program in programs if not shutil.which(program)]
