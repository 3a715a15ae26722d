# SPDX-License-Identifier: Apache-2.0
"""An X server of a test's own, and the real windows on it, which get a key only when they listen."""

import contextlib
import ctypes
import os
import subprocess

from .instance import wait_until

POINTER, ULONG, INT, UINT = ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_uint
# Of X11/X.h and X11/Xlib.h.
IS_VIEWABLE, GRAB_MODE_ASYNC, CURRENT_TIME, ALREADY_GRABBED, GRAB_SUCCESS = 2, 1, 0, 1, 0
Z_PIXMAP, ALL_PLANES = 2, ctypes.c_ulong(-1).value


class XWindowAttributes(ctypes.Structure):
    _fields_ = [
        ("x", INT), ("y", INT), ("width", INT), ("height", INT), ("border_width", INT), ("depth", INT), ("visual", POINTER),
        ("root", ULONG), ("class_", INT), ("bit_gravity", INT), ("win_gravity", INT), ("backing_store", INT),
        ("backing_planes", ULONG), ("backing_pixel", ULONG), ("save_under", INT), ("colormap", ULONG), ("map_installed", INT),
        ("map_state", INT), ("all_event_masks", ctypes.c_long), ("your_event_mask", ctypes.c_long),
        ("do_not_propagate_mask", ctypes.c_long), ("override_redirect", INT), ("screen", POINTER)]


class XImage(ctypes.Structure):
    # Its beginning.
    _fields_ = [
        ("width", INT), ("height", INT), ("xoffset", INT), ("format", INT), ("data", POINTER), ("byte_order", INT),
        ("bitmap_unit", INT), ("bitmap_bit_order", INT), ("bitmap_pad", INT), ("depth", INT), ("bytes_per_line", INT)]


ERROR_HANDLER = ctypes.CFUNCTYPE(INT, POINTER, POINTER)


def _library():
    x = ctypes.CDLL("libX11.so.6")
    for name, result, *arguments in [
            ("XOpenDisplay", POINTER, ctypes.c_char_p), ("XCloseDisplay", INT, POINTER), ("XDefaultRootWindow", ULONG, POINTER),
            ("XSync", INT, POINTER, INT), ("XGrabServer", INT, POINTER), ("XUngrabServer", INT, POINTER),
            ("XGrabKeyboard", INT, POINTER, ULONG, INT, INT, INT, ULONG), ("XUngrabKeyboard", INT, POINTER, ULONG),
            ("XGetInputFocus", INT, POINTER, ctypes.POINTER(ULONG), ctypes.POINTER(INT)),
            ("XQueryTree", INT, POINTER, ULONG, ctypes.POINTER(ULONG), ctypes.POINTER(ULONG),
             ctypes.POINTER(ctypes.POINTER(ULONG)), ctypes.POINTER(UINT)),
            ("XFetchName", INT, POINTER, ULONG, ctypes.POINTER(POINTER)), ("XFree", INT, POINTER),
            ("XGetWindowAttributes", INT, POINTER, ULONG, ctypes.POINTER(XWindowAttributes)),
            ("XGetImage", ctypes.POINTER(XImage), POINTER, ULONG, INT, INT, UINT, UINT, ULONG, INT),
            ("XDestroyImage", INT, POINTER), ("XSetErrorHandler", POINTER, ERROR_HANDLER)]:
        function = getattr(x, name)
        function.restype, function.argtypes = result, arguments
    return x


# A window may go while it is looked at: that is an answer of zero, not the end of the test.
_ignore_errors = ERROR_HANDLER(lambda _display, _error: 0)


class Display:
    """An X server that shows nothing to any person. `name` is the value of DISPLAY."""

    def __init__(self, it):
        self.it = it
        read, write = os.pipe()
        # Without repeating keys: on a busy machine a key may be down for longer than a person means it. And without a reset when the
        # last client has gone, which ends the client that comes at that moment.
        self.server = it.popen(
            "Xvfb", "-r", "-noreset", "-displayfd", str(write), "-nolisten", "tcp", "-screen", "0", "800x600x24", pass_fds=[write],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as numbers:
            self.name = ":" + numbers.readline().strip()
        assert self.name != ":", "Xvfb did not start"
        self.environment = {**it.environment, "DISPLAY": self.name}
        self.x = _library()
        self.x.XSetErrorHandler(_ignore_errors)
        self.connection = self.x.XOpenDisplay(self.name.encode())
        assert self.connection, "the X server lets no client in"
        self.root = self.x.XDefaultRootWindow(self.connection)
        self.seen = set()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.x.XCloseDisplay(self.connection)
        self.server.terminate()
        self.server.wait()

    # MARK: What is there

    def windows(self, title):
        """The visible windows of this title."""
        ignored, children, count = ULONG(), ctypes.POINTER(ULONG)(), UINT()
        self.x.XQueryTree(
            self.connection, self.root, ctypes.byref(ignored), ctypes.byref(ignored), ctypes.byref(children), ctypes.byref(count))
        found = [window for window in children[:count.value] if self._title(window) == title and self._attributes(window)]
        if children:
            self.x.XFree(children)
        return found

    def _title(self, window):
        name = POINTER()
        if not self.x.XFetchName(self.connection, window, ctypes.byref(name)) or not name.value:
            return None
        title = ctypes.string_at(name.value).decode(errors="replace")
        self.x.XFree(name)
        return title

    def _attributes(self, window):
        """Of a window that is visible; else None."""
        attributes = XWindowAttributes()
        if not self.x.XGetWindowAttributes(self.connection, window, ctypes.byref(attributes)):
            return None
        return attributes if attributes.map_state == IS_VIEWABLE else None

    def _identity(self, window):
        """The window's number, which the next program may use again, and its program's process ID."""
        return window, self.it.run("xdotool", "getwindowpid", str(window), env=self.environment).out.strip()

    def picture(self, window):
        """The pixels of a visible window; nothing when it has gone."""
        size = self._attributes(window)
        if not size:
            return b""
        image = self.x.XGetImage(self.connection, window, 0, 0, size.width, size.height, ALL_PLANES, Z_PIXMAP)
        if not image:
            return b""
        pixels = ctypes.string_at(image.contents.data, image.contents.bytes_per_line * image.contents.height)
        self.x.XDestroyImage(image)
        return pixels

    def size(self, window):
        """The width and the height of a visible window."""
        attributes = self._attributes(window)
        return attributes.width, attributes.height

    def has_focus(self, window):
        focus, ignored = ULONG(), INT()
        self.x.XGetInputFocus(self.connection, ctypes.byref(focus), ctypes.byref(ignored))
        return focus.value == window

    def keyboard_is_grabbed(self):
        # No other client sees this grab: the server serves this one alone meanwhile.
        self.x.XGrabServer(self.connection)
        result = self.x.XGrabKeyboard(self.connection, self.root, 0, GRAB_MODE_ASYNC, GRAB_MODE_ASYNC, CURRENT_TIME)
        if result == GRAB_SUCCESS:
            self.x.XUngrabKeyboard(self.connection, CURRENT_TIME)
        self.x.XUngrabServer(self.connection)
        self.x.XSync(self.connection, 0)
        return result == ALREADY_GRABBED

    # MARK: What a person does

    def window(self, takes_secret=False, title="Chatelaine"):
        """Waits for a new window of this title that listens to keys: it is the only one, it is painted, and it has the keyboard.

        A window for a secret has grabbed the keyboard. gcr's windows always do; the others have the focus when they only confirm."""
        def found():
            windows = self.windows(title)
            if len(windows) != 1 or self._identity(windows[0]) in self.seen:
                return None
            [window] = windows
            pixels = self.picture(window)
            is_painted = len({pixels[place:place + 4] for place in range(0, len(pixels), 4)}) > 4
            has_keyboard = self.keyboard_is_grabbed() if takes_secret else self.has_focus(window) or self.keyboard_is_grabbed()
            return window if is_painted and has_keyboard else None

        window = wait_until(found, what="a window that listens")
        self.seen.add(self._identity(window))
        return window

    def key(self, window, name):
        """Presses a key, once, and waits until the window shows that it took it: it looks different, or has gone."""
        before = self.picture(window)
        self.it.run("xdotool", "key", name, env=self.environment, check=0)
        wait_until(lambda: self.picture(window) != before, what=f"what the key {name} does")

    def expect_no_window(self, title="Chatelaine"):
        wait_until(lambda: not self.windows(title), what="the end of the window")


@contextlib.contextmanager
def session_bus(it, display):
    """A message bus of the session; its address. What is started on it has this display."""
    bus = it.popen(
        "dbus-daemon", "--session", "--nofork", "--print-address", env={**it.environment, "DISPLAY": display.name},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    address = bus.stdout.readline().decode().strip()
    assert address, "dbus-daemon did not start"
    try:
        yield address
    finally:
        bus.terminate()
        bus.wait()
        bus.stdout.close()
