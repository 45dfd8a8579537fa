"""Checks bytes as a trace, with the profiles of its processes: everything put together. In: bytes,
documents. Out: the checked rules, whose `faults` are what was found, and a line about the trace."""

import collections
import math

import packets
import profile_rules
import rules


def deviation_ns(profile):
    """How far device times may lie from the host's. Where the clocks were never laid beside each
    other nothing is promised of that, and there is no bound."""
    known = profile["contract"]["clock"]["max_deviation_ns"]
    return math.inf if known is None else known


def check(data, profiles=(), cut=False, slack_ns=0, going_on=False):
    """The checked rules; their `faults` are what was found. `going_on`: see ProfileRules."""
    trace = packets.Trace(data).read()
    slack_ns = max([slack_ns] + [deviation_ns(profile) for profile in profiles])
    checked = rules.Rules(trace, slack_ns, cut).check()
    if not trace.packets:
        checked.faults.append("there is no packet")
    for profile in profiles:
        profile_rules.ProfileRules(checked, profile, going_on).check()
    return checked


def summary(checked):
    trace = checked.trace
    kinds = collections.Counter(mark.kind for mark in checked.marks)
    parts = [f"{trace.packets} packets", f"{trace.end} bytes", f"{len(checked.calls)} calls",
             f"{len(checked.marks)} timed ({', '.join(f'{n} {k}' for k, n in kinds.items())})",
             f"{len(checked.slices) - len(checked.calls)} other slices",
             f"{sum(event.type == 4 for event in trace.events)} counter values",
             f"dropped {checked.dropped()}"]
    if checked.slack_ns == math.inf:
        parts.append("device clock not calibrated: work is not held to its submit and wait")
    return ", ".join(parts)
