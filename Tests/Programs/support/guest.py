# SPDX-License-Identifier: Apache-2.0
"""A virtual machine with Debian's own kernel, for what the kernel of this machine may not have: AppArmor and SELinux.

Tools/test-confinement makes its disk. It is started with the disk as it was each time, and without a network. A second disk brings
what is needed to install the programs under test."""

import base64
import contextlib
import json
import os
import shlex
import shutil
import socket
import subprocess
import tempfile
import time

import pytest

from .instance import built_programs, examples_folder, root_of_repository, wait_until

images = os.path.join(root_of_repository, ".build/confinement")
# Under software emulation a start takes a minute, and several on a busy machine.
START, COMMAND = 900, 1200

# The repository as far as it takes part in an installation.
INSTALLED_FROM = ["Tools", "Packaging", "Documentation/man", "Makefile"]
PROGRAMS = [
    "chatelained", "chatelaine", "chatelaine-agent", "chatelaine-session-lock", "chatelaine-fingerprint",
    "chatelaine-authorization", "chatelaine-trust", "chatelaine-crypto", "chatelaine-prompt-tty", "chatelaine-prompt-pinentry", "chatelaine-token-software", "chatelaine-token-tpm",
    "chatelaine-secrets", "chatelaine-secrets-import", "chatelaine-portal", "chatelaine-login", "chatelaine-ssh-agent",
    "pam_chatelaine.so", "KeyTool"]
# Ends a program with the process that runs the tests, also where that is killed.
UNTIL_THE_END = ["setpriv", "--pdeathsig", "KILL"]


class Guest:
    """A running machine. `module` is the security module of its kernel, by the kernel's name."""

    def __init__(self, module, parameters):
        for name in "disk.img", "vmlinuz", "initrd.img":
            if not os.path.exists(os.path.join(images, name)):
                pytest.skip("there is no disk of a virtual machine: Tools/test-confinement makes it and runs these tests")
        self.module = module
        self.processes = contextlib.ExitStack()
        self.folder = tempfile.mkdtemp(prefix="chatelaine.guest.", dir="/tmp")
        self.processes.callback(shutil.rmtree, self.folder)
        try:
            self.make_second_disk()
            self.boot(parameters)
        except BaseException:
            self.end()
            raise

    def end(self):
        self.processes.close()

    def make_second_disk(self):
        tree, self.second_disk = os.path.join(self.folder, "tree"), os.path.join(self.folder, "second.img")
        for path in INSTALLED_FROM:
            source, target = os.path.join(root_of_repository, path), os.path.join(tree, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            (shutil.copytree if os.path.isdir(source) else shutil.copy)(source, target)
        os.makedirs(os.path.join(tree, ".build/release"))
        for name in PROGRAMS:
            folder = examples_folder() if name == "KeyTool" else built_programs()[0]
            source = os.path.join(folder, name)
            subprocess.run(["strip", "-o", os.path.join(tree, ".build/release", name), source], check=True)
        subprocess.run(["truncate", "--size=512M", self.second_disk], check=True)
        subprocess.run(["mkfs.ext4", "-q", "-E", "root_owner=0:0", "-d", tree, self.second_disk], check=True)
        shutil.rmtree(tree)

    # MARK: Start

    def boot(self, parameters):
        """Uses the processor's virtualization where that works, which the file /dev/kvm alone does not tell."""
        accelerators = [["-accel", "tcg,thread=multi", "-cpu", "max"]]
        if os.access("/dev/kvm", os.R_OK | os.W_OK):
            accelerators.insert(0, ["-accel", "kvm", "-cpu", "host"])
        for accelerator in accelerators:
            self.start(accelerator, parameters)
            if self.wait_for_kernel(60 if len(accelerators) > 1 and accelerator is accelerators[0] else START):
                break
            self.stop()
        self.connect()

    def start(self, accelerator, parameters):
        self.console, self.port = os.path.join(self.folder, "console"), os.path.join(self.folder, "port")
        open(self.console, "w").close()
        tpm = self.start_tpm()
        self.machine = subprocess.Popen(
            [*UNTIL_THE_END, "qemu-system-x86_64", "-machine", "q35", *accelerator, "-m", "1536", "-nodefaults", "-no-reboot",
             "-display", "none", "-nic", "none", "-kernel", os.path.join(images, "vmlinuz"),
             "-initrd", os.path.join(images, "initrd.img"),
             "-append", f"root=/dev/vda rw console=ttyS0 earlyprintk=ttyS0 panic=-1 mitigations=off systemd.show_status=0 {parameters}",
             "-drive", f"file={images}/disk.img,format=raw,if=virtio,snapshot=on",
             "-drive", f"file={self.second_disk},format=raw,if=virtio,readonly=on", "-serial", f"file:{self.console}",
             "-device", "virtio-serial", "-chardev", f"socket,path={self.port},server=on,wait=off,id=commands",
             "-device", "virtserialport,chardev=commands,name=commands", *tpm],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(os.path.join(self.folder, "errors"), "wb"))
        self.processes.callback(self.stop)

    def start_tpm(self):
        state = tempfile.mkdtemp(dir=self.folder)
        control = os.path.join(state, "control")
        self.tpm = subprocess.Popen(
            [*UNTIL_THE_END, "swtpm", "socket", "--tpm2", "--tpmstate", f"dir={state}", "--ctrl", f"type=unixio,path={control}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: os.path.exists(control), what="the TPM's socket")
        return ["-chardev", f"socket,id=tpm,path={control}", "-tpmdev", "emulator,id=tpm,chardev=tpm",
                "-device", "tpm-tis,tpmdev=tpm"]

    def stop(self):
        for process in (self.machine, self.tpm):
            process.kill()
            process.wait()

    def said(self):
        with open(self.console, errors="replace") as console, open(os.path.join(self.folder, "errors")) as errors:
            return console.read() + errors.read()

    def wait_for_kernel(self, seconds):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and self.machine.poll() is None:
            if "Linux version" in self.said():
                return True
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.machine.wait(0.1)
        return False

    def connect(self):
        wait_until(lambda: os.path.exists(self.port) or self.machine.poll() is not None, what="the port of the machine")
        self.socket = socket.socket(socket.AF_UNIX)
        self.processes.callback(self.socket.close)
        self.socket.connect(self.port)
        self.answers = self.socket.makefile("rb")
        assert self.answer(START) == "ready", self.said()

    # MARK: Commands

    def answer(self, seconds):
        self.socket.settimeout(seconds)
        try:
            line = self.answers.readline()
        except TimeoutError:
            line = b""
        assert line, f"the machine does not answer:\n{self.said()[-4000:]}"
        return json.loads(line)

    def run(self, *words, input=b"", check=0):
        """Runs a command as root to its end. Unless `check` is None, that has to be its exit status."""
        if isinstance(input, str):
            input = input.encode()
        self.socket.sendall(json.dumps([words, base64.b64encode(input).decode()]).encode() + b"\n")
        status, *texts = self.answer(COMMAND)
        out, err = (base64.b64decode(text).decode(errors="replace") for text in texts)
        assert check is None or status == check, f"{shlex.join(words)}: exit status {status}, expected {check}\n{out}{err}"
        return subprocess.CompletedProcess(words, status, out, err)

    def shell(self, text, **more):
        """Runs what an administrator would type."""
        return self.run("bash", "-ec", text, **more)

    def write(self, path, text):
        self.run("bash", "-ec", 'mkdir -p "$(dirname "$1")"; cat >"$1"', "bash", path, input=text)

    def install(self):
        """`make install-system`, from the second disk."""
        self.shell("if ! mountpoint -q /mnt; then mount -o ro /dev/vdb /mnt; fi")
        return self.shell("cd /mnt && PREFIX=/usr/local SUDO_USER=nobody HOME=/root NO_COLOR=1 Tools/install-system built").stdout

    def kernel_log(self):
        return self.run("dmesg", "--notime").stdout
