#!/usr/bin/env python3
"""Reads the registry and the layer's lists: is any command that does work in none of them?

And can any command tell that the device is lost without the layer's noticing?

In: vk.xml, work.def, intercept.def and the hooks generated from them. Out: one line a fault, and
then exit 1. Items E1 and D38 of the checklist.
usage: loader_registry.py vk.xml work.def intercept.def generated_hooks.inc
"""
import re
import sys
import xml.etree.ElementTree as ElementTree


def offered(element, attribute="api"):
    apis = element.get(attribute)
    return apis is None or "vulkan" in apis.split(",")


def names_of_vulkan(root):
    """Commands of Vulkan proper: no other API, no platform, nothing provisional."""
    shown, hidden = set(), set()
    for feature in root.findall("feature"):
        if offered(feature):
            shown |= {each.get("name") for each in feature.iter("command")}
    for extension in root.iter("extension"):
        special = extension.get("platform") or extension.get("provisional")
        target = hidden if special or not offered(extension, "supported") else shown
        target |= {each.get("name") for each in extension.iter("command")}
    return shown - {None}, hidden


def read_registry(path):
    """({command that does work}, {alias: command}), of Vulkan proper, and the same kind of command
    that the headers hide."""
    root = ElementTree.parse(path).getroot()
    shown, hidden = names_of_vulkan(root)
    shown -= hidden
    actions, aliases = set(), {}
    for command in root.find("commands"):
        if command.get("alias"):
            if command.get("name") in shown:
                aliases[command.get("name")] = command.get("alias")
        elif offered(command):
            name = command.find("proto/name").text
            if name.startswith("vkCmd") and "action" in (command.get("tasks") or "").split(","):
                actions.add(name)
    of_alias = {aliases[name] for name in aliases}
    visible = {name for name in actions if name in shown or name in of_alias}
    return visible, aliases, (actions - visible) & hidden


def read_losing(path):
    """Commands of a device or queue, as they are in the headers, that can return DEVICE_LOST."""
    root = ElementTree.parse(path).getroot()
    shown, hidden = names_of_vulkan(root)
    losing = set()
    for command in root.find("commands"):
        if command.get("alias") or not offered(command):
            continue
        of_device = command.find("param/type").text in ("VkDevice", "VkQueue")
        if of_device and "VK_ERROR_DEVICE_LOST" in (command.get("errorcodes") or ""):
            losing.add(command.find("proto/name").text)
    return losing & (shown - hidden)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def list_faults(actions, rows):
    """Every action in exactly one list; `rows`: [(list, command)]."""
    listed = {}
    for kind, name in rows:
        listed.setdefault("vkCmd" + name, []).append(kind)
    for name in sorted(actions):
        lists = listed.get(name, [])
        if len(lists) != 1:
            yield f"{name}: in {len(lists)} lists of work.def ({', '.join(lists)})"


def hook_faults(rows, hooked, generated, aliases, hidden):
    """VKM_OWN is hooked by hand, VKM_WORK by generation as that kind, and so is every alias. What
    the headers hide cannot be hooked."""
    names = {}
    for alias, command in aliases.items():
        names.setdefault(command, [command]).append(alias)
    for kind, name, argument in rows:
        for each in names.get("vkCmd" + name, ["vkCmd" + name]):
            if kind == "OWN" and each not in hooked:
                yield f"{each}: VKM_OWN, but no hook in intercept.def"
            if kind == "WORK" and each not in hidden and generated.get(each) != argument:
                yield f"{each}: VKM_WORK {argument}, but the hook says {generated.get(each)}"
    for command in sorted(set(hooked) | set(generated)):
        for each in names.get(command, []):
            if each not in hooked and each not in generated:
                yield f"{each}: alias of {command}, which is hooked"


def read_generated(path):
    """{command: kind of work, or None}"""
    out = {}
    for name, body in re.findall(r"generated_(\w+)\([^{]*\{(.*?)^\}", read(path), re.S | re.M):
        kind = re.search(r"VKM_KIND_(\w+)", body)
        out["vk" + name] = kind.group(1) if kind else None
    return out


def hidden_faults(hidden, path):
    """Work that cannot be hooked must not pass for harmless: the profile has to name it."""
    harmless = re.search(r"generated_others\[\] = \{(.*?)\}", read(path), re.S).group(1)
    for name in sorted(hidden):
        if f'"{name}"' in harmless:
            yield f"{name}: does work, is not hooked and would not be named"


def later_faults(path, later):
    """A prototype of later.def has as many parameters as the registry's, where that has one."""
    wanted = {}
    for command in ElementTree.parse(path).getroot().find("commands"):
        if command.find("proto/name") is not None and offered(command):
            parameters = [each for each in command.findall("param") if offered(each)]
            wanted[command.find("proto/name").text] = len(parameters)
    rows = re.findall(r"VKM_LATER\((\w+), \w+,\s*\(([^)]*)\)", read(later))
    for name, parameters in rows:
        count = parameters.count(",") + 1
        if wanted.get("vkCmd" + name, count) != count:
            yield f"vkCmd{name}: {count} parameters in later.def, {wanted['vkCmd' + name]} here"
    if len(rows) < 6:
        yield f"read only {len(rows)} rows of {later}"


def main():
    registry, work, intercept, generated_path = sys.argv[1:]
    actions, aliases, hidden = read_registry(registry)
    rows = re.findall(r"^VKM_(WORK|PASS|NO_WORK|OWN)\((\w+)(?:, *(\w+))?", read(work), re.M)
    hooked = {"vk" + name for name in re.findall(r"VKM_COMMAND\(\w+,\s*(\w+)", read(intercept))}
    generated = read_generated(generated_path)
    if len(actions) < 80 or len(rows) < 80 or len(hooked) < 40 or len(generated) < 40:
        sys.exit(f"read too little: {len(actions)} actions, {len(rows)} rows, {len(hooked)} hooks")
    losing = read_losing(registry)
    unnoticed = sorted(losing - hooked - set(generated))
    faults = [*(f"{name}: can return DEVICE_LOST, and has no hook" for name in unnoticed),
              *list_faults(actions, [row[:2] for row in rows]),
              *hook_faults(rows, hooked, generated, aliases, hidden),
              *hidden_faults(hidden, generated_path),
              *later_faults(registry, work.replace("work.def", "later.def"))]
    for fault in faults:
        print(fault)
    print(f"{len(actions)} commands that do work, {len(hidden)} hidden, {len(rows)} listed, "
          f"{len(losing)} that can lose the device, {len(hooked) + len(generated)} hooked, "
          f"{len(faults)} faults")
    if faults or len(losing) < 15:
        return 1
    print("item E1 ok")
    print("item D38 ok")
    return 0


sys.exit(main())
