"""Cross checks of the section breakdown and of the memory of devices: they agree with themselves,
with the kernels and with the queues."""

MOVES = {"copy", "fill", "update", "blit", "clear", "resolve"}
DIRECTIONS = ("unknown", "h2d", "d2h", "d2d", "h2h", "fill")


def memory_faults(memory, where):
    for number, heap in enumerate(memory["heaps"]):
        if heap["peak_bytes"] is not None and heap["allocated_bytes"] > heap["peak_bytes"]:
            yield f"{where}.heaps[{number}]: more allocated than at the peak"
        if (heap["budget_bytes"] is None) != (heap["usage_bytes"] is None):
            yield f"{where}.heaps[{number}]: budget and usage are known together"
    for live, peak in (("allocations", "allocations_peak"), ("mapped_bytes", "mapped_peak_bytes"),
                       ("imported_bytes", "imported_peak_bytes"),
                       ("mapped_device_local_bytes", "mapped_device_local_peak_bytes"),
                       ("persistent_mapped_bytes", "mapped_device_local_peak_bytes")):
        if memory[live] is not None and memory[live] > memory[peak]:
            yield f"{where}: {live} exceeds {peak}"


def row_faults(row, where):
    moves = row["kind"] in MOVES
    if moves != ("direction" in row) or moves != ("bytes" in row):
        yield f"{where}: direction and bytes are there exactly for what moves bytes"
    elif moves and row["bytes"] is not None:
        if row["bytes"]["in"] != (0 if row["direction"] == "fill" else row["bytes"]["out"]):
            yield f"{where}: in and out do not fit the direction"


def move_faults(breakdown, kernels):
    for direction in DIRECTIONS:
        move = breakdown["transfer"][direction]
        where = f".breakdown.transfer.{direction}"
        rows = [row for row in kernels if row.get("direction") == direction]
        known = [row for row in rows if row["bytes"] is not None]
        sums = {"executions": sum(row["executions"] for row in rows),
                "measured": sum(row["measured"] for row in rows),
                "bytes_unknown": sum(row["executions"] for row in rows if row["bytes"] is None),
                "shared_memory_bytes": sum(row["bytes"]["out"] for row in known
                                           if row["shared_memory"])}
        if move["bytes"] is not None:
            sums["bytes"] = sum(row["bytes"]["out"] for row in known)
        if move["duration_ns"] is not None:
            sums["duration_ns"] = sum(row["duration"]["sum"] for row in rows if row["duration"])
        for name, value in sums.items():
            if move[name] != value:
                yield f"{where}.{name} is {move[name]}, the kernels say {value}"


def device_faults(times, profile, where):
    queues = [queue for queue in profile["queues"]
              if queue["device"] == times["device"] and queue["busy_ns"] is not None]
    if times["device"] >= len(profile["devices"]):
        yield f"{where}: there is no device {times['device']}"
    submits = sum(bucket["submits"] for bucket in times["dispatches_per_submit"])
    all_submits = sum(queue["submissions"] for queue in profile["queues"]
                      if queue["device"] == times["device"])
    if submits > all_submits:
        yield f"{where}: {submits} submits by dispatches, {all_submits} in queues"
    if times["busy_ns"] is None:
        return
    parts = times["run_ns"] + times["transfer_ns"] + times["unsplit_ns"] - times["overlap_ns"]
    if parts != times["busy_ns"]:
        yield f"{where}: busy_ns is {times['busy_ns']}, its parts give {parts}"
    longest = max((queue["busy_ns"] for queue in queues), default=0)
    most = sum(queue["busy_ns"] for queue in queues)
    if len(queues) == 1 and times["busy_ns"] != most:
        yield f"{where}: busy_ns is {times['busy_ns']}, that of its one queue {most}"
    if len(queues) > 1 and not longest * 0.99 <= times["busy_ns"] <= most * 1.01:
        yield f"{where}: busy_ns {times['busy_ns']} is no union of {longest} and more, {most}"


def faults(profile):
    breakdown = profile["breakdown"]
    for number, device in enumerate(profile["devices"]):
        yield from memory_faults(device["memory"], f".devices[{number}].memory")
    for number, row in enumerate(profile["kernels"]):
        yield from row_faults(row, f".kernels[{number}]")
    yield from move_faults(breakdown, profile["kernels"])
    for number, times in enumerate(breakdown["devices"]):
        yield from device_faults(times, profile, f".breakdown.devices[{number}]")
    for name, activity in breakdown["host"].items():
        if name != "any_ns" and activity["ns"] > breakdown["host"]["any_ns"]:
            yield f".breakdown.host.{name}: longer than any_ns"
    if breakdown["host"]["any_ns"] > breakdown["wall_ns"]:
        yield ".breakdown: wall_ns is less than host.any_ns"
    if breakdown["unaccounted_ns"] is not None:
        least = breakdown["wall_ns"] - breakdown["host"]["any_ns"] - breakdown["executing_ns"]
        if not least <= breakdown["unaccounted_ns"] <= breakdown["wall_ns"]:
            yield f".breakdown: unaccounted_ns is less than {least}, or more than wall_ns"
    hitches = breakdown["hitches"]
    worst = [hitch["ns"] for hitch in hitches["worst"]]
    if worst != sorted(worst, reverse=True) or sum(worst) > hitches["ns"]:
        yield ".breakdown.hitches: the worst are in no order, or longer than all together"
    known = {pipeline["id"] for pipeline in profile["pipelines"]}
    for hitch in hitches["worst"]:
        if hitch["pipeline"] is not None and hitch["pipeline"] not in known:
            yield f".breakdown.hitches: there is no pipeline {hitch['pipeline']}"
