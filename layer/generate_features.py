#!/usr/bin/env python3
"""Writes the sizes of all structures that extend VkDeviceCreateInfo, from the Vulkan registry.

Out: lines FEATURES(structure, type) for structures that need no platform header.
usage: generate_features.py vk.xml OUTPUT
"""
import sys
import xml.etree.ElementTree as ElementTree


def main():
    registry, output = sys.argv[1:]
    root = ElementTree.parse(registry).getroot()
    shown, hidden = set(), set()
    sections = []
    for feature in root.findall("feature"):
        sections.append((feature, "vulkan" not in (feature.get("api") or "").split(",")))
    for extension in root.find("extensions"):
        supported = "vulkan" in (extension.get("supported") or "").split(",")
        special = bool(extension.get("platform") or extension.get("provisional"))
        sections.append((extension, special or not supported))
    for section, is_hidden in sections:
        for kind in section.iter("type"):
            if kind.get("name"):
                (hidden if is_hidden else shown).add(kind.get("name"))
    lines = []
    for kind in root.find("types"):
        name, extends = kind.get("name") or "", (kind.get("structextends") or "").split(",")
        if "VkDeviceCreateInfo" not in extends or kind.get("alias") or name not in shown - hidden:
            continue
        member = next((m for m in kind.findall("member") if m.get("values")), None)
        if member is not None and name.startswith("VkPhysicalDevice"):
            value = member.get("values").removeprefix("VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_")
            lines.append(f"FEATURES({name.removeprefix('VkPhysicalDevice')}, {value})")
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


main()
