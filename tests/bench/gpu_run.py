"""Runs a program once for scripts/gpu-check, profiled or not. In: a folder with the programs and
both layers, a command. Out: its output, the counting layer's document, the profile, the trace.
Next: gpu_truth.py judges them, gpu_cost.py compares them."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def fail(text):
    print(f"gpu-check: {text}", file=sys.stderr)
    sys.exit(1)


class Tree:
    """A folder with the programs and both layers: a build, or what --pack made."""

    def __init__(self, root, counting):
        self.root, self.counting = root, counting
        self.environment = {key: value for key, value in os.environ.items()
                            if not key.startswith(("VKMETER", "VKMTEST", "VK_INSTANCE_LAYERS"))}
        self.environment.pop("DISABLE_VKMETER", None)

    def program(self, name):
        return str(self.root / "bin" / name)

    def need_loader(self):
        """Takes the packed libraries where the machine has none of its own."""
        tried = self.execute([self.program("gpu_probe"), "--list"])
        if tried.returncode == 127 and (self.root / "lib/fallback").is_dir():
            self.environment["LD_LIBRARY_PATH"] = str(self.root / "lib/fallback")
            tried = self.execute([self.program("gpu_probe"), "--list"])
        return tried

    def execute(self, command, extra=()):
        environment = {**self.environment, **dict(extra)}
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240,
                              check=False)


class Run:
    """One run under the counting layer; profiled where `settings` of the layer are given. Ends the
    check where the program fails. `trace` is bytes, None without the setting for it."""

    def __init__(self, tree, command, settings=None):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            extra = {"VK_INSTANCE_LAYERS": "VK_LAYER_VKMTEST_count",
                     "VK_LAYER_PATH": str(tree.counting),
                     "VKMTEST_COUNT_OUTPUT": str(folder / "count.json"), "VKMTEST_CLOCK": "1"}
            for name, value in (settings or {}).items():
                extra[f"VKMETER_{name}"] = value.replace("%folder", str(folder))
            if settings is not None:
                command = [tree.program("vkmeter"), "run", "-p", str(folder / "p.json"), "--",
                           *command]
            done = tree.execute(command, extra)
            self.output = done.stdout
            if done.returncode != 0:
                fail(f"exit status {done.returncode} of {' '.join(command)}\n{done.stdout}"
                     f"{done.stderr}")
            self.count = json.loads((folder / "count.json").read_text())
            self.profile, self.trace = None, None
            if settings is not None:
                self.profile = json.loads((folder / "p.json").read_text())
            if (folder / "trace").exists():
                self.trace = (folder / "trace").read_bytes()

    def submissions(self):
        """(begin, end, dispatches) of each: these programs wait for one before the next."""
        found = []
        for event in self.count["clock"]:
            if event["event"] == "submit":
                found.append([event["ns"], None, event["dispatches"]])
            elif found and found[-1][1] is None:
                found[-1][1] = event["ns"]
        return [each for each in found if each[1] is not None]

    def executions(self):
        """(begin, end) of every measured dispatch on the host's clock, in order."""
        start = self.profile["run"]["started_monotonic_ns"]
        return sorted((start + begin, start + begin + duration)
                      for kernel in self.profile["kernels"]
                      if kernel["kind"].startswith("dispatch")
                      for begin, duration in zip(kernel["sample_begins_ns"], kernel["samples"]))

    def own_ns(self):
        """What gpu_probe's own timestamps say of each submission."""
        return [float(ns) for ns in re.findall(r"^own (\d+)$", self.output, re.MULTILINE)]

    def covered(self):
        """Whether all that was executed is in the profile, and each is measured or control."""
        total = self.profile["coverage"]["dispatch"]
        return total["executed"] == self.count["executions"] == (
            total["measured"] + total["control"])
