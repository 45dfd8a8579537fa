"""Runs one program to its end. In: a build, a driver, a command. Out: its status, its output and
the documents it left. Next: endings.py judges them."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
from dataclasses import dataclass, field

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "clients"))
import client_list  # noqa: E402
from client_run import base_environment  # noqa: E402

TIMEOUT_S = 60


class Skip(Exception):
    """The case cannot run here; the text says what is missing."""


@dataclass
class Outcome:
    """`profiles`: the documents, by name of their file. `faults`: what was seen to be wrong."""

    status: object
    output: list
    error: str
    files: list
    profiles: list
    faults: list = field(default_factory=list)


class Runner:
    """Knows the build and the driver; every run has a folder of its own."""

    def __init__(self, build, driver, folder):
        self.build, self.driver, self.folder = build, driver, folder
        self.count = 0
        self.environment = self.driver_environment()
        self.environment["NODEVICE_SELECT"] = "1"

    def driver_environment(self):
        if self.driver == "fake":
            manifest = str(self.build / "tests/fake_driver/fake_icd.json")
            library = str(self.build / "tests/fake_driver/libvkm_fake_driver.so")
            base = base_environment(client_list.Driver("fake", {}))
            return base | {"VK_DRIVER_FILES": manifest, "VK_ICD_FILENAMES": manifest,
                           "ENDER_FAKE_DRIVER": library}
        drivers = client_list.drivers()
        if self.driver not in drivers:
            raise Skip(f"no driver {self.driver}; scripts/drivers lists those that are there")
        return base_environment(drivers[self.driver])

    def program(self, name):
        return self.build / "bin" / name

    def layer_environment(self, output):
        return {"VKMETER": "1", "VKMETER_OUTPUT": str(output),
                "XDG_DATA_DIRS": f"{self.build / 'share'}:/usr/local/share:/usr/share"}

    def new_folder(self):
        self.count += 1
        folder = self.folder / f"run-{self.count}"
        folder.mkdir()
        return folder

    def run(self, command, folder, extra, pattern="*.json", patient=True):
        """Runs it with the environment `extra` added; reads the documents of `folder` after."""
        environment = self.environment | extra
        environment.setdefault("XDG_RUNTIME_DIR", str(folder))
        words = [str(word) for word in command]
        try:
            done = subprocess.run(words, env=environment, cwd=folder, capture_output=True,
                                  timeout=TIMEOUT_S, check=False, preexec_fn=no_core)
            status, out, error = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired as expired:
            status, out, error = "timeout", expired.stdout or b"", expired.stderr or b""
        outcome = Outcome(status, out.decode("utf-8", "replace").splitlines(),
                          error.decode("utf-8", "replace").strip(),
                          sorted(path.name for path in folder.iterdir()), [])
        self.read(outcome, folder, pattern)
        return outcome

    def read(self, outcome, folder, pattern):
        files = sorted(path for path in folder.glob(pattern) if path.stat().st_size)
        outcome.profiles = []
        for path in files:
            try:
                outcome.profiles.append(json.loads(path.read_text(encoding="utf-8")))
            except ValueError as error:
                outcome.faults.append(f"{path.name} is no JSON: {error}")
        if files:
            done = subprocess.run([TESTS / "support/validate_profiles", *files],
                                  capture_output=True, text=True, check=False)
            if done.returncode != 0:
                outcome.faults.append("not valid: " + (done.stderr + done.stdout).strip()[:1000])

    def run_layered(self, command, extra=None, output="profile-%p.json"):
        folder = self.new_folder()
        return self.run(command, folder, self.layer_environment(folder / output) | (extra or {}))

    def run_bare(self, command, extra=None):
        return self.run(command, self.new_folder(), extra or {})


def no_core():
    import resource  # pylint: disable=import-outside-toplevel
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def need_root_mounts(folder):
    """Skips where this process may not mount in a namespace of its own."""
    if os.geteuid() != 0:
        raise Skip("needs root, for a mount")
    if shutil.which("unshare") is None:
        raise Skip("unshare is not installed (util-linux)")
    done = subprocess.run(["unshare", "-m", "sh", "-c", f"mount -t tmpfs none '{folder}'"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Skip(f"mounts are refused here: {done.stderr.strip()}")
