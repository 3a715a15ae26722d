# SPDX-License-Identifier: Apache-2.0
"""The checks and tests of this repository: a table of stages, and what runs them.

Two slots run stages side by side, in the order of the table; a stage waits for those that it needs. Each prints one line when it
ends, and its whole output is in .build/stages/NAME.log. The end repeats what failed, with the command that runs it alone, and says
how many checks passed: the tests that a stage reports, or the stage itself."""

import argparse
import dataclasses
import html
import os
import pathlib
import random
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOGS = ROOT / ".build" / "stages"
SLOTS = 2


@dataclasses.dataclass(frozen=True)
class Stage:
    name: str
    # Where it belongs: words of "check" (make check), "test" (make test) and "all" (what `make test` has no time for).
    groups: str
    # A shell command, run in the root of the repository. {report} is the file of its test report (JUnit's XML), if it writes one.
    command: str
    # Names of stages that must have passed before.
    needs: tuple = ()
    # How a failed test is run again: {test} is its name, {file} the file that it stands in.
    again: str = ""
    # How many slots it takes: both, for what must run alone.
    slots: int = 1
    # Minutes after which it is ended.
    limit: int = 45
    # How much it steps back for other stages (nice).
    nice: int = 0


SWIFT_AGAIN = "Tools/test {stage} -- --filter {test}"
PYTHON_AGAIN = "Tools/test-programs 'Tests/Programs/{file}::{test}'"

SANITIZED = [("unit", "."), ("conformance", "Conformance"), ("dbus", "Bridges/DBus"), ("secret-service", "Bridges/SecretService"), ("ssh-agent", "Bridges/SSHAgent"), ("pkcs11", "Bridges/PKCS11"),
             ("session-lock", "Helpers/SessionLock"),
             ("prompters", "Helpers/Prompters"), ("token", "Helpers/Token")]
# Parts of Tools/crash, with as many rounds as fit in here.
CRASHES = [("items", 1500), ("keychains", 150), ("keys", 150), ("fingers", 150), ("records", 150), ("rights", 150),
           ("migration", 150), ("salvage", 150), ("passcode", ""), ("moves", ""), ("kill", 300), ("requests", 600), ("damage", 12), ("upgrade", "")]

# What builds stands before what runs it. The tests of the programs wait more than they work, so they come as early as they can, and
# other stages take what they leave of the processors. One folder allows one build at a time.
STAGES = [
    Stage("lint", "check test", "Tools/lint"),
    Stage("build-debug-tests", "check", "Tools/build-tests --debug ."),
    Stage("debug-unit", "check", "Tools/run-tests --debug --changed . {report}", needs=("build-debug-tests",), again=SWIFT_AGAIN),

    # The tests first, in one build with the programs: long modules are compiled beside short ones.
    Stage("build", "test", "Tools/build-tests . && Tools/build"),
    Stage("build-examples", "test", "Tools/build-examples", needs=("build",)),
    Stage("programs", "test", "Tools/test-programs -m 'not long' -n 4 --dist loadfile --junitxml {report}",
          needs=("build-examples",), again=PYTHON_AGAIN),
    Stage("unit", "test", "Tools/run-tests . {report}", needs=("build-examples",), again=SWIFT_AGAIN),
    Stage("build-helper-tests", "test", "Tools/build-tests Conformance Bridges/DBus Bridges/SecretService Bridges/Login Bridges/SSHAgent "
          "Bridges/PKCS11 "
          "Helpers/SessionLock Helpers/Prompters Helpers/Token Helpers/Trust Helpers/Crypto",
          needs=("build-examples",), nice=10),
    Stage("conformance", "test", "Tools/run-tests Conformance {report}", needs=("build-helper-tests", "build"), again=SWIFT_AGAIN),
    Stage("dbus", "test", "Tools/run-tests Bridges/DBus {report}", needs=("build-helper-tests",), again=SWIFT_AGAIN),
    Stage("secret-service", "test", "Tools/run-tests Bridges/SecretService {report}", needs=("build-helper-tests",), again=SWIFT_AGAIN),
    Stage("login", "test", "Tools/run-tests Bridges/Login {report}", needs=("build-helper-tests",), again=SWIFT_AGAIN),
    Stage("ssh-agent", "test", "Tools/run-tests Bridges/SSHAgent {report}", needs=("build-helper-tests",), again=SWIFT_AGAIN),
    Stage("pkcs11", "test", "Tools/run-tests Bridges/PKCS11 {report}", needs=("build-helper-tests",), again=SWIFT_AGAIN),
    Stage("session-lock", "test", "Tools/run-tests Helpers/SessionLock {report}", needs=("build-helper-tests",), again=SWIFT_AGAIN),
    Stage("prompters", "test", "Tools/run-tests Helpers/Prompters {report}", needs=("build-helper-tests",), again=SWIFT_AGAIN),
    Stage("token", "test", "Tools/run-tests Helpers/Token {report}", needs=("build-helper-tests",), again=SWIFT_AGAIN),
    Stage("trust", "test", "Tools/run-tests Helpers/Trust {report}", needs=("build-helper-tests",), again=SWIFT_AGAIN),
    Stage("crypto", "test", "Tools/run-tests Helpers/Crypto {report}", needs=("build-helper-tests",), again=SWIFT_AGAIN),
    Stage("vectors", "test", "Tools/test-vectors"),
    Stage("documentation", "test", "Tools/documentation", needs=("build-examples",)),
    Stage("demonstration", "test", "Tools/run", needs=("build-examples",)),
    Stage("instructions", "test", "Tools/instructions --no-build", needs=("build-examples",)),
    Stage("installation", "test", "Tools/test-installation", needs=("build-examples",)),

    # The rest: long, random, or with windows. The programs are built first, if they are not.
    Stage("all-build", "all", "Tools/build && Tools/build-examples", limit=30),
    Stage("all-build-fuzzers", "all", "swift build --package-path Fuzzing --disable-index-store --product fuzz", limit=30),
    Stage("all-abuse", "all", "CHATELAINE_STRICT=1 CHATELAINE_LONG=1 Tools/test-programs -m 'long or sampled' --junitxml {report} "
          "Tests/Programs/abuse.py",
          needs=("all-build",), again=PYTHON_AGAIN, slots=2),
    Stage("all-programs", "all", "CHATELAINE_LONG=1 Tools/test-programs -m 'long or sampled' -n 2 --dist loadfile --junitxml {report} "
          "--ignore Tests/Programs/abuse.py --ignore Tests/Programs/adapters.py --ignore Tests/Programs/confinement.py Tests/Programs",
          needs=("all-build",), again=PYTHON_AGAIN, limit=40),
    *(Stage(f"all-crash-{part}", "all", f"Tools/crash --{part} {rounds}", needs=("all-build",), limit=30)
      for part, rounds in CRASHES),
    Stage("all-fuzz", "all", "Tools/fuzz -t 60", needs=("all-build-fuzzers",), limit=30),
    Stage("all-debug-unit", "all", "Tools/build-tests --debug . && Tools/run-tests --debug . {report}", again=SWIFT_AGAIN, limit=30),
    Stage("all-build-sanitized", "all",
          "Tools/build-tests --sanitized . Conformance Bridges/DBus Bridges/SecretService Bridges/SSHAgent Bridges/PKCS11 Helpers/SessionLock Helpers/Prompters Helpers/Token", limit=45),
    *(Stage(f"all-sanitized-{name}", "all", f"CHATELAINE_LONG=1 Tools/run-tests --sanitized {package} {{report}}",
            needs=("all-build-sanitized", "all-build"), again=SWIFT_AGAIN, limit=30)
      for name, package in SANITIZED),
    # Builds the products that programs import twice: as they are, and as they were at the last tag.
    Stage("all-api-diff", "all", "Tools/api-diff"),
    # Two virtual machines, one after the other; emulated where the processor has no virtualization that can be used.
    Stage("all-confinement", "all", "Tools/test-confinement --junitxml {report}", needs=("all-build",),
          again="Tools/test-confinement", limit=30),
    Stage("all-adapters", "all",
          "swift build --package-path Examples/Adapters && Tools/test-programs -m long --junitxml {report} Tests/Programs/adapters.py",
          needs=("all-build",), again=PYTHON_AGAIN, limit=30),
]


def arguments():
    parser = argparse.ArgumentParser(
        prog="Tools/test", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Runs checks and tests.",
        epilog="Tools/test                      what `make test` runs\n"
               "Tools/test check                what `make check` runs\n"
               "Tools/test all --seed 7         what `make test-all` runs, with this seed\n"
               "Tools/test programs vectors     these stages alone, without those that they need\n"
               "Tools/test unit -- --filter X   one stage, with more arguments for its command")
    parser.add_argument("stages", nargs="*", metavar="STAGE", help="check, test, all, or names of stages (default: test)")
    parser.add_argument("--list", action="store_true", help="list the stages")
    parser.add_argument("--seed", type=int, help="seed of random tests in `all` (default: a random one, which is printed)")
    words, more = sys.argv[1:], []
    if "--" in words:
        place = words.index("--")
        words, more = words[:place], words[place + 1:]
    return parser.parse_args(words), more


def chosen(names):
    if not names:
        names = ["test"]
    if names[0] in ("check", "test", "all"):
        return [stage for stage in STAGES if names[0] in stage.groups.split()]
    known = {stage.name: stage for stage in STAGES}
    for name in names:
        if name not in known:
            sys.exit(f"error: no stage is called {name}\nhint: Tools/test --list")
    return [known[name] for name in names]


@dataclasses.dataclass
class Result:
    seconds: float = 0
    # Seconds of processor time.
    processor: float = 0
    passed: int = 0
    skipped: int = 0
    # (what failed, the command that runs it alone, what it said)
    failures: list = dataclasses.field(default_factory=list)


class Run:
    def __init__(self, stages, more, seed):
        self.stages = stages
        self.more = more
        self.results = {}
        self.running = {}
        self.processes = {}
        self.condition = threading.Condition()
        self.start = time.monotonic()
        self.environment = dict(os.environ, CHATELAINE_FINDINGS=str(ROOT / ".build" / "findings"))
        if seed is not None:
            self.environment["CHATELAINE_SEED"] = str(seed)

    def say(self, text):
        print(f"{clock(time.monotonic() - self.start)}  {text}", flush=True)

    def run(self):
        waiting = list(self.stages)
        names = {stage.name for stage in self.stages}
        with self.condition:
            while waiting or self.running:
                free = SLOTS - sum(stage.slots for stage, _ in self.running.values())
                for stage in list(waiting):
                    # Named on the command line, a stage takes what was built before.
                    needs = [name for name in stage.needs if name in names]
                    if any(name in self.results and self.results[name].failures for name in needs):
                        waiting.remove(stage)
                        self.end(stage, Result(failures=[(stage.name, "", "not run, because a stage that it needs failed")]))
                    elif all(name in self.results for name in needs):
                        if stage.slots > free:
                            break
                        waiting.remove(stage)
                        free -= stage.slots
                        self.begin(stage)
                if self.running:
                    self.condition.wait()

    def stop(self):
        """Ends what runs."""
        for number in list(self.processes.values()):
            os.killpg(number, signal.SIGTERM)

    def begin(self, stage):
        thread = threading.Thread(target=self.work, args=(stage,))
        self.running[stage.name] = (stage, thread)
        thread.start()

    def work(self, stage):
        result = Result()
        try:
            result = self.outcome(stage)
        finally:
            with self.condition:
                del self.running[stage.name]
                self.end(stage, result)
                self.condition.notify()

    def outcome(self, stage):
        log, report = LOGS / f"{stage.name}.log", LOGS / f"{stage.name}.xml"
        report.unlink(missing_ok=True)
        command = stage.command.replace("{report}", shlex.quote(str(report)))
        command += "".join(" " + shlex.quote(word) for word in self.more)
        start = time.monotonic()
        with open(log, "wb") as output:
            process = subprocess.Popen(
                ["nice", "-n", str(stage.nice), "sh", "-c", command], cwd=ROOT, env=self.environment,
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, process_group=0)
            self.processes[stage.name] = process.pid
            ended = threading.Timer(stage.limit * 60, os.killpg, (process.pid, signal.SIGKILL))
            ended.start()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            status = process.returncode if ended.is_alive() else f"killed after {stage.limit} minutes"
            ended.cancel()
            del self.processes[stage.name]
        result = Result(seconds=time.monotonic() - start, processor=usage.ru_utime + usage.ru_stime)
        said = log.read_text(errors="replace")
        if "{report}" in stage.command:
            read_report(stage, report, said, result)
            # A crash leaves no report, and a run without tests proves nothing.
            if not result.failures and (status != 0 or result.passed == 0):
                result.failures.append((stage.name, f"Tools/test {stage.name}", last_lines(said, status)))
        elif status == 0:
            result.passed = 1
        else:
            result.failures.append((stage.name, f"Tools/test {stage.name}", last_lines(said, status)))
        return result

    def end(self, stage, result):
        self.results[stage.name] = result
        verdict = "FAILED" if result.failures else "ok"
        count = f"{result.passed} passed" + (f", {result.skipped} skipped" if result.skipped else "")
        count += f", {len(result.failures)} failed" if result.failures else ""
        self.say(f"{stage.name:26} {clock(result.seconds)} {clock(result.processor)}  {verdict:6}  {count}")


def clock(seconds):
    return f"{int(seconds) // 60:3}:{int(seconds) % 60:02}"


def read_report(stage, path, said, result):
    """Counts the tests of a report in JUnit's form, as pytest and swift-testing write it."""
    try:
        cases = test_cases(path.read_text(errors="replace"))
    except (OSError, ElementTree.ParseError):
        return
    for case in cases:
        bad = case.find("failure") if case.find("failure") is not None else case.find("error")
        name, place = case.get("name", ""), case.get("classname", "")
        if bad is not None:
            again = stage.again.format(
                stage=stage.name, file=place.rpartition(".")[2] + ".py", test=shell_name(stage, name))
            text = (bad.text or bad.get("message") or "").strip() or lines_about(said, name)
            result.failures.append((f"{stage.name}: {place} {name}", again, shortened(text)))
        elif case.find("skipped") is not None:
            result.skipped += 1
        else:
            result.passed += 1


def test_cases(text):
    # Swift Testing leaves the quotation marks in names as they are.
    text = re.sub(
        r'(?m)^(\s*<testcase classname=")(.*)(" name=")(.*)(" time=")',
        lambda match: "".join(part if number % 2 == 0 else html.escape(html.unescape(part)) for number, part in enumerate(match.groups())),
        text)
    return list(ElementTree.fromstring(re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f]", "", text)).iter("testcase"))


def shell_name(stage, name):
    return name if stage.again == PYTHON_AGAIN else shlex.quote(re.sub(r"([.^$*+?()\[\]{}|\\])", r"\\\1", name.rpartition("(")[0].strip("`")))


def lines_about(said, name):
    lines = said.splitlines()
    return "\n".join(line for line in lines if name.strip("`()") in line and "recorded an issue" in line)


def last_lines(said, status):
    lines = said.splitlines()
    marked = [line for line in lines if re.search(r"(^|: )(fatal )?error: |FAILED|ThreadSanitizer: |unexpected signal", line)]
    return "\n".join([f"(exit status {status})", *(marked[:12] or lines[-12:])])


def shortened(text, most=12):
    lines = text.splitlines()
    return "\n".join(lines if len(lines) <= most else [*lines[:2], "...", *lines[-most + 3:]])


def main():
    options, more = arguments()
    if options.list:
        for stage in STAGES:
            print(f"{stage.name:20} {stage.groups:10} {stage.command}")
        return 0
    LOGS.mkdir(parents=True, exist_ok=True)
    stages = chosen(options.stages)
    seed = options.seed
    if seed is None and any("all" in stage.groups for stage in stages):
        seed = random.SystemRandom().getrandbits(31)
    if seed is not None:
        print(f"seed {seed} (Tools/test {' '.join(options.stages)} --seed {seed})", flush=True)
    run = Run(stages, more, seed)
    print(f"{'at':>6}  {'stage':26} {'took':>6} {'CPU':>6}  result", flush=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        run.run()
    except KeyboardInterrupt:
        run.stop()
        return 130
    failures = [failure for result in run.results.values() for failure in result.failures]
    for what, again, text in failures:
        print(f"\nFAILED: {what}")
        if again:
            print(f"    again: {again}")
        print("    " + text.replace("\n", "\n    "))
    if seed is not None:
        print(f"\nseed {seed}")
    print(f"\n{sum(result.passed for result in run.results.values())} passed, {len(failures)} failed, "
          f"{sum(result.skipped for result in run.results.values())} skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
