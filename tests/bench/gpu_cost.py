"""What profiling costs on a device, for scripts/gpu-check: each mode beside bare runs, in turns.
In: a tree, a device. Out: rows (name, figure, whether all of its runs were counted right): what a
mode may cost is for people to judge. Next: the table."""

import statistics
import time

from gpu_run import Run

# Without control recordings: the mode alone. Tracing goes with `inline`.
MODES = {
    "submit": {"MODE": "submit", "CONTROL_EVERY": "0"},
    "inline": {"MODE": "inline", "CONTROL_EVERY": "0"},
    "isolated": {"MODE": "isolated", "CONTROL_EVERY": "0"},
    "tracing": {"MODE": "inline", "CONTROL_EVERY": "0", "TRACE": "%folder/trace"},
}
LEAST_ROUNDS = 2


def times_of(run):
    """([submit to wait], [from one submit to the next]) in ns. The latter has recording and the
    layer's own work in it."""
    submissions = run.submissions()
    return ([end - begin for begin, end, _ in submissions],
            [right[0] - left[0] for left, right in zip(submissions, submissions[1:])])


def ratio_of(times, bares):
    """Each submission against the same one of the bare runs, and the median of that: submissions
    differ from each other, and some have a pause in them."""
    return [statistics.median(own * len(bare) / max(sum(bare), 1)
                              for own, bare in zip(times[i], zip(*(each[i] for each in bares))))
            for i in (0, 1)]


def spread(ratios):
    """Median and both ends; there are too few for anything finer."""
    return f"x {statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})"


def both(ratios):
    return ", a cycle ".join(spread([ratio[i] for ratio in ratios]) for i in (0, 1))


def measure(tree, name, command, rounds, deadline):
    """Bare, mode, bare, mode, ...: each mode against the runs around it."""
    ratios, right, bares, noise = {mode: [] for mode in MODES}, dict.fromkeys(MODES, True), [], []
    for number in range(rounds):
        if number >= LEAST_ROUNDS and time.monotonic() > deadline:
            break
        bares.append(times_of(Run(tree, command)))
        for mode, settings in MODES.items():
            run = Run(tree, command, settings)
            bares.append(times_of(Run(tree, command)))
            ratios[mode].append(ratio_of(times_of(run), bares[-2:]))
            noise.append(ratio_of(bares[-1], bares[-2:-1]))
            right[mode] = right[mode] and run.covered()
    middle = [statistics.median(statistics.median(each[i]) for each in bares) / 1e3 for i in (0, 1)]
    yield (f"{name}, bare against bare", f"{both(noise)}; {middle[0]:.0f} and {middle[1]:.0f} us",
           None)
    for mode in MODES:
        yield f"{name}, {mode}", both(ratios[mode]), right[mode]


def claim(tree, command, rounds):
    """What the profile says itself, against the program's own timestamps."""
    def own(settings):
        return statistics.median(Run(tree, command, settings).own_ns())
    ratios = [own(MODES["inline"]) / own(MODES["submit"]) for _ in range(rounds)]
    claimed = Run(tree, command, {}).profile["overhead"]["instrumentation_ratio"]
    figure = f"x {claimed:.3f}" if claimed is not None else "unknown"
    yield ("instrumentation ratio of the profile, and measured", f"{figure}, {spread(ratios)}",
           None)


def overhead(tree, command):
    done = Run(tree, command, {}).profile["overhead"]
    yield ("stamps a dispatch, of the sample",
           f"{done['stamps_written'] / max(done['marks_recorded'], 1):.2f}", None)
    yield ("host time a submission, a read", f"{done['submit_ns'] / max(done['submits'], 1):.0f} "
           f"and {done['collect_ns'] / max(done['collects'], 1):.0f} ns", None)


def rows(tree, device, rounds, deadline):
    count = "40" if rounds > 1 else "10"
    chosen = ["--device", device]
    sample = [tree.program("vkmeter_sample"), *chosen, "--iterations", count]
    tiny = [tree.program("gpu_probe"), *chosen, "--lone", "1000", "--rounds", "1",
            "--iterations", count]
    yield from measure(tree, "sample", sample, rounds, deadline)
    yield from measure(tree, "tiny dispatches", tiny, rounds, deadline)
    if (tree.root / "bin/vkmeter_vkfft").exists():
        vkfft = [tree.program("vkmeter_vkfft"), *chosen]
        yield from measure(tree, "VkFFT", vkfft, rounds, deadline)
    yield from claim(tree, [*tiny, "--iterations", "120"], min(rounds, 3))
    yield from overhead(tree, sample)
