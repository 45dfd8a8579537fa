"""A trace packet by packet: what the format itself demands. In: the bytes of a file. Out: events
with every name resolved, and the faults found on the way. Next: rules.py."""

import wire

REALTIME, MONOTONIC, FIRST_LOCAL, LAST_LOCAL = 1, 3, 64, 127
CLEARED, NEEDS_STATE = 1, 2
TABLES = ("event_categories", "event_names", "debug_annotation_names",
          "debug_annotation_string_values", "graphics_contexts", "gpu_specifications",
          "compute_kernels", "compute_arg_names")


class Event:
    """One packet that stands somewhere in time. `args`: annotations, arguments, extra data."""

    def __init__(self, at, sequence, time_ns):
        self.at, self.sequence, self.time_ns = at, sequence, time_ns
        self.args, self.name, self.categories = {}, None, ()
        self.track = self.type = None
        self.flows, self.ends_flows, self.submits, self.waits = (), (), (), ()


class Sequence:
    def __init__(self):
        self.tables = {table: {} for table in TABLES}
        self.cleared = False
        self.clock = self.track = None
        self.clocks, self.kernels = {}, {}  # kernels: their arguments by iid


class Trace:
    """`events` and `gpu` in the order of the file. `end`: bytes up to the last whole packet."""

    def __init__(self, data):
        self.data, self.faults = data, []
        self.sequences, self.tracks, self.events, self.gpu = {}, {}, [], []
        self.clocks, self.first_ns, self.packets, self.end = {}, None, 0, 0
        self.processes = {}

    def fault(self, at, what):
        self.faults.append(f"byte {at}: {what}")

    def read(self):
        at, end = 0, len(self.data)
        while at < end:
            try:
                number, kind, value, after = wire.read_field(self.data, at, end)
                if (number, kind) != (1, wire.BYTES):
                    raise wire.Damaged(at, f"field {number} of wire type {kind} is no packet")
            except wire.Damaged as damaged:
                self.cut = str(damaged)
                return self
            try:
                self.take(at, wire.decode(self.data, *value, "TracePacket"))
            except wire.Damaged as damaged:
                self.faults.append(str(damaged))
            self.packets += 1
            at = self.end = after
        self.cut = None
        return self

    def take(self, at, packet):
        number = packet.get("trusted_packet_sequence_id", 0)
        if number == 0:
            self.fault(at, "a packet without a sequence")
        new = number not in self.sequences
        sequence = self.sequences.setdefault(number, Sequence())
        flags = packet.get("sequence_flags", 0)
        if new != packet.get("first_packet_on_sequence", False):
            self.fault(at, f"first_packet_on_sequence is {not new} of sequence {number}")
        if flags & CLEARED:
            fresh = Sequence()
            fresh.cleared, fresh.clocks = True, sequence.clocks
            sequence = self.sequences[number] = fresh
        if flags & (CLEARED | NEEDS_STATE) and not sequence.cleared:
            self.fault(at, "state is needed that was never cleared")
        defaults = packet.get("trace_packet_defaults", {})
        sequence.clock = defaults.get("timestamp_clock_id", sequence.clock)
        sequence.track = defaults.get("track_event_defaults", {}).get("track_uuid", sequence.track)
        self.flags = flags
        self.intern(at, sequence, packet.get("interned_data", {}))
        if "clock_snapshot" in packet:
            self.take_clocks(at, sequence, packet["clock_snapshot"])
        if "track_descriptor" in packet:
            self.take_track(at, packet["track_descriptor"])
        takers = {"track_event": self.take_event, "gpu_render_stage_event": self.take_gpu}
        found = [member for member in takers if member in packet]
        if found or "timestamp" in packet:
            time_ns = self.time_of(at, sequence, packet)
            for member in found:
                takers[member](Event(at, number, time_ns), sequence, packet[member])

    def time_of(self, at, sequence, packet):
        """Nanoseconds of the packet. Faults: no time, no clock, a clock that is not known yet."""
        if "timestamp" not in packet:
            self.fault(at, "an event without a time")
            return 0
        clock = packet.get("timestamp_clock_id", sequence.clock)
        local = clock is not None and FIRST_LOCAL <= clock <= LAST_LOCAL
        if clock is None:
            self.fault(at, "a time without a clock: viewers would take BOOTTIME")
        elif clock not in (sequence.clocks if local else self.clocks):
            self.fault(at, f"a time of clock {clock} before a snapshot of it")
        elif clock == MONOTONIC and packet["timestamp"] < self.first_ns:
            self.fault(at, f"{self.first_ns - packet['timestamp']} ns before the first snapshot")
        elif clock != MONOTONIC:
            self.fault(at, f"an event on clock {clock}: this trace is to be on MONOTONIC")
        return packet["timestamp"]

    def take_clocks(self, at, sequence, snapshot):
        seen = set()
        for clock in snapshot.get("clocks", []):
            number, now = clock.get("clock_id", 0), clock.get("timestamp")
            known = sequence.clocks if FIRST_LOCAL <= number <= LAST_LOCAL else self.clocks
            if number == 0 or number > LAST_LOCAL or now is None:
                self.fault(at, f"a snapshot of clock {number} at {now}")
                continue
            if number in seen:
                self.fault(at, f"clock {number} twice in a snapshot")
            seen.add(number)
            if number != REALTIME and known.get(number, 0) > now:
                self.fault(at, f"clock {number} goes back by {known[number] - now} ns")
            known[number] = now
        if MONOTONIC not in seen:
            self.fault(at, "a snapshot without MONOTONIC")
        elif self.first_ns is None:
            self.first_ns = self.clocks[MONOTONIC]
        primary = snapshot.get("primary_trace_clock")
        if primary is not None and primary not in seen:
            self.fault(at, f"the primary clock {primary} is not in its snapshot")

    def intern(self, at, sequence, interned):
        if interned and not (self.flags & (CLEARED | NEEDS_STATE)):
            self.fault(at, "interned data without state")
        for table in TABLES:
            known = sequence.tables[table]
            for entry in interned.get(table, []):
                iid = entry.get("iid", 0)
                if iid == 0:
                    self.fault(at, f"{table} without iid")
                elif known.get(iid, entry) != entry:
                    self.fault(at, f"{table} {iid} is given another meaning")
                known[iid] = entry
        for kernel in interned.get("compute_kernels", []):
            arguments = self.arguments(at, sequence, kernel.get("args", []))
            sequence.kernels[kernel.get("iid")] = arguments
            if not kernel.get("name"):
                self.fault(at, "a kernel without a name")
        for context in interned.get("graphics_contexts", []):
            if context.get("api") != 2 or context.get("pid", 0) <= 0:
                self.fault(at, f"graphics context {context}: not Vulkan's, or of no process")

    def look_up(self, at, sequence, table, iid):
        entry = sequence.tables[table].get(iid)
        if entry is None:
            self.fault(at, f"{table} {iid} is used and not defined")
            return {}
        if not self.flags & (CLEARED | NEEDS_STATE):
            self.fault(at, f"{table} {iid} is used in a packet that claims no state")
        return entry

    def named(self, at, sequence, entry, table):
        """A name by itself or interned; exactly one of them."""
        if ("name" in entry) == ("name_iid" in entry):
            self.fault(at, "a name is missing, or given twice")
        if "name_iid" in entry:
            return self.look_up(at, sequence, table, entry["name_iid"]).get("name")
        return entry.get("name")

    def arguments(self, at, sequence, entries, table="compute_arg_names"):
        found = {}
        for entry in entries:
            name = self.named(at, sequence, entry, table)
            values = [key for key in entry if key.endswith("_value") or key == "string_value_iid"]
            if len(values) != 1:
                self.fault(at, f"argument {name} has {len(values)} values")
                continue
            value = entry[values[0]]
            if values[0] == "string_value_iid":
                text = self.look_up(at, sequence, "debug_annotation_string_values", value)
                value = text.get("str", b"").decode("utf-8", "replace")
            if name in found:
                self.fault(at, f"argument {name} stands twice")
            found[name] = value
        return found

    def take_track(self, at, track):
        uuid, parent = track.get("uuid", 0), track.get("parent_uuid")
        if uuid == 0:
            self.fault(at, "a track with uuid 0")
        if parent is not None and parent not in self.tracks:
            self.fault(at, f"track {track.get('name')!r} has a parent that is not there")
        if parent is None and not {"process", "thread"} & track.keys():
            self.fault(at, f"track {track.get('name')!r} stands nowhere: no parent")
        if uuid in self.tracks:
            before, after = ({key: value for key, value in each.items() if key != "thread"}
                             for each in (self.tracks[uuid], track))
            if before != after:
                self.fault(at, f"uuid {uuid} is given to another track")
        if "process" in track:
            if track["process"].get("pid", 0) <= 0:
                self.fault(at, "a process without pid")
            self.processes[track["process"].get("pid", 0)] = uuid
        if "thread" in track:
            thread = track["thread"]
            if thread.get("tid", 0) <= 0 or thread.get("pid") not in self.processes:
                self.fault(at, f"thread {thread} of no process")
        self.tracks[uuid] = track

    def pid_of(self, uuid):
        seen = set()
        while uuid in self.tracks and uuid not in seen:
            seen.add(uuid)
            track = self.tracks[uuid]
            for member in ("process", "thread"):
                if member in track:
                    return track[member].get("pid")
            uuid = track.get("parent_uuid")
        return None

    def take_event(self, event, sequence, track_event):
        at = event.at
        event.type = track_event.get("type")
        event.track = track_event.get("track_uuid", sequence.track)
        track = self.tracks.get(event.track)
        if not event.track or track is None:
            self.fault(at, f"an event on track {event.track}, which is not there")
            track = {}
        if event.type not in (1, 2, 3, 4):
            self.fault(at, f"an event of type {event.type}")
        if (event.type == 4) != ("counter" in track):
            self.fault(at, f"an event of type {event.type} on track {track.get('name')!r}")
        if event.type == 4 and "counter_value" not in track_event:
            self.fault(at, "a counter without a value")
        if event.type in (1, 3):
            event.name = self.named(at, sequence, track_event, "event_names")
        event.value = track_event.get("counter_value")
        event.categories = tuple(
            [self.look_up(at, sequence, "event_categories", iid).get("name")
             for iid in track_event.get("category_iids", [])] + track_event.get("categories", []))
        event.args = self.arguments(at, sequence, track_event.get("debug_annotations", []),
                                    "debug_annotation_names")
        event.flows = track_event.get("flow_ids", [])
        event.ends_flows = track_event.get("terminating_flow_ids", [])
        correlation = track_event.get("gpu_correlation", {})
        event.submits = correlation.get("render_stage_submission_event_ids", [])
        event.waits = correlation.get("render_stage_wait_event_ids", [])
        if correlation and track_event.get("gpu_api") != 2:
            self.fault(at, "GPU work without the interface it belongs to")
        self.events.append(event)

    def take_gpu(self, event, sequence, stage):
        at = event.at
        event.id, event.duration_ns = stage.get("event_id", 0), stage.get("duration", 0)
        queue = self.look_up(at, sequence, "gpu_specifications", stage.get("hw_queue_iid", 0))
        kind = self.look_up(at, sequence, "gpu_specifications", stage.get("stage_iid", 0))
        context = self.look_up(at, sequence, "graphics_contexts", stage.get("context", 0))
        event.lane, event.kind, event.pid = queue.get("name"), kind.get("name"), context.get("pid")
        event.category = kind.get("category", 0)
        event.submission = stage.get("submission_id", 0)
        for extra in stage.get("extra_data", []):
            event.args[extra.get("name")] = extra.get("value")
        launch = stage.get("launch", {})
        event.args.update(self.arguments(at, sequence, launch.get("args", [])))
        event.groups, event.local_size = (
            tuple(launch[member].get(axis, 0) for axis in "xyz") if member in launch else None
            for member in ("grid_size", "workgroup_size"))
        event.identity = None
        if "kernel_iid" in stage:
            self.look_up(at, sequence, "compute_kernels", stage["kernel_iid"])
            event.identity = sequence.kernels.get(stage["kernel_iid"], {}).get("identity")
        if "name" in stage or "name_iid" in stage:
            event.name = self.named(at, sequence, stage, "event_names")
        self.gpu.append(event)
