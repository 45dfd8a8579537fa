"""What a trace must keep to by itself, whatever was run. In: a trace that packets.py has read. Out:
faults; slices, marks and calls for profile_rules.py."""

import collections

CALL, GPU, LABEL, INSTANT = "vulkan", "vulkan.gpu", "vulkan.label", "vulkan.event"
COUNTS = "vkmeter"
SUBMITS = ("vkQueueSubmit", "vkQueueSubmit2")
LAST_LANE = " lane 8"  # what finds no lane of its own stands there, over others
DROPPED = ("dropped_full", "dropped_rate", "dropped_size")


class Slice:
    def __init__(self, event, end_ns):
        self.event, self.begin_ns, self.end_ns = event, event.time_ns, end_ns


class Mark:
    """A timed command, in whichever style. `groups`, `local_size`: three numbers, or None."""

    def __init__(self, at, pid, lane, begin_ns, end_ns):
        self.at, self.pid, self.lane = at, pid, lane
        self.begin_ns, self.end_ns = begin_ns, end_ns
        self.id = self.submission = 0
        self.kind = self.identity = self.phase = self.groups = self.local_size = None


def size_of(text):
    return tuple(int(part) for part in text.split(",")) if text else None


class Rules:
    """`slack_ns`: how far a device's time may lie from the host's, as the profile says; nothing
    else may put work outside of the calls that submit it and see it finished. `cut`: the program
    was killed, so that spans may be open and the counts may be missing."""

    def __init__(self, trace, slack_ns=0, cut=False):
        self.trace, self.slack_ns, self.cut = trace, slack_ns, cut
        self.faults = trace.faults
        self.slices, self.marks, self.counts = [], [], {}
        self.calls = []

    def fault(self, at, what):
        self.faults.append(f"byte {at}: {what}")

    def check(self):
        if self.trace.cut and not self.cut:
            self.faults.append(f"the file does not end with a whole packet: {self.trace.cut}")
        if self.trace.first_ns is None:
            self.faults.append("there is no clock snapshot")
        self.pair()
        self.collect()
        self.check_counts()
        self.check_lanes()
        self.check_correlation()
        self.check_bounds()
        self.check_flows()
        return self

    def pair(self):
        """Begins and ends of each track, in the order of time and, where that is equal, of the
        file: how viewers do it."""
        tracks = collections.defaultdict(list)
        for event in self.trace.events:
            if event.type in (1, 2):
                tracks[event.track].append(event)
        for events in tracks.values():
            open_ones = []
            for event in sorted(events, key=lambda each: each.time_ns):
                if event.type == 1:
                    open_ones.append(event)
                elif not open_ones:
                    self.fault(event.at, "an end without a begin")
                else:
                    self.slices.append(Slice(open_ones.pop(), event.time_ns))
            for event in open_ones:
                if not self.cut:
                    self.fault(event.at, f"{event.name!r} has no end")

    def collect(self):
        for each in self.slices:
            if GPU in each.event.categories:
                self.marks.append(self.mark_of_slice(each))
            elif CALL in each.event.categories:
                self.calls.append(each)
                if "thread" not in self.trace.tracks.get(each.event.track, {}):
                    self.fault(each.event.at, f"the call {each.event.name} is on no thread")
            elif LABEL not in each.event.categories:
                self.fault(each.event.at, f"{each.event.name!r}: {each.event.categories}")
        for event in self.trace.gpu:
            mark = Mark(event.at, event.pid, event.lane, event.time_ns,
                        event.time_ns + event.duration_ns)
            mark.id, mark.kind, mark.submission = event.id, event.kind, event.submission
            mark.identity, mark.phase = event.identity, event.args.get("phase")
            mark.groups, mark.local_size = event.groups, event.local_size
            if (event.category == 2) != (event.kind or "").startswith("dispatch"):
                self.fault(event.at, f"{event.kind} has category {event.category}")
            self.marks.append(mark)
        ids = set()
        for mark in self.marks:
            if mark.id == 0 or (mark.pid, mark.id) in ids:
                self.fault(mark.at, f"event id {mark.id} is 0 or given twice")
            ids.add((mark.pid, mark.id))

    def mark_of_slice(self, each):
        event, args = each.event, each.event.args
        track = self.trace.tracks.get(event.track, {})
        mark = Mark(event.at, self.trace.pid_of(event.track), track.get("name"), each.begin_ns,
                    each.end_ns)
        mark.id, mark.submission = args.get("event_id", 0), args.get("submission", 0)
        mark.kind, mark.identity = args.get("kind"), args.get("identity")
        mark.phase = args.get("phase")
        mark.groups, mark.local_size = (size_of(args.get(name)) for name in ("groups",
                                                                             "local_size"))
        return mark

    def check_counts(self):
        """One instant in each process, behind everything else of its sequence."""
        last = {event.sequence: event for event in self.trace.events}
        found = [event for event in self.trace.events
                 if event.type == 3 and COUNTS in event.categories]
        for event in found:
            pid = self.trace.pid_of(event.track)
            if pid in self.counts:
                self.fault(event.at, f"the counts of process {pid} stand twice")
            if last[event.sequence] is not event:
                self.fault(event.at, "the counts are not the last event of their sequence")
            missing = [name for name in ("events", *DROPPED, "short_calls")
                       if not isinstance(event.args.get(name), int)]
            if missing:
                self.fault(event.at, f"the counts lack {missing}")
            self.counts[pid] = {name: value for name, value in event.args.items()
                                if isinstance(value, int)}
        if not self.cut:
            for pid in self.trace.processes.keys() - self.counts.keys():
                self.faults.append(f"process {pid} has no counts")

    def dropped(self, pid=None):
        """Events that were noted and are not in the file; None: nobody says."""
        if not self.counts:
            return None
        return sum(counts.get(name, 0) for each, counts in self.counts.items()
                   for name in DROPPED if pid in (None, each))

    def check_lanes(self):
        lanes = collections.defaultdict(list)
        for mark in self.marks:
            lanes[mark.pid, mark.lane].append(mark)
        for (_, lane), marks in lanes.items():
            if lane is None or lane.endswith(LAST_LANE):
                continue
            marks.sort(key=lambda mark: (mark.begin_ns, mark.end_ns))
            latest = None
            for mark in marks:
                if latest is not None and mark.begin_ns < latest.end_ns:
                    self.fault(mark.at, f"event {mark.id} overlaps {latest.id} on {lane!r} by "
                               f"{latest.end_ns - mark.begin_ns} ns")
                if latest is None or mark.end_ns > latest.end_ns:
                    latest = mark

    def check_correlation(self):
        """`submitted`, `seen`: by process and event id, the call that names it."""
        self.submitted, self.seen, self.submits = {}, {}, {}
        for each in self.calls:
            event, pid = each.event, self.trace.pid_of(each.event.track)
            is_submit = event.name in SUBMITS
            if is_submit and event.args.get("submission"):
                key = (pid, event.args["submission"])
                if key in self.submits:
                    self.fault(event.at, f"submission {key[1]} is submitted twice")
                self.submits[key] = each
            elif is_submit and not event.args.get("result"):
                self.fault(event.at, "a submit without its number")
            if event.submits and not is_submit:
                self.fault(event.at, f"{event.name} submits device work")
            for ids, named in ((event.submits, self.submitted), (event.waits, self.seen)):
                for number in ids:
                    if (pid, number) in named:
                        self.fault(event.at, f"event {number} is named by two calls")
                    named[pid, number] = each
        complete = not self.cut and self.dropped() == 0 and not any(
            "event_ids_left_out" in each.event.args for each in self.calls)
        for mark in self.marks:
            key = (mark.pid, mark.id)
            submit = self.submitted.get(key)
            if submit is not None and submit.event.args.get("submission") != mark.submission:
                self.fault(mark.at, f"event {mark.id} is of submission {mark.submission}, and "
                           f"named by {submit.event.args.get('submission')}")
            if submit is None and complete:
                self.fault(mark.at, f"event {mark.id} is named by no submit")
        for key, wait in self.seen.items():
            submit = self.submitted.get(key)
            if submit is None and complete:
                self.fault(wait.event.at, f"waits for event {key[1]}, which none submits")
            elif submit is not None and wait.end_ns < submit.begin_ns:
                self.fault(wait.event.at, f"waits for event {key[1]} before it is submitted")

    def check_bounds(self):
        for mark in self.marks:
            submit = self.submits.get((mark.pid, mark.submission))
            wait = self.seen.get((mark.pid, mark.id))
            if mark.end_ns < mark.begin_ns:
                self.fault(mark.at, f"event {mark.id} ends before it begins")
            if submit is not None and mark.begin_ns < submit.begin_ns - self.slack_ns:
                self.fault(mark.at, f"event {mark.id} begins {submit.begin_ns - mark.begin_ns} ns "
                           f"before it is submitted (slack {self.slack_ns})")
            if wait is not None and mark.end_ns > wait.end_ns + self.slack_ns:
                self.fault(mark.at, f"event {mark.id} ends {mark.end_ns - wait.end_ns} ns after "
                           f"{wait.event.name} saw it finished (slack {self.slack_ns})")

    def check_flows(self):
        ends = {each.event: each.end_ns for each in self.slices}
        opened = {}
        for event in self.trace.events:
            for flow in event.flows:
                opened[flow] = min(opened.get(flow, event.time_ns), event.time_ns)
        for event in self.trace.events:
            for flow in event.ends_flows:
                if flow == 0:
                    self.fault(event.at, "a flow with id 0")
                if flow not in opened:
                    if self.dropped() == 0 or self.cut:
                        self.fault(event.at, f"{event.name} ends a flow that none began")
                elif opened[flow] > ends.get(event, event.time_ns) + self.slack_ns:
                    self.fault(event.at, f"{event.name} ends a flow that begins after it")
