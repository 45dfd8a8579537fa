"""A trace against the profile of the same process: the same run, seen by two writers. In: Rules of
the trace, the profile's document. Out: faults."""

import collections

import rules

# Member of breakdown.host: the commands that it counts.
CALLS = {
    "create": ("CreateInstance", "CreateDevice"),
    "build": ("CreateShaderModule", "CreateShadersEXT", "CreateComputePipelines",
              "CreateGraphicsPipelines", "CreateRayTracingPipelinesKHR",
              "CreateRayTracingPipelinesNV", "DeferredOperationJoinKHR"),
    "map": ("MapMemory",), "unmap": ("UnmapMemory",), "flush": ("FlushMappedMemoryRanges",),
    "invalidate": ("InvalidateMappedMemoryRanges",),
    "image_copy": ("CopyMemoryToImage", "CopyImageToMemory", "CopyImageToImage"),
    "submit": ("QueueSubmit", "QueueSubmit2"),
    "wait": ("WaitForFences", "WaitSemaphores", "QueueWaitIdle", "DeviceWaitIdle"),
}
MEMBERS = {"dispatch_base": "dispatch", "dispatch_indirect": "dispatch"}
WHOLE = "command_buffer"
REJECTED = "timestamps rejected: "


class ProfileRules:
    """`going_on`: the program ends while its threads make calls, and each may be between counting
    one and noting it."""

    def __init__(self, checked, profile, going_on=False):
        self.faults, self.profile = checked.faults, profile
        self.pid = profile["run"]["pid"]
        self.marks = [mark for mark in checked.marks if mark.pid == self.pid]
        self.calls = [each for each in checked.calls
                      if checked.trace.pid_of(each.event.track) == self.pid]
        self.events = [event for event in checked.trace.events
                       if checked.trace.pid_of(event.track) == self.pid]
        self.tracks = checked.trace.tracks
        self.counts = checked.counts.get(self.pid)
        self.dropped = checked.dropped(self.pid) if self.counts else 0
        # Threads that go on while the program ends are counted behind the trace's last packet.
        self.dropped += ((profile.get("trace") or {}).get("dropped") or {}).get("late", 0)
        self.between = len({each.event.track for each in self.calls}) if going_on else 0
        self.short = (self.counts or {}).get("short_calls", 0)

    def compare(self, what, found, wanted, left_out):
        """Equal, but for what the trace itself says it lacks."""
        if not wanted - left_out <= found <= wanted:
            self.faults.append(f"{what}: {found} in the trace, {wanted} in the profile, at most "
                               f"{left_out} of these left out")

    def check(self):
        if not self.profile["complete"]:
            return
        if self.counts is None:
            self.faults.append(f"process {self.pid} is in the profile, its counts not in the trace")
            return
        self.check_kinds()
        self.check_calls()
        self.check_rejected()
        self.check_in_flight()
        self.check_durations()

    def check_kinds(self):
        found = collections.Counter(MEMBERS.get(mark.kind, mark.kind) for mark in self.marks)
        wanted = collections.Counter()
        for member, outcome in self.profile["coverage"].items():
            if isinstance(outcome, dict) and "recorded" in outcome:
                wanted[member] = outcome["measured"]
        if not self.profile.get("plans_other"):
            wanted[WHOLE] = sum(plan["control_measured"] for plan in self.profile["plans"])
        else:
            wanted[WHOLE] = found[WHOLE]
        for kind in sorted(found.keys() | wanted.keys()):
            self.compare(f"timed {kind}", found[kind], wanted[kind], self.dropped)

    def check_calls(self):
        found = collections.Counter(each.event.name for each in self.calls)
        presents = sum(device["presents"] for device in self.profile["devices"])
        host = (self.profile.get("breakdown") or {}).get("host")
        wanted = {"presents": (("QueuePresentKHR",), presents)}
        for member, commands in CALLS.items() if host else ():
            wanted[member] = (commands, host[member]["calls"])
        for member, (commands, number) in wanted.items():
            always = member in ("submit", "presents")
            left_out = self.dropped + self.between + (0 if always else self.short)
            self.compare(f"calls of {member}", sum(found[f"vk{name}"] for name in commands),
                         number, left_out)

    def check_rejected(self):
        found = collections.Counter(
            event.name.removeprefix(REJECTED) for event in self.events
            if event.type == 3 and rules.INSTANT in event.categories
            and event.name.startswith(REJECTED))
        wanted = collections.Counter()
        for outcome in self.profile["coverage"].values():
            if isinstance(outcome, dict) and "recorded" in outcome:
                wanted.update({reason: number for reason, number in outcome["rejected"].items()
                               if number})
        for reason in sorted(found.keys() | wanted.keys()):
            # An instant is one execution of one or more commands.
            least = min(1, max(0, wanted[reason] - self.dropped))
            if not least <= found[reason] <= wanted[reason]:
                self.faults.append(f"rejected {reason}: {found[reason]} executions in the trace, "
                                   f"{wanted[reason]} commands in the profile")

    def check_in_flight(self):
        """How often a queue's count rises is how often something was submitted to it."""
        rises, before = collections.Counter(), collections.Counter()
        for event in sorted(self.events, key=lambda each: each.time_ns):
            name = self.tracks.get(event.track, {}).get("name", "")
            if event.type == 4 and name.endswith(" in flight"):
                if event.value < 0:
                    self.faults.append(f"byte {event.at}: {event.value} submissions in flight")
                rises[name] += max(0, event.value - before[name])
                before[name] = event.value
        found = collections.Counter()
        for name, number in rises.items():
            found[name.removeprefix("queue ").split(" ")[0]] += number
        wanted = collections.Counter()
        for queue in self.profile["queues"]:
            wanted[f"{queue['family']}.{queue['index']}"] += queue["submissions"]
        for queue in sorted(found.keys() | wanted.keys()):
            self.compare(f"submissions of queue {queue}", found[queue], wanted[queue],
                         self.dropped + self.between)

    def key_of_mark(self, mark):
        dispatch = (mark.kind or "").startswith("dispatch")
        known = dispatch and mark.groups is not None and any(mark.groups)
        return (mark.identity, mark.kind, mark.groups if known else None, mark.phase or None)

    def check_durations(self):
        if self.dropped:
            return
        identities = {pipeline["id"]: pipeline["identity"]["hash"]
                      for pipeline in self.profile["pipelines"]}
        wanted, capped = collections.defaultdict(collections.Counter), set()
        for kernel in self.profile["kernels"]:
            groups = kernel["groups"]
            dispatch = kernel["kind"].startswith("dispatch")
            key = (identities.get(kernel["pipeline"]), kernel["kind"],
                   tuple(groups) if groups and dispatch and any(groups) else None,
                   None if kernel["phase"] == "unlabelled" else kernel["phase"])
            wanted[key].update(kernel["samples"])
            if kernel["samples_kept"] != kernel["samples_seen"]:
                capped.add(key)
        found = collections.defaultdict(collections.Counter)
        for mark in self.marks:
            if mark.kind != WHOLE:
                found[self.key_of_mark(mark)][mark.end_ns - mark.begin_ns] += 1
        if any(self.profile["coverage"][member]["executed"] for member
               in self.profile["coverage"] if member.endswith("_beyond_row_cap")):
            found = {key: value for key, value in found.items() if key in wanted}
        for key in sorted(found.keys() | wanted.keys(), key=str):
            if key not in capped and found.get(key, {}) != wanted.get(key, {}):
                there, here = found.get(key, collections.Counter()), wanted[key]
                self.faults.append(
                    f"durations of {key}: {(there - here).total()} only in the trace "
                    f"{list((there - here))[:3]}, {(here - there).total()} only in the profile "
                    f"{list((here - there))[:3]}")
