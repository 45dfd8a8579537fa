"""A headless Chromium, spoken to. In: the path of the program, a folder for its own things. Out:
what a page answers, photographs, complaints. Next: check_html and check_timeline."""

import base64
import contextlib
import json
import os
import subprocess
import time

LIMIT_S = 60
WIDE = {"width": 1500, "height": 1100, "deviceScaleFactor": 1, "mobile": False}
NARROW = {"width": 420, "height": 800, "deviceScaleFactor": 1, "mobile": False}


class Browser:
    """Speaks the DevTools protocol over two pipes, which is all that Chromium needs for it."""

    def __init__(self, program, folder):
        there, self.write = os.pipe()
        self.read, back = os.pipe()
        command = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                   "--disable-extensions", "--disable-background-networking", "--hide-scrollbars",
                   f"--user-data-dir={folder}", "--remote-debugging-pipe", "about:blank"]

        def before():  # 3 and 4 are where it listens and speaks; neither end may lie there before
            os.dup2(os.dup2(there, 100), 3)
            os.dup2(os.dup2(back, 101), 4)
        self.process = subprocess.Popen(command, preexec_fn=before, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(there)
        os.close(back)
        self.rest, self.number, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def receive(self):
        while b"\0" not in self.rest:
            chunk = os.read(self.read, 1 << 20)
            if not chunk:
                raise RuntimeError("the browser is gone")
            self.rest += chunk
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, url):
        self.events.clear()
        self.call("Page.navigate", url=url)
        deadline = time.monotonic() + LIMIT_S
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            if time.monotonic() > deadline:
                raise RuntimeError(f"{url} did not load")
            self.call("Runtime.evaluate", expression="0")

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def complaints(self):
        """Errors, what scripts say, and whatever was fetched beside the page itself."""
        for event in self.events:
            parameters = event.get("params", {})
            if event["method"] in ("Log.entryAdded", "Runtime.exceptionThrown",
                                   "Runtime.consoleAPICalled"):
                yield str(parameters)[:300]
            if event["method"] == "Network.requestWillBeSent":
                if not parameters["request"]["url"].startswith("file:"):
                    yield f"fetched {parameters['request']['url']}"

    def click(self, expression):
        box = self.value(f"(({expression}).scrollIntoView({{block: 'center'}}), "
                         f"JSON.stringify(({expression}).getBoundingClientRect()))")
        box = json.loads(box)
        place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2,
                 "button": "left", "clickCount": 1}
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, **place)

    def key(self, name, code, text=""):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, text=text,
                      windowsVirtualKeyCode=code)

    def look(self, scheme, script=True, view=None):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}])
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.call("Emulation.setDeviceMetricsOverride", **(view or WIDE))

    def photograph(self, path):
        shot = self.call("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(shot["data"]))

    def print(self, path):
        made = self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)
        path.write_bytes(base64.b64decode(made["data"]))

    def end(self):
        with contextlib.suppress(RuntimeError, OSError):
            self.session = None
            self.call("Browser.close")
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
