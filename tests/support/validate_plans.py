"""Cross checks of the section plans: what it says agrees with itself and with the kernels."""

from fractions import Fraction

# A value rounded to an integer, of doubles that are off by a few units in the last place.
ROUNDING = Fraction(1, 2) + Fraction(1, 10**6)


def quantile(ordered, q):
    position = (len(ordered) - 1) * q
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])


def ratio_faults(holder, where):
    low, middle, high = (holder[f"instrumentation_ratio{end}"] for end in ("_low", "", "_high"))
    if (middle is None) != (holder["control_pairs"] == 0):
        yield f"{where}: the ratio is null exactly without control pairs, which it is not"
    if (low is None) != (holder["control_pairs"] < 6):
        yield f"{where}: the interval is there exactly from 6 control pairs on, which it is not"
    if low is not None and not low <= middle <= high:
        yield f"{where}: the ratio {middle} lies outside its interval {low} to {high}"


def span_faults(span, where):
    ladder = [span[name] for name in ("min", "p25", "median", "p75", "max")]
    if ladder != sorted(ladder):
        yield f"{where}: min, quartiles and max are not in order"
    if not span["min"] * span["count"] <= span["sum"] <= span["max"] * span["count"]:
        yield f"{where}: the sum is none of {span['count']} spans between min and max"


def mark_faults(mark, plan, profile, where):
    for index in mark["kernels"]:
        if index >= len(profile["kernels"]):
            yield f"{where}: there is no kernel {index}"
        elif profile["kernels"][index]["device"] != plan["device"]:
            yield f"{where}: kernel {index} belongs to another device"
    if mark["samples_seen"] > plan["measured"] and profile["complete"]:
        yield f"{where}: more samples than measured executions of the plan"
    if len(mark["samples"]) > mark["samples_seen"]:
        yield f"{where}: more samples kept than seen"
    ordered = sorted(mark["samples"])
    for name, q in (("p25", Fraction(1, 4)), ("median", Fraction(1, 2)), ("p75", Fraction(3, 4))):
        if (mark[name] is None) != (not ordered):
            yield f"{where}.{name}: null exactly without samples, which it is not"
        elif ordered and abs(mark[name] - quantile(ordered, q)) > ROUNDING:
            yield f"{where}.{name} is {mark[name]}, its samples say {float(quantile(ordered, q))}"


def group_faults(groups, plan, where):
    if groups is None or not groups:
        return
    shares = [group["share_percent"] for group in groups]
    if None not in shares and round(sum(shares) * 100) != 10000:
        yield f"{where}: shares add to {sum(shares)}"
    medians = [mark["median"] for mark in plan["marks"] if mark["median"] is not None]
    if sum(group["sum_of_medians_ns"] for group in groups) != sum(medians):
        yield f"{where}: the sums of medians are not that of the marks"
    if sum(group["commands"] for group in groups) != len(medians):
        yield f"{where}: not each measured command is in one group"


def plan_faults(plan, profile, where):
    counted = plan["measured"] + plan["control_measured"]
    if counted > plan["executions"]:
        yield f"{where}: {counted} measured executions of {plan['executions']}"
    yield from ratio_faults(plan, where)
    for name, count in (("instrumented", "measured"), ("control", "control_measured")):
        span = plan["span"][name]
        if span is not None:
            yield from span_faults(span, f"{where}.span.{name}")
            if span["count"] > plan[count]:
                yield f"{where}.span.{name}: more spans than executions"
    windowed = sum(window["executions"] for window in plan["windows"]) + plan["windows_beyond"]
    if windowed > plan["measured"]:
        yield f"{where}.windows: more executions of windows than measured ones"
    for window in plan["windows"]:
        if window["first"] + window["count"] > plan["commands"]:
            yield f"{where}.windows: one reaches beyond the {plan['commands']} commands"
    for member in ("families", "phases"):
        yield from group_faults(plan[member], plan, f"{where}.{member}")
    if plan["marks"] is not None and len(plan["marks"]) != plan["commands"]:
        yield f"{where}: {len(plan['marks'])} marks, {plan['commands']} commands"
    for index, mark in enumerate(plan["marks"] or ()):
        yield from mark_faults(mark, plan, profile, f"{where}.marks[{index}]")


def faults(profile):
    signatures = set()
    seen = [0] * len(profile["kernels"])
    for index, plan in enumerate(profile["plans"]):
        where = f".plans[{index}]"
        if plan["device"] >= len(profile["devices"]):
            yield f"{where}: there is no device {plan['device']}"
        if (plan["device"], plan["signature"]) in signatures:
            yield f"{where}: the signature came before"
        signatures.add((plan["device"], plan["signature"]))
        yield from plan_faults(plan, profile, where)
        for mark in plan["marks"] or ():
            if len(mark["kernels"]) == 1 and not mark["kernels_beyond"]:
                seen[mark["kernels"][0]] += mark["samples_seen"]
    for index, count in enumerate(seen):
        if profile["complete"] and count > profile["kernels"][index]["measured"]:
            yield f".plans: {count} samples of kernel {index}, which was measured less often"
    yield from ratio_faults(profile["overhead"], ".overhead")
    pairs = sum(plan["control_pairs"] for plan in profile["plans"])
    if pairs != profile["overhead"]["control_pairs"]:
        yield f".overhead: {profile['overhead']['control_pairs']} control pairs, plans have {pairs}"
