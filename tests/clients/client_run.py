"""Runs one program once, with the layers that are asked for. In: a client and a driver. Out: its
exit status, its output and the documents that it left. Next: run_clients and the checks compare
them."""

import os
import subprocess
import tempfile

import client_compare

COUNTING = "VK_LAYER_VKMTEST_count"
# Of the caller's environment, what would make two runs differ or switch a layer on.
FOREIGN = ("VKMETER", "DISABLE_VKMETER", "VK_INSTANCE_LAYERS", "VK_LOADER_LAYERS_ENABLE",
           "VK_LAYER_PATH", "VK_ADD_LAYER_PATH", "VKMTEST_COUNT_OUTPUT")


def base_environment(driver):
    """The caller's, without what would switch a layer on, and with the driver chosen."""
    environment = {key: value for key, value in os.environ.items()
                   if key not in FOREIGN and not key.startswith("VKMETER_")}
    environment.setdefault("LP_NUM_THREADS", "0")
    environment.update(driver.environment)
    return environment


class Run:
    """One run of a program: its exit status, output and the documents it left. `build`: count with
    the counting layer of that build; `vkmeter`: profile with that command; `extra`: environment."""

    def __init__(self, client, driver, folder, build=None, vkmeter=None, extra=()):
        folder.mkdir(parents=True)
        self.folder = folder
        environment = base_environment(driver)
        environment.update(client.environment)
        command = client.command()
        if build is not None:
            environment.update({
                "VK_LAYER_PATH": str(build / "tests/support/counting_layer"),
                "VK_INSTANCE_LAYERS": COUNTING,
                "VKMTEST_COUNT_OUTPUT": str(folder / "count-%p.json"),
            })
        if vkmeter is not None:
            command = [vkmeter, "run", "-p", folder / "profile-%p.json", "--", *command]
        environment.update(extra)
        self.command = [str(word) for word in command]
        self.output = client.steady(driver.name, self.execute(environment))

    def execute(self, environment):
        with tempfile.TemporaryDirectory() as runtime:
            environment.setdefault("XDG_RUNTIME_DIR", runtime)
            try:
                done = subprocess.run(self.command, env=environment, cwd=self.folder,
                                      capture_output=True, timeout=300, check=False)
                self.status, out, error = done.returncode, done.stdout, done.stderr
            except subprocess.TimeoutExpired as expired:
                self.status, out, error = "timeout", expired.stdout or b"", expired.stderr or b""
        (self.folder / "stdout").write_bytes(out)
        (self.folder / "stderr").write_bytes(error)
        self.error = error.decode("utf-8", "replace").strip()
        return out.decode("utf-8", "replace").splitlines()

    def counts(self):
        return client_compare.read_all(self.folder, "count-*.json")

    def profiles(self):
        return client_compare.read_all(self.folder, "profile-*.json")
