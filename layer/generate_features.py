#!/usr/bin/env python3
"""Writes all structures whose sizes have to be known to copy a chain, from the Vulkan registry.

Out: lines FEATURES(structure, type) of those that extend VkDeviceCreateInfo, and lines
PIPELINES(structure, type) of those that extend the create-infos of pipelines, as far as they need
no platform header.
usage: generate_features.py vk.xml OUTPUT
"""
import sys
import xml.etree.ElementTree as ElementTree

PIPELINES = {"VkComputePipelineCreateInfo", "VkGraphicsPipelineCreateInfo",
             "VkRayTracingPipelineCreateInfoKHR", "VkRayTracingPipelineCreateInfoNV"}


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
        if kind.get("alias") or name not in shown - hidden:
            continue
        member = next((m for m in kind.findall("member") if m.get("values")), None)
        if member is None:
            continue
        if PIPELINES & set(extends):
            value = member.get("values").removeprefix("VK_STRUCTURE_TYPE_")
            lines.append(f"PIPELINES({name.removeprefix('Vk')}, {value})")
        elif "VkDeviceCreateInfo" in extends and name.startswith("VkPhysicalDevice"):
            value = member.get("values").removeprefix("VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_")
            lines.append(f"FEATURES({name.removeprefix('VkPhysicalDevice')}, {value})")
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


main()
