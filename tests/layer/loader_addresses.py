#!/usr/bin/env python3
"""For every command of the registry: does a program get an address, with the layer as without it?

In: the build folder and vk.xml. Out: a line a driver; every difference; exit 1 where there is one,
77 where no driver is there. Items A16 and B7 of the checklist.
usage: loader_addresses.py BUILD vk.xml
"""
import pathlib
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import loader_support

# Of extensions that the layer may have added. A driver that gives out what nobody enabled would
# give these, too; that they are ours must not be seen, so they are NULL.
OURS = {"vkResetQueryPoolEXT", "vkGetCalibratedTimestampsEXT", "vkGetCalibratedTimestampsKHR",
        "vkGetPipelineExecutablePropertiesKHR", "vkGetPipelineExecutableStatisticsKHR",
        "vkGetPipelineExecutableInternalRepresentationsKHR", "vkGetShaderInfoAMD"}
CASES = (("fake", None), ("fake", "rare_extensions=1"), ("fake", "expose_disabled=1"),
         ("fake", "host_query_reset=0"), ("fake", "pipeline_executable_info=0;shader_info=1"),
         ("lavapipe", None), ("lavapipe-25", None),
         ("swiftshader", None))


def read_names(registry):
    root = ElementTree.parse(registry).getroot()
    names = set()
    for command in root.find("commands"):
        names.add(command.get("name") or command.find("proto/name").text)
    return sorted(names) + ["vkBogusEXT", "vkCmdBogusEXT"]


def ask(build, names, driver, script, folder, layered):
    """{heading: bits}"""
    extra = {"VKMETER": "1", "VKMETER_OUTPUT": f"{folder}/profile-%p.json"} if layered else {}
    if script:
        extra["FAKE_DRIVER"] = script
    done = loader_support.run([build / "bin/loader_addresses"],
                              loader_support.environment(build / "share", folder, driver, extra),
                              input="\n".join(names) + "\n")
    if done.returncode != 0:
        sys.exit(f"loader_addresses: {done.returncode}: {done.stderr}")
    return dict(line.rsplit(" ", 1) for line in done.stdout.splitlines())


def differences(names, without, layered, exposed):
    if without.keys() != layered.keys():
        yield "not the same instances and devices"
    for heading, bits in without.items():
        for name, before, after in zip(names, bits, layered.get(heading, "")):
            hidden = exposed and heading.startswith("device") and name in OURS and after == "0"
            if before != after and not hidden:
                yield f"{heading}: {name} {before} without the layer, {after} with it"


def main():
    build, registry = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    names = read_names(registry)
    drivers, faults, asked = loader_support.drivers(build), 0, 0
    for name, script in CASES:
        where = name + (f" {script}" if script else "")
        if name not in drivers:
            print(f"{where}: skipped, scripts/drivers unpacks it")
            continue
        with tempfile.TemporaryDirectory() as folder:
            without, layered = (ask(build, names, drivers[name], script, folder, each)
                                for each in (False, True))
            written = any(pathlib.Path(folder).glob("profile-*.json"))
        found = list(differences(names, without, layered, script == "expose_disabled=1"))
        if not written:
            found.append("the layer was not there: no profile")
        for fault in found[:20]:
            print(f"{where}: {fault}")
        asked += sum(len(bits) for bits in without.values())
        faults += len(found)
        print(f"{where}: {len(names)} names, {len(without)} instances and devices, "
              f"{len(found)} differences", flush=True)
    if faults or not asked:
        return 1
    print("item A16 ok")
    print("item B7 ok")
    return 0


sys.exit(main())
