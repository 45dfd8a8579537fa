"""Compares what the counting layer saw with what the profile says. In: the JSON documents of one
run. Out: a list of faults in words. Nothing comes after."""

import collections
import json

REASON_CLASSES = ("untimed", "missed", "rejected")


def read_all(folder, pattern):
    """The documents of a run, by process id."""
    documents = {}
    for path in sorted(folder.glob(pattern)):
        document = json.loads(path.read_text(encoding="utf-8"))
        pid = document["pid"] if "pid" in document else document["run"]["pid"]
        documents[pid] = document
    return documents


def executions(counts):
    return sum(document["executions"] for document in counts.values())


def tally(counts):
    """Executions of all processes together, by everything that the counting layer tells apart."""
    rows = collections.Counter()
    for document in counts.values():
        for row in document["rows"]:
            if row["executed"]:
                key = (row["spirv"], row["entry"], json.dumps(row["specialization"]), row["kind"],
                       str(row["groups"]), str(row["base"]))
                rows[key] += row["executed"]
    return rows


def used_constants(profile):
    """By code and entry point, the constants that the profile says the code uses, with their size.
    What a program gives beyond them does not make another kernel."""
    used = collections.defaultdict(dict)
    for pipeline in profile["pipelines"]:
        key = (pipeline["identity"]["spirv_hash"], pipeline["entry_point"])
        for constant, value in (pipeline["specialization"] or {}).items():
            used[key][int(constant)] = value["size_bytes"]
    return used


def given_constants(row, used):
    values = []
    for constant, size in sorted(used.items()):
        given = row["specialization"].get(str(constant))
        if given is not None:
            value = int.from_bytes(bytes.fromhex(given), "little")
            values.append((constant, value & ((1 << 8 * size) - 1)))
    return tuple(values)


def place(kind, groups, base):
    if kind == "dispatch_indirect":
        return (kind, None, None)
    return (kind, tuple(groups), tuple(base))


def counted_rows(count, used):
    rows = collections.Counter()
    for row in count["rows"]:
        if row["executed"]:
            code = (row["spirv"], row["entry"] or None)
            constants = given_constants(row, used.get(code, {}))
            rows[(*code, constants, *place(row["kind"], row["groups"], row["base"]))] += row[
                "executed"]
    return rows


def profiled_rows(profile):
    pipelines = {pipeline["id"]: pipeline for pipeline in profile["pipelines"]}
    rows = collections.Counter()
    for kernel in profile["kernels"]:
        if not kernel["kind"].startswith("dispatch"):
            continue  # the counting layer counts dispatches
        pipeline = pipelines.get(kernel["pipeline"])
        code, constants = (None, None), ()
        if pipeline is not None:
            code = (pipeline["identity"]["spirv_hash"], pipeline["entry_point"])
            constants = tuple(sorted((int(constant), int(value["bits"], 16)) for constant, value
                                     in (pipeline["specialization"] or {}).items()))
        if kernel["executions"]:
            rows[(*code, constants,
                  *place(kernel["kind"], kernel["groups"], kernel["base"]))] += kernel["executions"]
    return rows


def reasons(outcomes):
    """Every execution that was measured neither by itself nor in a control span, by reason."""
    found = collections.Counter()
    for name in REASON_CLASSES:
        for reason, number in outcomes[name].items():
            if number:
                found[f"{name}.{reason}"] += number
    return found


def row_faults(counted, profiled):
    for key in sorted(set(counted) | set(profiled), key=str):
        if counted[key] != profiled[key]:
            code, entry, constants, kind, groups, base = key
            yield (f"{kind} {groups} base {base} of {code} {entry} {dict(constants)}: counted "
                   f"{counted[key]}, profile has {profiled[key]}")


def total_faults(count, profile):
    total = profile["coverage"]["dispatch"]
    if total["executed"] != count["executions"]:
        yield f"coverage says {total['executed']} executed, counted {count['executions']}"
    in_kernels = sum(kernel["executions"] for kernel in profile["kernels"]
                     if kernel["kind"].startswith("dispatch"))
    beyond = profile["coverage"]["dispatch_beyond_row_cap"]["executed"]
    if in_kernels + beyond != total["executed"]:
        yield f"kernels sum to {in_kernels} + {beyond}, coverage says {total['executed']}"
    buffers = sum(queue["command_buffers"] for queue in profile["queues"])
    if buffers != count["submissions"]["command_buffers"]:
        yield (f"queues say {buffers} command buffers, counted "
               f"{count['submissions']['command_buffers']}")
    if len(profile["devices"]) + profile["devices_dropped"] != count["devices"]["created"]:
        yield f"{len(profile['devices'])} devices, counted {count['devices']['created']}"


def measured_faults(profile, may_miss):
    missed = collections.Counter()
    for kernel in profile["kernels"]:
        missed += reasons(kernel)
    missed += reasons(profile["coverage"]["dispatch_beyond_row_cap"])
    for reason, number in missed.items():
        if reason not in may_miss:
            yield f"{number} executions are not measured: {reason}"
    for kernel in profile["kernels"]:
        if kernel["measured"] and any(sample < 0 for sample in kernel["samples"]):
            yield f"{kernel['pipeline']} has a negative duration"


def process_faults(count, profile, may_miss):
    if not profile["complete"] or profile["end_reason"] not in ("exit", "device_destroyed"):
        yield f"the profile is not complete (end_reason {profile['end_reason']})"
    yield from row_faults(counted_rows(count, used_constants(profile)), profiled_rows(profile))
    yield from total_faults(count, profile)
    yield from measured_faults(profile, may_miss)


def run_faults(counts, profiles, may_miss):
    """All faults of one run, process by process."""
    for pid, count in counts.items():
        if count["devices"]["created"] == 0:
            if pid in profiles:
                yield f"process {pid} made no device and has a profile"
        elif pid not in profiles:
            yield f"process {pid} executed {count['executions']} dispatches and has no profile"
        else:
            yield from process_faults(count, profiles[pid], may_miss)
    for pid in profiles:
        if pid not in counts:
            yield f"process {pid} has a profile and was not counted"
