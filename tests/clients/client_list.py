"""What run_clients runs: programs, the drivers they run on, and what must come out. In: the build
folder. Out: plain descriptions. Next: run_clients runs them, client_compare.py judges."""

import os
import pathlib
import re
import shutil
import subprocess
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DRIVERS = ("lavapipe", "lavapipe-25", "swiftshader")
PRINTED = -1


class Skip(Exception):
    """The client cannot run here; the text says what is missing."""


@dataclass
class Client:
    """`command` is called when the client is run and may raise Skip. `executions`: dispatches that
    it executes, all its processes together; PRINTED: what it says itself. `ignored`: pattern of
    output that differs from run to run."""

    name: str
    command: object
    executions: int
    ignored: str = None
    drivers: tuple = DRIVERS
    npm: bool = False
    environment: dict = field(default_factory=dict)
    # Driver to a pattern of output that differs from run to run there, without any layer.
    unsteady: dict = field(default_factory=dict)
    # What is not yet finished when a process ends without waiting is no fault of the profile.
    may_miss: tuple = ()

    def steady(self, driver, lines):
        """The lines of the program's output that must be the same in every run."""
        patterns = [pattern for pattern in (self.ignored, self.unsteady.get(driver)) if pattern]
        return [line for line in lines if not any(re.match(each, line) for each in patterns)]


def ffmpeg_command():
    if shutil.which("ffmpeg") is None:
        raise Skip("ffmpeg is not installed (scripts/setup installs it)")
    # Whole planes: with halved ones ffmpeg 7 on lavapipe 25 gives other frames in each run.
    filters = ("format=yuv444p,hwupload,chromaber_vulkan=dist_x=2:dist_y=1,gblur_vulkan=sigma=2,"
               "hflip_vulkan,hwdownload,format=yuv444p")
    return ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin",
            "-init_hw_device", "vulkan=vk:0", "-filter_hw_device", "vk",
            "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=30", "-frames:v", "30",
            "-vf", filters, "-f", "framemd5", "-"]


def npm_folder(name, packages):
    """A folder with the packages in it, made on first use."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        raise Skip("node and npm are not installed")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    if int(re.match(r"v(\d+)", version).group(1)) < 20:
        raise Skip(f"needs Node 20 or newer, this is {version.strip()}")
    folder = pathlib.Path(os.environ.get("VKM_NPM_FOLDER", ROOT / "deps" / "npm")) / name
    if not (folder / "installed").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
        command = ["npm", "i", "--ignore-scripts", "--no-audit", "--no-fund", *packages]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Skip(f"{' '.join(command)} failed: {done.stderr.strip()[-300:]}")
        (folder / "installed").touch()
    return folder


def llama_command():
    version = "3.22.1"
    folder = npm_folder("llama", [f"node-llama-cpp@{version}",
                                  f"@node-llama-cpp/linux-x64-vulkan@{version}"])
    model = folder / "tiny-q4_0.gguf"
    if not model.exists():
        new = folder / "tiny.new"
        subprocess.run([HERE / "npm/llama/make_model", new, "q4_0"], check=True)
        new.rename(model)
    shutil.copy(HERE / "npm/llama/generate.mjs", folder)
    return ["node", folder / "generate.mjs", model, "16"]


def dawn_command(*end):
    def command():
        folder = npm_folder("dawn", ["webgpu@0.6.2"])
        shutil.copy(HERE / "npm/dawn/compute.mjs", folder)
        return ["node", folder / "compute.mjs", *end]
    return command


def own(build, program, *arguments):
    return lambda: [build / "bin" / program, *arguments]


def clients(build):
    """All of them, in the order in which they run."""
    dawn = {"drivers": ("lavapipe-25", "swiftshader"), "npm": True, "ignored": r"^pass \d+ \d+$"}
    return [
        Client("sample", own(build, "vkmeter_sample", "--work", "4"), 130),
        Client("sample-resubmit", own(build, "vkmeter_sample", "--resubmit"), 90),
        Client("sample-no-destroy",
               own(build, "vkmeter_sample", "--no-destroy", "--iterations", "3"), 27),
        Client("resubmit100", own(build, "resubmit100"), 300),
        Client("devices106", own(build, "devices106"), 106),
        Client("live-device", own(build, "live_device_exit"), 5),
        Client("live-instance", own(build, "live_device_exit", "--keep-instance"), 5),
        Client("host-signal", own(build, "host_signal"), 33),
        Client("no-device", own(build, "no_device"), 0),
        Client("forker", own(build, "forker"), 309),
        Client("reset-paths", own(build, "reset_paths"), 100),
        Client("threads", own(build, "threads"), 500),
        Client("submit-forms", own(build, "submit_forms"), PRINTED),
        Client("repeated", own(build, "repeated"), 21,
               may_miss=("missed.pending_twice", "missed.secondary_repeated")),
        Client("vkfft", own(build, "vkmeter_vkfft"), 100),
        # On SwiftShader ffmpeg's frames differ from run to run, and with any of the filters.
        Client("ffmpeg", ffmpeg_command, 120, unsteady={"swiftshader": r"^0, "}),
        # Without the variable ggml leaves software devices alone and computes on the processor.
        Client("llama", llama_command, 562, drivers=("lavapipe", "lavapipe-25"), npm=True,
               environment={"GGML_VK_VISIBLE_DEVICES": "0"}),
        Client("dawn", dawn_command(), 50, **dawn),
        Client("dawn-destroy", dawn_command("destroy"), 50, **dawn),
        Client("dawn-exit", dawn_command("exit"), 50, **dawn),
    ]


@dataclass
class Driver:
    """Two names of one manifest are one driver, and equal."""

    name: str = field(compare=False)
    environment: dict


def drivers():
    """By name, the drivers that scripts/drivers lists."""
    listed = subprocess.run([ROOT / "scripts" / "drivers", "--list"], capture_output=True,
                            text=True, check=True).stdout
    found = {}
    for line in listed.splitlines():
        name, manifest, library_path = line.split("\t")
        if name in DRIVERS:
            found[name] = Driver(name, {"VK_DRIVER_FILES": manifest, "VK_ICD_FILENAMES": manifest})
            if library_path:
                found[name].environment["LD_LIBRARY_PATH"] = library_path
    return found
