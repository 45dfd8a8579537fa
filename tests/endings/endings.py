"""The ways to end, and what must be kept. In: nothing. Out: cases. Next: check_endings runs
them."""

import pathlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field

from ending_run import TESTS, Skip, need_root_mounts

sys.path.insert(0, str(TESTS / "trace"))
import trace_check  # noqa: E402

NOTHING, KEPT = "nothing", "kept"


@dataclass
class Case:
    """`files`: how many documents; `reason` and `complete` of all of them; `executed`: in each,
    sorted; None: judged by the case itself; `status`: of the process."""

    name: str
    run: object
    items: tuple
    files: int = 1
    complete: bool = True
    reason: str = "exit"
    executed: tuple = None
    status: int = 0
    drivers: tuple = ("fake",)
    data: dict = field(default_factory=dict)

    def runs_on(self, driver):
        return driver == "fake" or driver in self.drivers


def judge(case, outcome, driver):
    """What is not as the case says."""
    faults = []
    if outcome.status != case.status:
        faults.append(f"status {outcome.status}, expected {case.status}: {outcome.error[-300:]}")
    if len(outcome.profiles) != case.files:
        faults.append(f"{len(outcome.profiles)} documents, expected {case.files}: {outcome.files}")
    for profile in outcome.profiles:
        if (profile["complete"], profile["end_reason"]) != (case.complete, case.reason):
            faults.append(f"complete {profile['complete']}, end_reason {profile['end_reason']}; "
                          f"expected {case.complete}, {case.reason}")
    leftover = [name for name in outcome.files if not name.endswith(".json")]
    if leftover:
        faults.append(f"left behind: {leftover}")
    dispatches = [profile["coverage"]["dispatch"] for profile in outcome.profiles]
    executed = tuple(sorted(each["executed"] for each in dispatches))
    if case.executed is not None and executed != case.executed:
        faults.append(f"executed {executed}, expected {case.executed}")
    # Threads that submit during the end may have something outstanding.
    still = case.data.get("check") is not all_submitted
    complete = all(each["measured"] + each["control"] == each["executed"] for each in dispatches)
    if still and driver == "fake" and not complete:
        faults.append("not everything is measured")
    return faults


def way(runner, case):
    """ender, without the layer and with it: the same status and output, and silence."""
    name, *options = case.data.get("arguments", (case.name,))
    command = [runner.program("ender"), name, *options]
    extra = case.data.get("environment", {})
    bare = runner.run_bare(command, extra)
    layered = runner.run_layered(command, extra, case.data.get("output", "profile-%p.json"))
    steady = case.data.get("steady", True)
    if bare.status != case.status:
        layered.faults.append(f"without the layer: status {bare.status} {bare.error[-300:]}")
    if steady and layered.output != bare.output:
        layered.faults.append(f"other output: {layered.output}, alone {bare.output}")
    if not case.data.get("loud") and layered.error != bare.error:
        layered.faults.append(f"says {layered.error!r}, alone {bare.error!r}")
    if case.data.get("check"):
        layered.faults += case.data["check"](layered)
    return layered


def all_submitted(outcome):
    """Other threads go on: at least what was submitted before the end began."""
    said = [int(number) for number in re.findall(r"^dispatches (\d+)", "\n".join(outcome.output),
                                                 re.MULTILINE)]
    executed = sum(each["coverage"]["dispatch"]["executed"] for each in outcome.profiles)
    if executed < sum(said):
        yield f"executed {executed}, the program had submitted {said}"


def silent_driver(outcome):
    """After its exit handler the layer calls nothing of the driver by itself."""
    if "reads after exit 0" not in outcome.output:
        yield f"the layer went on reading after its exit handler: {outcome.output}"


def says_why(outcome):
    lines = outcome.error.splitlines()
    if len(lines) != 1 or not lines[0].startswith("vkmeter: cannot write profile"):
        yield f"expected one line on stderr, there is {outcome.error!r}"


def unload(runner, case):
    plugin = runner.program("libunloader_plugin.so")
    command = [runner.program("unloader"), plugin, case.data["way"]]
    bare = runner.run_bare(command)
    outcome = runner.run_layered(command)
    if outcome.output != bare.output or outcome.error:
        outcome.faults.append(f"{outcome.output} {outcome.error}, alone {bare.output}")
    if outcome.output.count("loader gone") != 2:
        outcome.faults.append(f"the loader was not unloaded: {outcome.output}")
    return outcome


def comma_locale(runner, case):
    """A locale that writes 0,5, made here; German is not on every machine."""
    if shutil.which("localedef") is None:
        raise Skip("localedef is not installed (libc-bin)")
    folder = runner.new_folder()
    done = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", folder / "de_DE.UTF-8"],
                          capture_output=True, text=True, check=False)
    if not (folder / "de_DE.UTF-8").exists():
        raise Skip(f"localedef makes no locale: {done.stderr.strip()[:100]}")
    case.data["environment"] = {"LOCPATH": str(folder), "LC_ALL": "de_DE.UTF-8"}
    return way(runner, case)


def placeholders(runner, case):
    """%e %p %h %r %t, tags, the sequence, and a setting that nobody knows."""
    folder = runner.new_folder()
    extra = {"OMPI_COMM_WORLD_RANK": "7", "VKMETER_TAGS": "commit=abc,note=a\\,b",
             "VKMETER_SPEED": "fast", "VKMETER_SAMPLES": "none", "VKMETER_SEQUENCE": "41"}
    outcome = runner.run([runner.program("ender"), "return"], folder,
                         runner.layer_environment(folder / "%e_%p_%h_%r_%t_%%.json") | extra)
    if outcome.profiles:
        run = outcome.profiles[0]["run"]
        host = pathlib.Path("/proc/sys/kernel/hostname").read_text(encoding="utf-8").strip()
        name = f"ender_{run['pid']}_{host}_7_{run['started_unix_ns'] // 10**9}_%.json"
        if outcome.files != [name]:
            outcome.faults.append(f"files {outcome.files}, expected {name}")
        if run["tags"] != {"commit": "abc", "note": "a,b"}:
            outcome.faults.append(f"tags {run['tags']}")
        if run["sequence"] != 41:
            outcome.faults.append(f"sequence {run['sequence']}")
        rejected = str(run["settings_rejected"])
        if "SPEED" not in rejected or "SAMPLES" not in rejected:
            outcome.faults.append(f"rejected settings {rejected}")
    return outcome


def relative(runner, case):
    """A relative path means the folder in which the program started."""
    folder = runner.new_folder()
    return runner.run([runner.program("ender"), "chdir"], folder,
                      runner.layer_environment("here-%p.json"))


def eight(runner, case):
    """Eight processes of one run and one path without %p."""
    folder = runner.new_folder()
    ender = runner.program("ender")
    script = f"for i in 1 2 3 4 5 6 7 8; do '{ender}' exit & done; wait"
    outcome = runner.run([runner.program("vkmeter"), "run", "-p", folder / "one.json", "--", "sh",
                          "-c", script], folder, {})
    if len({profile["run"]["pid"] for profile in outcome.profiles}) != 8:
        outcome.faults.append("not eight processes")
    return outcome


def other_name(runner, case):
    """Two programs, one after the other and one below the other; only one name is profiled."""
    folder = runner.new_folder()
    ender, other = runner.program("ender"), runner.new_folder() / "other"
    shutil.copy2(ender, other)
    script = f"'{other}' return && '{ender}' return && '{other}' system"
    outcome = runner.run([runner.program("vkmeter"), "run", "-p", folder / "%p.json", "--", "sh",
                          "-c", script], folder, {"VKMETER_PROCESS": "node,end*"})
    if not re.fullmatch(r"vkmeter: note: wrote '\S+': 5 of 5 dispatches timed; see vkmeter report",
                        outcome.error):
        outcome.faults.append(f"said: {outcome.error}")
    return outcome


def ranks(runner, case):
    """Three ranks, each with a run of its own, one after the other, and one path."""
    folder = runner.new_folder()
    vkmeter, ender = runner.program("vkmeter"), runner.program("ender")
    script = (f"for i in 0 1 2; do PMI_RANK=$i '{vkmeter}' run -p '{folder}/one.json' '{ender}' "
              "return; done")
    outcome = runner.run(["sh", "-c", script], folder, {})
    if outcome.files != ["one-r1.json", "one-r2.json", "one.json"]:
        outcome.faults.append(f"files {outcome.files}")
    if outcome.error.count("note: wrote") != 3:
        outcome.faults.append(f"said: {outcome.error}")
    return outcome


def in_tmpfs(runner, case, prepare):
    """Runs ender with the output in a small file system, prepared by a line of shell; what is in it
    afterwards is copied out."""
    folder, kept = runner.new_folder(), runner.new_folder()
    need_root_mounts(folder)
    script = (f"mount -t tmpfs -o size=64k none '{folder}' && cd '{folder}' && {prepare} && "
              f"'{runner.program('ender')}' return; status=$?; cp -a '{folder}/.' '{kept}'; "
              "exit $status")
    outcome = runner.run(["unshare", "-m", "sh", "-c", script], kept,
                         runner.layer_environment(folder / "profile.json"))
    outcome.faults += says_why(outcome)
    return outcome


def disk_full(runner, case):
    outcome = in_tmpfs(runner, case, "echo '{}' >profile.json && (cat /dev/zero >filler.json "
                                     "2>/dev/null; true)")
    if outcome.files != ["filler.json", "profile.json"]:
        outcome.faults.append(f"files {outcome.files}: the previous file alone was to stay")
    outcome.faults = [fault for fault in outcome.faults
                      if not fault.startswith(("not valid", "filler"))]
    outcome.profiles = [each for each in outcome.profiles if each]
    outcome.files = []
    return outcome


def read_only(runner, case):
    return in_tmpfs(runner, case, f"mount -o remount,ro .")


def missing_folder(runner, case):
    """The last folder of a path may be missing, the ones before it may not."""
    outcome = runner.run_layered([runner.program("ender"), "return"], None, "a/b/c/profile.json")
    outcome.faults += says_why(outcome)
    return outcome


def elevated(runner, case):
    """A program that runs with another group's rights, on manifests that the system has."""
    folder, binaries = runner.new_folder(), runner.new_folder()
    need_root_mounts(folder)
    program = binaries / "ender"
    shutil.copy(runner.program("ender"), program)
    shutil.chown(program, group=65534)
    program.chmod(0o2755)
    layers = runner.build / "share/vulkan/implicit_layer.d"
    script = (f"mount --bind '{layers}' /usr/share/vulkan/implicit_layer.d && "
              f"mount --bind '{runner.build / 'tests/fake_driver'}' /usr/share/vulkan/icd.d && "
              f"exec '{program}' elevated")
    outcome = runner.run(["unshare", "-m", "sh", "-c", script], folder,
                         runner.layer_environment(folder / "profile-%p.json"))
    if "elevated 0, layer loaded" in outcome.output:
        raise Skip("this file system gives no program another group's rights")
    if "elevated 1, layer loaded" not in outcome.output or outcome.error:
        outcome.faults.append(f"{outcome.output} {outcome.error}")
    return outcome


def traced(runner, case):
    """ender with a trace beside the profile: every process that had a device leaves one, and it can
    be read to its last whole packet."""
    folder = runner.new_folder()
    words = case.data.get("arguments", (case.name.removesuffix(", trace"),))
    command = [runner.program("ender"), *words]
    bare = runner.run_bare(command)
    outcome = runner.run(command, folder, runner.layer_environment(folder / "profile-%p.json")
                         | {"VKMETER_TRACE": str(folder / "trace-%p.pftrace")})
    if outcome.output != bare.output and case.data.get("steady", True):
        outcome.faults.append(f"other output: {outcome.output}, alone {bare.output}")
    if outcome.error != bare.error:
        outcome.faults.append(f"says {outcome.error!r}, alone {bare.error!r}")
    traces = sorted(folder.glob("trace-*.pftrace"))
    outcome.files = [name for name in outcome.files if not name.endswith(".pftrace")]
    if len(traces) != case.data.get("traces", 1):
        outcome.faults.append(f"{len(traces)} traces")
    profiles = {profile["run"]["pid"]: profile for profile in outcome.profiles}
    for path in traces:
        profile = profiles.get(int(path.stem.removeprefix("trace-")))
        outcome.faults += trace_faults(path, profile, case)
    return outcome


def trace_faults(path, profile, case):
    """A whole trace fits its profile; where nobody could end it, there are no counts."""
    whole = case.data.get("whole", True)
    slack_ns = 10**10  # the scripted device has a time of its own
    checked = trace_check.check(path.read_bytes(), [profile] if whole and profile else [],
                                not whole, slack_ns)
    yield from (f"{path.name}: {fault}" for fault in checked.faults)
    if bool(checked.counts) != whole:
        yield f"{path.name}: counts {checked.counts}, expected {'some' if whole else 'none'}"
    if whole and checked.trace.cut:
        yield f"{path.name}: cut: {checked.trace.cut}"
    if not checked.calls:
        yield f"{path.name}: no call is in it"


SOFTWARE = ("fake", "lavapipe")
AFTER = "2500"  # ms; checkpoints come after each second


def abrupt(name, status):
    """Ends without a handler: within the first second nothing is kept, later a checkpoint."""
    yield Case(name, way, ("F4",), files=0, status=status, drivers=SOFTWARE)
    yield Case(f"{name}, late", way, ("F4",), complete=False, reason="checkpoint", status=status,
               drivers=SOFTWARE, data={"arguments": (name, "--after", AFTER), "check": late_enough})


def late_enough(outcome):
    """At most what was submitted in the last 1.5 seconds may be missing."""
    for profile in outcome.profiles:
        executed = profile["coverage"]["dispatch"]["executed"]
        if not 10 <= executed <= 30:
            yield f"executed {executed} of 30, 10 to 30 expected"


def all_cases():
    yield Case("return", way, ("F11",), executed=(5,), drivers=SOFTWARE)
    yield Case("exit", way, ("F2", "F3"), executed=(5,), drivers=SOFTWARE)
    yield Case("exit_thread", way, ("F7",), executed=(5,), drivers=SOFTWARE)
    yield Case("quick_exit", way, ("F4",), executed=(5,), drivers=SOFTWARE)
    for name, status in (("_exit", 0), ("abort", -6), ("crash", -11), ("sigterm", -15),
                         ("sigkill", -9)):
        yield from abrupt(name, status)
    yield Case("instance_only", way, ("F2",), executed=(5,), status=3)
    yield Case("atexit_before", way, ("F2", "F3"), executed=(7,), drivers=SOFTWARE,
               data={"check": silent_driver})
    yield Case("atexit_after", way, ("F2",), executed=(7,), drivers=SOFTWARE,
               data={"steady": False})
    yield Case("destructor", way, ("F2", "F3"), executed=(7,), data={"check": silent_driver})
    for name in ("threads", "threads_return"):
        yield Case(name, way, ("F8", "F7"), drivers=SOFTWARE,
                   data={"steady": False, "check": all_submitted})
    yield Case("main_leaves", way, ("F7",), executed=(7,))
    yield Case("main_leaves_alive", way, ("F7",), executed=(7,))
    for name in ("fork_exit", "fork__exit", "fork_inherited", "system"):
        yield Case(name, way, ("F5",), executed=(8,),
                   drivers=SOFTWARE[: 1 + (name != "fork_inherited")])
    yield Case("fork_exec", way, ("F5",), files=2, executed=(5, 8), drivers=SOFTWARE)
    yield Case("fork_own", way, ("F5",), files=2, executed=(7, 8))
    yield Case("unload", unload, ("F1",), executed=(8,), data={"way": "destroyed"},
               drivers=SOFTWARE)
    yield Case("unload, live", unload, ("F1",), executed=(8,), data={"way": "live"})
    yield Case("instances", way, ("F1",), executed=(5,), drivers=SOFTWARE)
    yield Case("state", way, ("F5", "F9", "F12", "F14"), executed=(6,), drivers=SOFTWARE,
               data={"steady": False})
    yield Case("locale", comma_locale, ("F12",), executed=(6,), drivers=SOFTWARE)
    yield Case("no_clone", way, ("F6", "F9"), executed=(4,), drivers=SOFTWARE)
    yield Case("no_openat", way, ("F6",), files=0, drivers=SOFTWARE,
               data={"loud": True, "check": says_why})
    yield Case("no_both", way, ("F6",), files=0, drivers=SOFTWARE,
               data={"loud": True, "check": says_why})
    yield Case("chdir", relative, ("F10",), executed=(6,))
    yield Case("placeholders", placeholders, ("F10",), executed=(5,))
    yield Case("eight", eight, ("F10",), files=8, executed=(5,) * 8)
    yield Case("other_name", other_name, ("F5",), executed=(5,))
    yield Case("ranks", ranks, ("F10",), files=3, executed=(5,) * 3)
    yield Case("missing_folder", missing_folder, ("F10",), files=0)
    yield Case("disk_full", disk_full, ("F10",), files=0)
    yield Case("read_only", read_only, ("F10",), files=0)
    yield Case("elevated", elevated, ("A11",), files=0)


def trace_cases():
    """The ways to end that matter to a file that grows."""
    for name, executed in (("exit", (5,)), ("quick_exit", (5,)), ("main_leaves", (7,)),
                           ("main_leaves_alive", (7,)), ("no_clone", (4,)),
                           ("fork_exit", (8,)), ("fork__exit", (8,))):
        yield Case(f"{name}, trace", traced, (), executed=executed)
    yield Case("fork_own, trace", traced, (), files=2, executed=(7, 8), data={"traces": 2})
    yield Case("threads, trace", traced, (), data={"steady": False, "check": all_submitted})
    # Nobody hears of these ends; what a thread had written by then is there.
    for name, status in (("_exit", 0), ("abort", -6), ("sigkill", -9)):
        yield Case(f"{name}, trace", traced, (), files=0, status=status,
                   data={"arguments": (name, "--after", "700"), "whole": False})


CASES = list(all_cases()) + list(trace_cases())
