# SPDX-License-Identifier: Apache-2.0
"""What windows show and which controls they have, as a screen reader sees them, by AT-SPI. Run as a program on the display and the bus of
a test, by Debian's Python: it answers each line of standard input, a request in JSON."""

import contextlib
import json
import subprocess

from .instance import wait_until

LAUNCHER = "/usr/libexec/at-spi-bus-launcher"
BUS_NAME = "org.a11y.Bus"
PYTHON = "/usr/bin/python3"


class ScreenReader:
    """Reads and uses the windows on a display."""

    def __init__(self, it, session_bus, display):
        self.it = it
        self.session_bus = session_bus
        self.environment = {
            **display.environment, "PYTHONPATH": it.programs.modules, "PYTHONDONTWRITEBYTECODE": "1",
            # Programs would otherwise want a service for their settings, and the portal.
            "GSETTINGS_BACKEND": "memory", "GTK_USE_PORTAL": "0"}
        self.bus = self.reader = None

    def __enter__(self):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": self.environment}
        self.bus = self.it.popen(LAUNCHER, "--launch-immediately", stdin=subprocess.DEVNULL, **quiet)
        # A program that starts before it is not seen.
        wait_until(lambda: self.session_bus.stranger.ask("NameHasOwner", "(s)", BUS_NAME), what="the start of the bus of AT-SPI")
        self.reader = self.it.popen(
            PYTHON, "-m", "support.accessibility", stdin=subprocess.PIPE, **{**quiet, "stdout": subprocess.PIPE})
        return self

    def __exit__(self, *_):
        for process in self.reader, self.bus:
            process.kill()
            process.wait(timeout=60)
        self.reader.stdin.close()
        self.reader.stdout.close()

    def _ask(self, action, role="", name=""):
        self.reader.stdin.write(json.dumps([action, role, name]).encode() + b"\n")
        self.reader.stdin.flush()
        answer = self.reader.stdout.readline()
        assert answer, "the reader of the windows ended"
        return json.loads(answer)

    def texts(self):
        """The texts that are visible in all windows."""
        return self._ask("texts")

    def shows(self, text):
        return text in self.texts()

    def wait_for(self, *texts):
        wait_until(lambda: set(texts) <= set(self.texts()), what=f"a window with {texts}")

    def press(self, role, name):
        """Waits for a control and uses it."""
        wait_until(lambda: self._ask("press", role, name), what=f"the {role} ‘{name}’")

    def select(self, label):
        """Waits for a line of a list that has this label, and selects it."""
        wait_until(lambda: self._ask("select", "list item", label), what=f"the line ‘{label}’")

    def open(self, label):
        """Selects a line of a list, and presses Return when it has the focus."""
        self.select(label)
        wait_until(lambda: self._ask("focus", "list item", label), what=f"the focus of the line ‘{label}’")
        self.it.run("xdotool", "key", "Return", env=self.environment, check=0)


# MARK: The program

def answer_all():
    import sys

    import gi
    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi, GLib

    def visible(element):
        # An element may go while it is looked at.
        with contextlib.suppress(GLib.Error, AttributeError):
            if element.get_role() != Atspi.Role.DESKTOP_FRAME and element.get_role() != Atspi.Role.APPLICATION:
                if not element.get_state_set().contains(Atspi.StateType.SHOWING):
                    return
                yield element
            for place in range(element.get_child_count()):
                yield from visible(element.get_child_at_index(place))

    def text(element):
        if "Text" in element.get_interfaces():
            return Atspi.Text.get_text(element, 0, -1)
        return element.get_name()

    def matches(element, role, name):
        if element.get_role_name() != role:
            return False
        return element.get_name() == name or (
            role == "list item" and any(text(part) == name for part in visible(element)))

    def answer(action, role, name):
        elements = visible(Atspi.get_desktop(0))
        if action == "texts":
            return [found for found in map(text, elements) if found]
        element = next((found for found in elements if matches(found, role, name)), None)
        if element is None:
            return False
        if action == "press":
            return Atspi.Action.do_action(element, 0)
        if action == "select":
            return (Atspi.Selection.select_child(element.get_parent(), element.get_index_in_parent())
                    and Atspi.Component.grab_focus(element))
        return element.get_state_set().contains(Atspi.StateType.FOCUSED)

    for line in sys.stdin:
        try:
            result = answer(*json.loads(line))
        except GLib.Error:
            # A program that starts or ends has an element that does not answer.
            result = [] if json.loads(line)[0] == "texts" else False
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    answer_all()
