"""What one process took. In: a command. Out: its exit status, time and memory, by the kernel's own
account: with those of its children that it waited for."""

import os
import subprocess
import threading
import time
from dataclasses import dataclass


@dataclass
class Taken:
    """`wall_s` from before it was started to its end, `cpu_s` user and system together; `status` is
    negative where a signal ended it."""

    status: int
    wall_s: float
    cpu_s: float
    most_bytes: int


def run_process(command, timeout_s=300, **options):
    """`options` are subprocess.Popen's; without any it prints nowhere. A command that does not end
    is killed."""
    options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **options}
    begin_s = time.monotonic()
    process = subprocess.Popen(command, **options)
    killer = threading.Timer(timeout_s, process.kill)
    killer.start()
    _, status, usage = os.wait4(process.pid, 0)
    end_s = time.monotonic()
    process.returncode = os.waitstatus_to_exitcode(status)  # before the killer could look
    killer.cancel()
    return Taken(process.returncode, end_s - begin_s, usage.ru_utime + usage.ru_stime,
                 usage.ru_maxrss * 1024)
