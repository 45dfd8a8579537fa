"""What the loader's scripts share: drivers, and an environment of their own for a program.

In: the build folder. Out: environments for subprocess. Next: loader_*.py.
"""
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LAYER = "VK_LAYER_VKMETER_profile"
FOREIGN = ("VKMETER", "DISABLE_VKMETER", "DISPLAY", "WAYLAND_DISPLAY", "LD_PRELOAD")


def bits(build):
    """Of the programs in a build."""
    with open(build / "lib/libVkLayer_vkmeter.so", "rb") as file:
        return {1: 32, 2: 64}[file.read(5)[4]]


def drivers(build):
    """{name: environment}: the scripted driver, and those that scripts/drivers lists."""
    fake = build / "tests/fake_driver/fake_icd.json"
    out = {"fake": {"VK_DRIVER_FILES": str(fake), "VK_ICD_FILENAMES": str(fake)}}
    if bits(build) == 32: # the others are of 64
        return out
    listed = subprocess.run([ROOT / "scripts/drivers", "--list"], capture_output=True, text=True,
                            check=True).stdout
    for line in listed.splitlines():
        name, manifest, library = line.split("\t")
        out[name] = {"VK_DRIVER_FILES": manifest, "VK_ICD_FILENAMES": manifest}
        if library:
            out[name]["LD_LIBRARY_PATH"] = library
    return out


def environment(share, folder, *extra):
    """The caller's, without other layers; manifests are read from `share` only. `extra`: more; None
    takes a variable out."""
    out = {key: value for key, value in os.environ.items()
           if key not in FOREIGN and not key.startswith(("VKMETER_", "VK_"))}
    out.setdefault("LP_NUM_THREADS", "0")
    nowhere = str(folder)
    out.update({"XDG_DATA_DIRS": str(share), "XDG_CONFIG_DIRS": nowhere, "XDG_DATA_HOME": nowhere,
                "XDG_CONFIG_HOME": nowhere, "XDG_RUNTIME_DIR": nowhere, "HOME": nowhere})
    for values in extra:
        for key, value in values.items():
            if value is None:
                out.pop(key, None)
            else:
                out[key] = value
    return out


def run(command, env, **more):
    return subprocess.run([str(word) for word in command], env=env, capture_output=True, text=True,
                          timeout=300, check=False, **more)
