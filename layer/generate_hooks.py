#!/usr/bin/env python3
"""Writes the hooks of commands that do GPU work, end a chain of stamps or can tell that the device
is lost, from the Vulkan registry.

In: vk.xml, intercept.def (commands with a hook of their own are left out), work.def (which do
work, of what kind) and moves.def (which of these move bytes that are looked at). Out: for every
other vkCmd* command that is more than state setting and may be
recorded outside a render pass, a hook: work gets a mark, everything else tells timing/record that
it came between. For every other command of a device or queue that can return DEVICE_LOST, a hook
that notes it. And VKM_GENERATED(X), the list of their names. Commands recorded only inside render
passes need none: beginning the render pass has ended the chain already.
usage: generate_hooks.py vk.xml intercept.def work.def moves.def OUTPUT
"""
import re
import sys
import xml.etree.ElementTree as ElementTree


def offered(element):
    api = element.get("api")
    return api is None or "vulkan" in api.split(",")


def parameter_text(parameter):
    text = re.sub(r"\s+", " ", "".join(parameter.itertext()).strip())
    return re.sub(r"\s*\*\s*", " *", text)


def is_wanted(name, command, is_timed):
    """Whether the command needs a hook."""
    if not name.startswith("vkCmd"):
        of_device = command.find("param/type").text in ("VkDevice", "VkQueue")
        return of_device and "VK_ERROR_DEVICE_LOST" in (command.get("errorcodes") or "")
    inside = command.get("renderpass") == "inside" and not is_timed
    return command.get("tasks") != "state" and not inside


def read_registry(path, worked):
    """{name: (return type, [parameter text], [parameter name], is barrier)} , {alias: name}
    and the names of all other vkCmd* commands, which need no hook. A command that does work and
    that the headers hide (provisional) is in neither: the profile names it when a program asks for
    it."""
    root = ElementTree.parse(path).getroot()
    hidden, shown = set(), set()
    features = [(f, False) for f in root.findall("feature") if offered(f)]
    for extension in root.find("extensions"):
        supported = "vulkan" in (extension.get("supported") or "").split(",")
        special = bool(extension.get("platform") or extension.get("provisional"))
        features.append((extension, special or not supported))
    for feature, is_hidden in features:
        for command in feature.iter("command"):
            if command.get("name"):
                (hidden if is_hidden else shown).add(command.get("name"))
    commands, aliases = {}, {}
    for command in root.find("commands"):
        if command.get("alias"):
            aliases[command.get("name")] = command.get("alias")
        elif offered(command):
            commands[command.find("proto/name").text] = command
    work = {n for n, c in commands.items() if "action" in (c.get("tasks") or "").split(",")}
    result = {}
    known = {n for n in (shown | hidden) - (hidden & work) if n.startswith("vkCmd")}
    for name in sorted(shown - hidden):
        command = commands.get(aliases.get(name, name))
        if command is None or not is_wanted(name, command, aliases.get(name, name) in worked):
            continue
        parameters = [p for p in command.findall("param") if offered(p)]
        known.discard(name)
        result[name[2:]] = (
            command.find("proto/type").text,
            [parameter_text(p) for p in parameters],
            [p.find("name").text for p in parameters],
            "synchronization" in (command.get("tasks") or "").split(","),
        )
    return result, {alias[2:]: target[2:] for alias, target in aliases.items()}, sorted(known)


def read_names(path, pattern):
    with open(path, encoding="utf-8") as file:
        return dict(re.findall(pattern, file.read()))


def lost_hook(name, command):
    """The text of the hook of a command that can tell that the device is lost."""
    result, parameters, arguments, _ = command
    return [
        f"static VKAPI_ATTR {result} VKAPI_CALL generated_{name}({', '.join(parameters)}) {{",
        f"  struct vkm_device *of = vkm_device_of({arguments[0]});",
        f"  return vkm_device_result(of, of->table.{name}({', '.join(arguments)}));",
        "}",
    ]


def hook(name, command, kind, moves):
    """The text of the hook of a recording command. `moves`: its name in moves.def, or None."""
    result, parameters, arguments, barrier = command
    call = f"vkm_table_of({arguments[0]}, cmdbuf)->{name}({', '.join(arguments)});"
    lines = [
        f"static VKAPI_ATTR {result} VKAPI_CALL generated_{name}({', '.join(parameters)}) {{",
        f"  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of({arguments[0]});",
    ]
    if kind:
        lines += [
            f"  struct vkm_work work = {{.kind = VKM_KIND_{kind}}};",
        ]
        if moves:
            lines += [
                "  if (cmdbuf && cmdbuf->recording) {",
                f"    vkm_moved_{moves}(cmdbuf->device, &work, {', '.join(arguments[1:])});",
                "  }",
            ]
        lines += [
            "  struct vkm_mark *mark = cmdbuf ? vkm_record_before(cmdbuf, &work) : NULL;",
            f"  {call}",
            "  if (cmdbuf) {",
            "    vkm_record_after(cmdbuf, mark);",
            "  }",
        ]
    else:
        between = "VKM_BETWEEN_BARRIER" if barrier else "VKM_BETWEEN_WORK"
        lines += [
            "  if (cmdbuf) {",
            f"    vkm_record_between(cmdbuf, {between});",
            "  }",
            f"  {'' if result == 'void' else 'return '}{call}",
        ]
    return lines + ["}"]


def main():
    registry, own, work, moves, output = sys.argv[1:]
    with open(own, encoding="utf-8") as file:
        own_names = set(re.findall(r"VKM_COMMAND\(\w+,\s*(\w+),", file.read()))
    kinds = read_names(work, r"VKM_WORK\((\w+), (\w+)\)")
    moved = set(read_names(moves, r"VKM_MOVE\((\w+),\s*(\()"))
    commands, aliases, others = read_registry(registry, {"vkCmd" + name for name in kinds})
    lines = ["/* Generated by generate_hooks.py from the Vulkan registry. */"]
    names = []
    for name, command in commands.items():
        if name in own_names or "Label" in name or "DebugMarker" in name:
            continue
        names.append(name)
        if name.startswith("Cmd"):
            core = aliases.get(name, name)[len("Cmd"):]
            lines += hook(name, command, kinds.get(core), core if core in moved else None)
        else:
            lines += lost_hook(name, command)
    lines.append("#define VKM_GENERATED(X) " + " ".join(f"X({name})" for name in names))
    lines += ["/* Known and left alone: state setting, or inside render passes. Sorted. */"]
    lines += ["static const char *const generated_others[] = {"]
    lines += [f'    "{name}",' for name in others] + ["};"]
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


main()
