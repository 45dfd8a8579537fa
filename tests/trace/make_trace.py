"""A small run as a trace and a profile that fit together, made with nothing of vkmeter's. In: a
style. Out: packets as dictionaries, in which faults can be planted, and a profile with the members
that the checker reads."""

import wire

PID, SEQUENCE, START = 4711, 99, 1_000_000
PROCESS, THREAD, WAITER, LABELS, MEMORY, FLIGHT, LANE = range(11, 18)
QUEUE = "queue 0.0 (Fake GPU)"
IDENTITY = "b40d97ec6bb1daa6b92b63f8e852e8e7"
SUBMISSIONS = 3
RENDER_STAGE, TRACK_EVENT = "render-stage", "track-event"


def annotations(**values):
    made = []
    for name, value in values.items():
        kind = "string_value" if isinstance(value, str) else "uint_value"
        made.append({"name": name, kind: value})
    return made


def packet(time_ns=None, **members):
    made = {"trusted_packet_sequence_id": SEQUENCE, "sequence_flags": 2, **members}
    if time_ns is not None:
        made["timestamp"] = START + time_ns
    return made


def begin(time_ns, track, name, category, **members):
    return packet(time_ns, track_event={"type": 1, "track_uuid": track, "name": name,
                                        "categories": [category], **members})


def end(time_ns, track):
    return packet(time_ns, track_event={"type": 2, "track_uuid": track})


def counter(time_ns, track, value):
    return packet(time_ns, track_event={"type": 4, "track_uuid": track, "counter_value": value})


def head():
    first = packet(clock_snapshot={"clocks": [{"clock_id": 3, "timestamp": START},
                                              {"clock_id": 6, "timestamp": START + 5},
                                              {"clock_id": 1, "timestamp": 1 << 60}],
                                   "primary_trace_clock": 3},
                   trace_packet_defaults={"timestamp_clock_id": 3},
                   first_packet_on_sequence=True)
    first["sequence_flags"] = 1
    tracks = [
        {"uuid": PROCESS, "process": {"pid": PID, "process_name": "fake"}},
        {"uuid": THREAD, "parent_uuid": PROCESS, "thread": {"pid": PID, "tid": PID}},
        {"uuid": WAITER, "parent_uuid": PROCESS, "thread": {"pid": PID, "tid": PID + 1}},
        {"uuid": LABELS, "parent_uuid": PROCESS, "name": f"{QUEUE} labels"},
        {"uuid": LANE, "parent_uuid": PROCESS, "name": QUEUE},
        {"uuid": MEMORY, "parent_uuid": PROCESS, "name": "heap 0", "counter": {"unit": 3}},
        {"uuid": FLIGHT, "parent_uuid": PROCESS, "name": f"{QUEUE} in flight",
         "counter": {"unit": 2}},
    ]
    interned = {
        "event_names": [{"iid": 1, "name": "matmul"}],
        "graphics_contexts": [{"iid": 1, "pid": PID, "api": 2}],
        "gpu_specifications": [{"iid": 1, "name": QUEUE},
                               {"iid": 2, "name": "dispatch", "category": 2},
                               {"iid": 3, "name": "copy", "category": 0}],
        "compute_arg_names": [{"iid": 1, "name": "identity"}],
        "compute_kernels": [{"iid": 1, "name": "matmul",
                             "args": [{"name_iid": 1, "string_value": IDENTITY}]}],
    }
    return [first, *(packet(track_descriptor=track) for track in tracks),
            packet(interned_data=interned)]


def stage(time_ns, duration_ns, number, submission, copies):
    event = {"event_id": number, "duration": duration_ns, "context": 1, "hw_queue_iid": 1,
             "stage_iid": 3 if copies else 2, "submission_id": submission}
    if copies:
        event["extra_data"] = [{"name": "bytes", "value": "64"}, {"name": "phase", "value": "load"}]
    else:
        event |= {"name_iid": 1, "kernel_iid": 1,
                  "launch": {"grid_size": {"x": 8, "y": 4, "z": 1},
                             "workgroup_size": {"x": 64, "y": 1, "z": 1},
                             "args": [{"name": "phase", "string_value": "load"}]}}
    return [packet(time_ns, gpu_render_stage_event=event)]


def lane_slice(time_ns, duration_ns, number, submission, copies):
    args = annotations(kind="copy" if copies else "dispatch", event_id=number, phase="load",
                       submission=submission)
    if copies:
        args += annotations(bytes=64)
    else:
        args += annotations(identity=IDENTITY, groups="8,4,1", local_size="64,1,1")
    return [begin(time_ns, LANE, "copy" if copies else "matmul", "vulkan.gpu",
                  debug_annotations=args), end(time_ns + duration_ns, LANE)]


def submission_packets(style, number):
    """A submit from 0 to 100 on one thread, a copy and a dispatch, a wait from 50 to 500 on another
    thread; a thousand later the next one."""
    at = number * 1000
    ids = [2 * number - 1, 2 * number]
    mark = stage if style == RENDER_STAGE else lane_slice
    return [
        begin(at, THREAD, "vkQueueSubmit", "vulkan", gpu_api=2, flow_ids=[number + 70],
              gpu_correlation={"render_stage_submission_event_ids": ids},
              debug_annotations=annotations(submission=number)),
        end(at + 100, THREAD),
        counter(at + 100, FLIGHT, 1),
        begin(at + 50, WAITER, "vkWaitForFences", "vulkan", gpu_api=2,
              terminating_flow_ids=[number + 70],
              gpu_correlation={"render_stage_wait_event_ids": ids}),
        end(at + 500, WAITER),
        counter(at + 500, FLIGHT, 0),
        begin(at + 200, LABELS, "load", "vulkan.label"),
        *mark(at + 200, 40 + number, ids[0], number, True),
        *mark(at + 300, 60 + number, ids[1], number, False),
        end(at + 400, LABELS),
    ]


def packets(style):
    made = head()
    made += [begin(100, THREAD, "vkCreateDevice", "vulkan"), end(200, THREAD),
             counter(200, MEMORY, 4096)]
    for number in range(1, SUBMISSIONS + 1):
        made += submission_packets(style, number)
    made.append(packet(5000, track_event={
        "type": 3, "track_uuid": LABELS, "name": "timestamps rejected: zero_stamp",
        "categories": ["vulkan.event"]}))
    made += [begin(5100, THREAD, "vkQueuePresentKHR", "vulkan"), end(5200, THREAD)]
    made.append(packet(clock_snapshot={"clocks": [{"clock_id": 3, "timestamp": START + 5300},
                                                  {"clock_id": 64, "timestamp": 17}]}))
    made.append(packet(6000, track_event={
        "type": 3, "track_uuid": PROCESS, "name": "vkmeter", "categories": ["vkmeter"],
        "debug_annotations": annotations(events=40, dropped_full=0, dropped_rate=0, dropped_size=0,
                                         short_calls=0)}))
    return made


def outcome(measured, **rejected):
    return {"recorded": measured, "executed": measured, "measured": measured, "control": 0,
            "untimed": {}, "missed": {}, "rejected": rejected}


def kernel(kind, pipeline, groups, samples):
    return {"pipeline": pipeline, "kind": kind, "groups": groups, "phase": "load",
            "samples": samples, "samples_seen": len(samples), "samples_kept": len(samples)}


def profile():
    numbers = range(1, SUBMISSIONS + 1)
    calls = {member: {"calls": 0} for member in ("build", "map", "unmap", "flush", "invalidate",
                                                 "image_copy")}
    calls |= {"create": {"calls": 1}, "submit": {"calls": SUBMISSIONS},
              "wait": {"calls": SUBMISSIONS}}
    return {
        "complete": True, "run": {"pid": PID},
        "contract": {"clock": {"max_deviation_ns": 10}},
        "devices": [{"presents": 1}],
        "pipelines": [{"id": "p0", "identity": {"hash": IDENTITY}}],
        "kernels": [kernel("copy", None, None, [40 + number for number in numbers]),
                    kernel("dispatch", "p0", [8, 4, 1], [60 + number for number in numbers])],
        "queues": [{"family": 0, "index": 0, "submissions": SUBMISSIONS}],
        "plans": [], "plans_other": None,
        "coverage": {"dispatch": outcome(SUBMISSIONS, zero_stamp=2), "copy": outcome(SUBMISSIONS),
                     "dispatch_beyond_row_cap": {"executed": 0}, "not_intercepted": {}},
        "breakdown": {"host": calls},
    }


def encode(made):
    """Packets as they stand in a file, one bytes object each."""
    encoded = []
    for each in made:
        body = wire.encode(each, "TracePacket")
        encoded.append(b"\x0a" + wire.varint(len(body)) + body)
    return encoded
