"""Cross checks of families and phases: with the definition files of src/kernel, and of the sections
with the kernels that they summarize. In: the schema, a profile. Out: faults in words. Next:
validate_profiles."""

import pathlib
import re
from fractions import Fraction

KERNEL = pathlib.Path(__file__).resolve().parents[2] / "src" / "kernel"


def defined(path, macro):
    return re.findall(rf"^{macro}\((\w+),", (KERNEL / path).read_text(encoding="utf-8"),
                      re.MULTILINE)


def schema_faults(schema):
    """Families and counts of the schema are those of the definition files, in their order."""
    listed = {"families.def": ("VKM_FAMILY", schema["$defs"]["family"]["enum"]),
              "counts.def": ("VKM_SPIRV_COUNT", list(schema["$defs"]["counts"]["properties"]))}
    for path, (macro, names) in listed.items():
        if defined(path, macro) != names:
            yield f"the schema lists {names}, {path} defines {defined(path, macro)}"


def weight(kernel):
    """Median times measured executions; the mean stands in where no sample was kept."""
    if kernel["duration"] is None:
        return 0
    median = kernel["duration"]["median"]
    return max(kernel["duration"]["mean"] if median is None else median, 0) * kernel["measured"]


def expected(kernels):
    measured = sum(kernel["measured"] for kernel in kernels)
    found = {"kernels": len(kernels),
             "kernels_not_measured": sum(kernel["measured"] == 0 for kernel in kernels),
             "executions": sum(kernel["executions"] for kernel in kernels),
             "measured": measured, "sum_ns": None, "sum_of_medians_ns": None}
    if measured:
        found["sum_ns"] = sum(kernel["duration"]["sum"] for kernel in kernels if kernel["duration"])
        found["sum_of_medians_ns"] = sum(map(weight, kernels))
    return found


def share_faults(groups, where):
    total = sum(group["sum_of_medians_ns"] or 0 for group in groups)
    shares = [group["share_percent"] for group in groups]
    if total == 0:
        if any(share is not None for share in shares):
            yield f"{where}: a share of no time at all"
        return
    if None in shares or sum(Fraction(str(share)) for share in shares) != 100:
        yield f"{where}: the shares are {shares}, which do not add up to 100"
        return
    for group in groups:
        exact = Fraction(100 * (group["sum_of_medians_ns"] or 0), total)
        if abs(Fraction(str(group["share_percent"])) - exact) >= Fraction(1, 100):
            yield f"{where}: {group['name']} has {group['share_percent']} %, not {float(exact)}"


def group_faults(profile, section, member):
    where = f".{section}"
    rows = {}
    for kernel in profile["kernels"]:
        rows.setdefault(kernel[member], []).append(kernel)
    groups = profile[section]
    if sorted(group["name"] for group in groups) != sorted(rows):
        yield f"{where}: it lists {[group['name'] for group in groups]}, kernels have {list(rows)}"
        return
    order = [(-(group["sum_of_medians_ns"] or 0), group["name"].encode()) for group in groups]
    if order != sorted(order):
        yield f"{where}: not sorted by time, then name"
    for group in groups:
        for name, value in expected(rows[group["name"]]).items():
            if group[name] != value:
                yield f"{where}: {name} of {group['name']} is {group[name]}, its rows say {value}"
    yield from share_faults(groups, where)


def pipeline_faults(profile):
    for index, pipeline in enumerate(profile["pipelines"]):
        nobody = pipeline["family_source"] == "none"
        if nobody and pipeline["family"] != "unclassified":
            yield f".pipelines[{index}]: {pipeline['family']}, but nobody said so"


def faults(profile):
    yield from pipeline_faults(profile)
    yield from group_faults(profile, "families", "family")
    yield from group_faults(profile, "phases", "phase")
