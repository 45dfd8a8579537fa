#!/usr/bin/env python3
"""The layer as a loader finds it: manifest, library, environment, company, elevated processes.

In: the build folder, a library to preload, the header of the Vulkan version. Out: "item NAME ok"
for each item of the checklist that holds; a line for each fault, and then exit 1.
usage: loader_manifest.py BUILD PRELOAD vulkan_core.h
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import loader_support
from loader_support import LAYER

ALLOWED_LIBRARIES = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1"}
SYSTEM_MANIFESTS = "/usr/share/vulkan/implicit_layer.d"
NOBODY = 65534


class Place:
    """A build, and a folder of this test's own."""

    def __init__(self, build, preload, header, folder):
        self.build, self.preload, self.folder = build, preload, folder
        self.header = header
        self.share = build / "share"
        self.manifest = self.share / "vulkan/implicit_layer.d/VkLayer_vkmeter.json"
        self.library = build / "lib/libVkLayer_vkmeter.so"
        self.driver = loader_support.drivers(build)["fake"]
        self.client = build / "bin/loader_addresses"

    def environment(self, *extra, share=None):
        return loader_support.environment(share or self.share, self.folder, self.driver,
                                          {"VKMETER_OUTPUT": f"{self.folder}/%p.json"}, *extra)

    def mapped(self, *extra, share=None):
        """Is the layer in a process with that environment?"""
        done = loader_support.run([self.client, "--maps"], self.environment(*extra, share=share))
        if done.returncode != 0:
            raise RuntimeError(f"{extra}: status {done.returncode}: {done.stderr}")
        return done.stdout.startswith("mapped")


def read_layer(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def check_fields(place):
    """A3, A6, A8, A9"""
    for path in (place.manifest, place.build / "layer/install/VkLayer_vkmeter.json"):
        document = read_layer(path)
        layer = document["layer"]
        if document["file_format_version"] != "1.2.1":
            yield f"{path.name}: file_format_version {document['file_format_version']}"
        for key in ("name", "type", "library_path", "api_version", "implementation_version",
                    "description", "disable_environment", "enable_environment"):
            if not layer.get(key):
                yield f"{path.name}: no {key}"
        if layer["name"] != LAYER or layer["type"] != "GLOBAL":
            yield f"{path.name}: {layer['name']}, {layer['type']}"
        header = re.search(r"#define VK_HEADER_VERSION (\d+)", place.header.read_text()).group(1)
        if layer["api_version"] != f"1.4.{header}":
            yield f"{path.name}: api_version {layer['api_version']}, headers 1.4.{header}"
    installed = read_layer(place.build / "layer/install/VkLayer_vkmeter.json")
    path = installed["layer"]["library_path"]
    if not path.startswith("../"):
        yield f"installed: library_path {path} is not relative to the manifest"


def check_library(place):
    """A2, A7, A8"""
    def out(*command):
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    exported = [line.split()[-1].split("@")[0]
                for line in out("nm", "-D", "--defined-only", place.library).splitlines()]
    if exported != ["vkNegotiateLoaderLayerInterfaceVersion"]:
        yield f"exports {exported}"
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", out("readelf", "-d", place.library)))
    needed = {name for name in needed if not name.startswith("ld-linux")}
    if not needed <= ALLOWED_LIBRARIES:
        yield f"needs {sorted(needed - ALLOWED_LIBRARIES)}"
    undefined = out("nm", "-D", "--undefined-only", place.library)
    if re.search(r"\bvk[A-Z]", undefined):
        yield "calls a global vk* symbol"
    versions = {tuple(int(n) for n in found.split("."))
                for found in re.findall(r"GLIBC_([\d.]+)", undefined)}
    print("newest symbol version needed: GLIBC_" + ".".join(str(n) for n in max(versions)))
    bits = "64" if "ELF64" in out("readelf", "-h", place.library) else "32"
    if read_layer(place.manifest)["layer"]["library_arch"] != bits:
        yield f"library_arch is not {bits}"


def check_silence(place):
    """A3, A6: the loader finds nothing to say of us but that it uses us."""
    done = loader_support.run([place.client, "--maps"],
                              place.environment({"VKMETER": "1", "VK_LOADER_DEBUG": "all"}))
    said = [line for line in (done.stderr + done.stdout).splitlines()
            if LAYER in line or "vkmeter" in line.lower()]
    if not said or not done.stdout.endswith("mapped plain\n"):
        yield f"the loader did not use the layer: {done.stdout[-200:]}"
    for line in said:
        if re.search(r"skipping|missing|unknown|deprecated", line, re.I) or \
                re.match(r"\[?\S*(WARN|ERROR)", line):
            yield f"the loader says: {line}"


def check_switches(place):
    """A4, A5: enabled by the exact value, disabled by any, also an empty one."""
    for enable in (None, "1", "yes", "", "0"):
        for disable in (None, "1", "0", ""):
            expected = enable == "1" and disable is None
            if place.mapped({"VKMETER": enable, "DISABLE_VKMETER": disable}) != expected:
                yield f"VKMETER={enable} DISABLE_VKMETER={disable}: mapped is not {expected}"
    if place.mapped({"VKMETER": None}):
        yield "mapped in a process that did not ask for it"


def check_search(place):
    """A10"""
    on = {"VKMETER": "1"}
    config = place.folder / "config"
    config.mkdir()
    (config / "vulkan").symlink_to(place.share / "vulkan")
    nowhere = place.folder / "nowhere"
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_DATA_DIRS", "XDG_CONFIG_DIRS"):
        if not place.mapped(on, {variable: str(config)}, share=nowhere):
            yield f"not found by {variable}"
    if place.mapped(on, {"VK_LAYER_PATH": str(place.manifest.parent)}, share=nowhere):
        yield "found by VK_LAYER_PATH, which is for explicit layers"
    for value in ("~implicit~", "~all~", LAYER, "VK_LAYER_VKMETER*", "*vkmeter*"):
        if place.mapped(on, {"VK_LOADER_LAYERS_DISABLE": value}):
            yield f"mapped with VK_LOADER_LAYERS_DISABLE={value}"
    if not place.mapped(on, {"VK_LOADER_LAYERS_DISABLE": "VK_LAYER_OTHER*"}):
        yield "disabled with another's name"


def check_preload(place):
    """A2: somebody else's library defines what a layer might call by mistake."""
    for value, expected in ((None, False), ("1", True)):
        if place.mapped({"VKMETER": value, "LD_PRELOAD": str(place.preload)}) != expected:
            yield f"VKMETER={value}: mapped is not {expected}"


def tally(path):
    """{kind of work: (executed, measured)} of one profile."""
    coverage = json.loads(path.read_text())["coverage"]
    return {kind: (counts["executed"], counts["measured"]) for kind, counts in coverage.items()
            if "executed" in counts}


def check_stacked(place):
    """A23: two of us, the second under another name, in one process."""
    share = place.folder / "stacked"
    manifests = share / "vulkan/implicit_layer.d"
    manifests.mkdir(parents=True)
    first, second = read_layer(place.manifest), read_layer(place.manifest)
    copy = share / "libVkLayer_vkmeter_second.so"
    shutil.copy(place.library, copy)
    second["layer"].update({"name": "VK_LAYER_VKMETER_second", "library_path": str(copy),
                            "enable_environment": {"VKMETER_SECOND_COPY": "1"},
                            "disable_environment": {"DISABLE_VKMETER_SECOND": "1"}})
    (manifests / "first.json").write_text(json.dumps(first))
    (manifests / "second.json").write_text(json.dumps(second))
    drivers = loader_support.drivers(place.build)
    if "lavapipe" not in drivers:
        print("stacked: skipped, no lavapipe")
        raise LookupError
    for variable, expected in ((None, 1), ("1", 2)):
        folder = place.folder / f"profiles{expected}"
        folder.mkdir()
        env = loader_support.environment(share, place.folder, drivers["lavapipe"], {
            "VKMETER": "1", "VKMETER_SECOND_COPY": variable,
            "VKMETER_OUTPUT": f"{folder}/profile.json"})
        done = loader_support.run([place.build / "bin/vkmeter_sample"], env)
        if done.returncode != 0:
            yield f"{expected} layers: status {done.returncode}: {done.stderr[-500:]}"
        tallies = [tally(path) for path in sorted(folder.iterdir())]
        if len(tallies) != expected or any(each != tallies[0] for each in tallies):
            yield f"{expected} layers: {len(tallies)} profiles, {tallies}"
        elif not any(executed for executed, _ in tallies[0].values()):
            yield f"{expected} layers: nothing executed"


def elevated_share(place):
    """Manifest, library and client where nobody else can change them and everybody can read."""
    share = pathlib.Path(tempfile.mkdtemp(prefix="vkm_elevated_", dir="/var/tmp"))
    share.chmod(0o755)
    for source in (place.library, place.client):
        shutil.copy(source, share / source.name)
        (share / source.name).chmod(0o755)
    document = read_layer(place.manifest)
    document["layer"]["library_path"] = str(share / place.library.name)
    (share / "manifests").mkdir()
    (share / "manifests/layer.json").write_text(json.dumps(document))
    (share / "out").mkdir()
    (share / "out").chmod(0o777)
    return share


def run_elevated(share, elevated):
    """Runs the client as nobody, with the layer installed system-wide in a namespace of its own."""
    client = share / "loader_addresses"
    client.chmod(0o4755 if elevated else 0o755)
    # Where it may write: a profile that ignores the settings would stand here, too.
    script = (f"mount --bind {share}/manifests {SYSTEM_MANIFESTS} && cd {share}/out && "
              f"exec setpriv --reuid={NOBODY} --regid={NOBODY} --clear-groups {client} --maps")
    env = {"PATH": os.environ["PATH"], "VKMETER": "1", "HOME": "/nonexistent",
           "VKMETER_OUTPUT": f"{share}/out/{'elevated' if elevated else 'plain'}.json"}
    return loader_support.run(["unshare", "-m", "sh", "-c", script], env)


def check_elevated(place):
    """A11: an elevated process gets through, and leaves no file; the same program writes one where
    it is not."""
    if os.geteuid() != 0 or not pathlib.Path(SYSTEM_MANIFESTS).is_dir() or \
            "lavapipe" not in loader_support.drivers(place.build) or \
            subprocess.run(["unshare", "-m", "true"], check=False).returncode != 0:
        print("elevated: skipped, needs root, a mount namespace, the system's lavapipe and " +
              SYSTEM_MANIFESTS)
        return "skipped"
    faults, share = [], elevated_share(place)
    try:
        for elevated in (False, True):
            done = run_elevated(share, elevated)
            expected = "mapped secure" if elevated else "mapped plain"
            if done.stdout.strip() != expected:
                faults.append(f"'{done.stdout.strip()}' is not '{expected}': {done.stderr[-300:]}")
        files = sorted(path.name for path in (share / "out").iterdir())
        if files != ["plain.json"]:
            faults.append(f"files {files}")
    finally:
        shutil.rmtree(share)
    return faults


def check_elevated_faults(place):
    result = check_elevated(place)
    if result == "skipped":
        raise LookupError
    yield from result


CHECKS = (
    (check_fields, ("A3", "A6", "A9")), (check_library, ("A2", "A7", "A8")),
    (check_silence, ()), (check_switches, ("A4", "A5")), (check_search, ("A10",)),
    (check_preload, ()), (check_stacked, ("A23",)), (check_elevated_faults, ("A11",)),
)


def main():
    build, preload, header = (pathlib.Path(each).resolve() for each in sys.argv[1:])
    faults = 0
    with tempfile.TemporaryDirectory(prefix="vkm_manifest_") as folder:
        place = Place(build, preload, header, pathlib.Path(folder))
        for check, items in CHECKS:
            try:
                found = list(check(place))
            except LookupError:
                for item in items:
                    print(f"item {item} skipped")
                continue
            for fault in found:
                print(f"{check.__name__}: {fault}")
            faults += len(found)
            if not found:
                print(f"{check.__name__}: ok", flush=True)
                for item in items:
                    print(f"item {item} ok")
    return 1 if faults else 0


sys.exit(main())
