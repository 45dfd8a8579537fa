"""What must be true of a profile, for scripts/gpu-check. In: a tree, a device. Out: rows (name,
figure, whether it is true; None where there is nothing to be true). Next: the table."""

import json
import statistics

import trace_check
from gpu_run import Run

SCALES = ("scale1", "scale2", "scale4", "scale8")
SAMPLE_DISPATCHES = 9 + len(SCALES)  # of one iteration
PROBE_DISPATCHES = 8
CHAIN = 100
# How far a GPU's clock may be off between two calibrations, beyond their own deviation.
CLOCK_SLACK_NS = 100_000
UNCOUNTED = ("untimed", "missed", "rejected")
TIMES = {"SAMPLE_TIMES": "1"}
EVERY = {"SAMPLE_TIMES": "1", "CONTROL_EVERY": "0"}


def counts(name, run, expected):
    total = run.profile["coverage"]["dispatch"]
    counted = run.count["executions"]
    yield (f"{name}: executed, of the counting layer's", f"{total['executed']} of {counted}",
           total["executed"] == counted == expected)
    lost = {f"{kind}.{reason}": number for kind in UNCOUNTED
            for reason, number in total[kind].items() if number}
    yield (f"{name}: measured and control, of executed",
           f"{total['measured']} + {total['control']} of {total['executed']}"
           + "".join(f", {reason} {number}" for reason, number in lost.items()),
           total["measured"] + total["control"] == total["executed"] and not lost)


def scale_ratios(run):
    names = {pipeline["id"]: pipeline["name"] for pipeline in run.profile["pipelines"]}
    shortest = {names[kernel["pipeline"]]: kernel["duration"]["min"]
                for kernel in run.profile["kernels"] if kernel["pipeline"] is not None}
    if not set(SCALES) <= set(shortest):
        yield "times of scale1, 2, 4, 8", f"only {sorted(map(str, shortest))}", False
        return
    ratios = [shortest[name] / max(shortest["scale1"], 1) for name in SCALES]
    figure = f"{shortest['scale1'] / 1e3:.1f} us x " + " ".join(f"{each:.2f}" for each in ratios)
    yield "times of scale1, 2, 4, 8 grow", figure, ratios == sorted(set(ratios))


def slack_ns(run):
    return (run.profile["contract"]["clock"]["max_deviation_ns"] or 0) + CLOCK_SLACK_NS


def fits(name, run):
    """Durations and gaps against the host's readings around each submission."""
    submissions, executions = run.submissions(), run.executions()
    slack = slack_ns(run)
    at, outside, too_long = 0, 0, 0
    for begin, end, dispatches in submissions:
        inside = executions[at:at + dispatches]
        at += dispatches
        outside += sum(start < begin - slack or stop > end + slack for start, stop in inside)
        too_long += sum(stop - start for start, stop in inside) > end - begin
    total = sum(kernel["duration"]["sum"] for kernel in run.profile["kernels"])
    total += sum(kernel["gap_before"]["sum"] for kernel in run.profile["kernels"]
                 if kernel["gap_before"])
    wall = sum(end - begin for begin, end, _ in submissions)
    yield (f"{name}: durations + gaps, of submit to wait",
           f"{total / 1e6:.2f} of {wall / 1e6:.2f} ms", total <= wall)
    yield (f"{name}: submissions shorter than their kernels", f"{too_long} of {len(submissions)}",
           too_long == 0)
    yield (f"{name}: kernels outside their submission", f"{outside} of {len(executions)} "
           f"(to {slack / 1e3:.0f} us)", outside == 0 and at == len(executions))


def sums(run, group):
    """Of the measured durations, `group` dispatches together."""
    durations = [end - begin for begin, end in run.executions()]
    return [sum(durations[at:at + group]) for at in range(0, len(durations), group)]


def beyond(run, group):
    """How often the dispatches together are longer than the program's own timestamps around them:
    (times, of), and a rounding of each begin and end to a nanosecond is none."""
    ours, theirs = sums(run, group), run.own_ns()
    return (sum(own > whole + 2 * group for own, whole in zip(ours, theirs)),
            len(theirs) if len(ours) == len(theirs) else 0)


def own_times(run):
    times, of = beyond(run, PROBE_DISPATCHES)
    theirs = run.own_ns()
    shares = [own / whole for own, whole in zip(sums(run, PROBE_DISPATCHES), theirs) if whole > 0]
    share = statistics.median(shares) if shares else 0
    yield ("program's own time, ours within it", f"{share * 100:.1f} % of "
           f"{statistics.median(theirs or [0]) / 1e3:.1f} us, {times} of {len(theirs)} beyond",
           of > 0 and times == 0 and share > 0.5)


def clock(run):
    found = run.profile["contract"]["clock"]
    known = found["source"] == "calibrated"
    figure = (f"{found['source']}, {found['domain']}, to {found['max_deviation_ns']} ns"
              if known else f"{found['source']}")
    yield ("clock, and its calibration's deviation",
           figure + (", MISMATCH" if found["mismatch"] else ""),
           not found["mismatch"] if known else None)


def chain(tree, probe):
    """Dispatches with only state between them: the end of one is the begin of the next. The
    counting layer sees the stamps that the driver gets."""
    command = [*probe, "--lone", str(CHAIN), "--rounds", "1", "--iterations", "10"]
    own = Run(tree, command).count["stamps"]["executed"]
    run = Run(tree, command, EVERY)
    seen = run.count["stamps"]["executed"] - own
    claimed = run.profile["overhead"]["stamps_written"]
    yield (f"stamps of a chain of {CHAIN}, with the closing one", f"{seen / 10:.1f}, "
           f"{claimed / 10:.1f} by the profile", claimed == seen
           and CHAIN + 1 <= seen / 10 <= CHAIN + 2 and run.covered())


def overlap(tree, probe, rounds):
    """Two independent dispatches beside one. A device need not overlap them; the durations must fit
    into the program's own time even so, and `isolated` must keep them apart."""
    def command(lone):
        return [*probe, "--lone", str(lone), "--rounds", rounds, "--iterations", "40"]
    isolated = {**EVERY, "MODE": "isolated"}
    middle = statistics.median
    bare = middle(Run(tree, command(2)).own_ns()) / middle(Run(tree, command(1)).own_ns())
    yield ("two independent dispatches, bare", f"take x {bare:.2f} of one: "
           + ("they overlap" if bare < 1.5 else "no overlap on this device"), None)
    one, two = Run(tree, command(1), EVERY), Run(tree, command(2), EVERY)
    ratio = middle(two.own_ns()) / middle(one.own_ns())
    times, of = beyond(two, 2)
    whole = middle(sums(two, 2)) / max(middle(sums(one, 1)), 1)
    lost = ", overlap LOST by the stamps" if bare < 1.5 <= ratio else ""
    yield ("two independent dispatches, inline", f"take x {ratio:.2f}, durations sum to x "
           f"{whole:.2f}{lost}", times == 0 and of > 0)
    one, two = Run(tree, command(1), isolated), Run(tree, command(2), isolated)
    whole = middle(sums(two, 2)) / max(middle(sums(one, 1)), 1)
    yield "two independent dispatches, isolated", f"durations sum to x {whole:.2f}", whole > 1.5


def driver_statistics(run):
    pipelines = [each for each in run.profile["pipelines"] if each["kind"] == "compute"]
    told = [each for each in pipelines if each["executables"]]
    if not told:
        reason = pipelines[0].get("executables_reason", "none") if pipelines else "no pipeline"
        yield "driver statistics", reason, None
        return
    names = [[found["name"] for executable in each["executables"]
              for found in executable["statistics"]] for each in told]
    yield ("driver statistics of pipelines", f"{len(told)} of {len(pipelines)}, "
           f"{min(map(len, names))} to {max(map(len, names))} each: {', '.join(names[0][:3])}...",
           len(told) == len(pipelines) and all(each and all(each) for each in names))


def traces(tree, sample):
    for style in ("render-stage", "track-event"):
        run = Run(tree, sample, {"TRACE": "%folder/trace", "TRACE_STYLE": style})
        checked = trace_check.check(run.trace or b"", [run.profile], slack_ns=slack_ns(run))
        faults = f", {len(checked.faults)} faults: {checked.faults[0]}" if checked.faults else ""
        yield (f"trace as {style}, against the profile", f"{len(checked.marks)} timed, "
               f"{len(checked.calls)} calls, {checked.dropped()} dropped{faults}",
               not checked.faults and len(checked.marks) > 0)


def attribution(tree, device):
    done = tree.execute([tree.program("vkmeter"), "doctor", "--selftest", "-q", "-o", "json"])
    try:
        drivers = json.loads(done.stdout)["drivers"]
    except ValueError:
        yield "attribution self-test", done.stderr.strip()[-80:], False
        return
    tests = [each["selftest"] for driver in drivers for each in driver["devices"]
             if each["name"] == device]
    if not tests or tests[0] is None:
        yield "attribution self-test", "not run on this device", False
        return
    test = tests[0]
    yield ("attribution self-test: heavy, light, nothing", f"{test['attribution']}, "
           + ", ".join(f"{(test[name] or 0) / 1e3:.1f}" for name in
                       ("heavy_ns", "light_ns", "nothing_ns")) + " us", test["good"])
    yield ("attribution self-test: reversed, outside, disordered",
           f"{test['neighbours_reversed']} of {test['neighbours']}, {test['stamps_outside']} and "
           f"{test['stamps_disordered']} of {test['stamps_placed']}, results wrong "
           f"{test['results_wrong']} of {test['results']}",
           test["results_wrong"] == test["stamps_outside"] == test["stamps_disordered"] == 0)


def rows(tree, device, software):
    # On a GPU enough groups that even scale1 fills it; a CPU works on few of them long enough.
    work, iterations = ("8", 20) if software else ("8000", 100)
    rounds = "2000" if software else "20000"
    count = str(iterations)
    sample = [tree.program("vkmeter_sample"), "--device", device, "--iterations", count]
    probe = [tree.program("gpu_probe"), "--device", device]
    run = Run(tree, [*sample, "--work", work], TIMES)
    yield ("sample: results", "OK" if "results OK" in run.output else "wrong",
           "results OK" in run.output)
    yield from clock(run)
    yield from counts("sample", run, SAMPLE_DISPATCHES * iterations)
    yield from scale_ratios(run)
    yield from fits("sample", run)
    again = Run(tree, [*sample, "--resubmit"], TIMES)
    yield from counts("one recording again", again,
                      (SAMPLE_DISPATCHES - len(SCALES)) * iterations)
    own = Run(tree, [*probe, "--iterations", count, "--rounds", rounds], TIMES)
    yield from counts("probe", own, PROBE_DISPATCHES * iterations)
    yield from own_times(own)
    yield from fits("probe", own)
    yield from attribution(tree, device)
    yield from overlap(tree, probe, rounds)
    yield from chain(tree, probe)
    yield from driver_statistics(run)
    yield from traces(tree, sample)
