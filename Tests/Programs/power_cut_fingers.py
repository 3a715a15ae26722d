# SPDX-License-Identifier: Apache-2.0
"""Items that are bound to the enrolled fingers, after a power cut or a kill at any moment while other fingers are seen:
they are lost only when the fingers are others, and open only with those that they were stored for. All other items are
never lost.

Scripts play the fingers. As power_cut.py, with CHATELAINE_ROUNDS (2) and CHATELAINE_SEED."""

import collections
import os
import struct
import threading

from support.killing import every_kill
from support.owner import PASSCODE, UNLOCK, secret
from support.played_fingers import PlayedFingers
from support.power import Recording, all_rows_open, allowed, cut_everywhere, is_whole
from support.seeds import dice as dice_for, rounds, stride
from support.sentences import cases, equal
from support.wire import ADMINISTER, AUTHENTICATION_FAILED, NOT_FOUND, Client, Closed

ROUNDS = rounds(2)
PASSWORD = b"correct horse"
FACTOR_NOT_AVAILABLE, OTHER_FINGERS = 43, 44

# The flags of access control.
FREE, PRESENCE, ANY, CURRENT, CURRENT_OR_PASSCODE = 0, 1, 1 << 1, 1 << 3, 1 << 3 | 1 << 4 | 1 << 14
BOUND = (CURRENT, CURRENT_OR_PASSCODE)
INDEX, THUMB = "right-index-finger", "left-thumb"
SETS = [(INDEX,), (THUMB,), (INDEX, THUMB), ()]
LOST = "lost"

# The keychain's knowledge of the fingers: the enrolled set, and the number of other sets that it had seen before.
Known = collections.namedtuple("Known", "number fingers")
# number: the number of the enrolled set that the item is bound to; None for an item without a binding.
Item = collections.namedtuple("Item", "secret number")


def ask(client, passcode=PASSWORD):
    equal(client.request(ADMINISTER, struct.pack(">B", UNLOCK) + secret(PASSCODE, passcode)).status, 0)


def add(client, name, flags, data):
    control = {"accc": (1, flags)} if flags else {}
    return client.add({"svce": name, "acct": "fingers", **control}, data)


def read(client, name):
    """The item's secret, None where there is none, and LOST where it was stored for other fingers."""
    answer = client.copy({"svce": name, "acct": "fingers"})
    if answer.status == 0:
        return answer.items[0][2]
    if answer.status == NOT_FOUND:
        return None
    equal((name, answer.status, answer.reason), (name, AUTHENTICATION_FAILED, OTHER_FINGERS))
    return LOST


def prepare(it):
    """A keychain with a passcode, at rest; the fingers of its service, which then knows none."""
    played = play(it)
    it.start()
    it.run("chatelaine", "settings", "set", "passcode-time", "50ms", check=0)
    it.run("chatelaine", "passcode", "set", "--passcode-fd", "0", input=PASSWORD, check=0)
    equal(it.stop(), 0)
    return played


def play(it):
    played = PlayedFingers(os.path.join(it.scratch, "fingers"), PASSWORD)
    it.environment["CHATELAINE_HELPERS"] = played.folder
    return played


# MARK: Power cuts


class Life:
    """Requests one after the other, and other fingers between them."""

    def __init__(self, recording, played, dice):
        self.recording, self.played, self.dice = recording, played, dice
        # When fingers were enrolled, and which.
        self.enrolments = [(-1, SETS[0])]
        self.known = [(-1, -1, Known(0, ()))]
        # By name: the flags, and the history of the item.
        self.items = {}
        played.enrol(*SETS[0])

    @property
    def enrolled(self):
        return self.enrolments[-1][1]

    def value(self, name):
        return self.items[name][1][-1][2]

    def enrol(self, fingers):
        self.enrolments.append((self.recording.now(), fingers))
        self.played.enrol(*fingers)

    def request(self, make, status=0, reason=0, sees=False):
        """Makes a request. When it has the keychain look at the fingers, that knows them from then on."""
        before = self.recording.now()
        answer = make()
        equal((answer.status, answer.reason), (status, reason))
        after = self.recording.now()
        if sees and self.known[-1][2].fingers != self.enrolled:
            self.known.append((before, after, Known(self.known[-1][2].number + 1, self.enrolled)))
        return before, after, answer

    def change(self, name, flags, data, make):
        before, after, _ = self.request(make, sees=flags in BOUND and data is not None)
        value = None if data is None else Item(data, self.known[-1][2].number if flags in BOUND else None)
        self.items.setdefault(name, (flags, []))[1].append((before, after, value))

    def step(self, client):
        choice = self.dice.random()
        present = sorted(name for name in self.items if self.value(name))
        if choice < 0.2:
            self.enrol(self.dice.choice([fingers for fingers in SETS if fingers != self.enrolled]))
        elif choice < 0.5 or not present:
            # No item is stored that could not be read.
            kinds = [FREE, PRESENCE, ANY, *BOUND, CURRENT, CURRENT] if self.enrolled else [FREE, PRESENCE]
            name, flags = f"item {len(self.items)}", self.dice.choice(kinds)
            data = os.urandom(8).hex().encode() * self.dice.choice([1, 300])
            self.change(name, flags, data, lambda: add(client, name, flags, data))
        else:
            self.use(client, self.dice.choice(present))

    def use(self, client, name):
        flags, query = self.items[name][0], {"svce": name, "acct": "fingers"}
        choice = self.dice.random()
        if choice < 0.2 or len([other for other in self.items if self.value(other)]) > 8:
            # Lost items are deleted, too.
            if self.can_be_shown(flags):
                self.change(name, flags, None, lambda: client.delete(query))
        elif not self.can_be_shown(flags):
            self.request(lambda: client.copy(query), AUTHENTICATION_FAILED, FACTOR_NOT_AVAILABLE)
        elif flags in BOUND and not self.stays(name):
            self.request(lambda: client.copy(query), AUTHENTICATION_FAILED, OTHER_FINGERS, sees=True)
        elif choice < 0.6:
            data = os.urandom(8).hex().encode()
            self.change(name, flags, data, lambda: client.update(query, {"labl": "changed"}, data))
        else:
            _, _, answer = self.request(lambda: client.copy(query), sees=flags in BOUND)
            equal(answer.items[0][2], self.value(name).secret)

    def can_be_shown(self, flags):
        return bool(self.enrolled) or flags in (FREE, PRESENCE, CURRENT_OR_PASSCODE)

    def stays(self, name):
        """Whether a bound item is one for the fingers that are enrolled."""
        known = self.known[-1][2]
        return bool(self.enrolled) and known.fingers == self.enrolled and self.value(name).number == known.number

    # MARK: Afterwards

    def check(self, it, moment, dice):
        """With the fingers that were enrolled, or with those of before them."""
        played = play(it)
        sets = [fingers for begin, fingers in self.enrolments if begin < moment and fingers]
        fingers = dice.choice(sets[-2:])
        played.enrol(*fingers)
        it.start()
        with Client(it.socket_path) as client:
            ask(client)
            found = {name: read(client, name) for name in self.items}
            known = allowed(self.known, moment)
            fit = any(self.fits(found, one, fingers, moment) for one in known)
            assert fit, self.told(found, known, fingers, moment)
            equal(add(client, "new", CURRENT, b"secret").status, 0)
            equal(read(client, "new"), b"secret")
        all_rows_open(it)
        return found

    def fits(self, found, known, fingers, moment):
        """Returns whether the result is the content of a keychain that knows these fingers."""
        return all(
            any(found[name] == expected(value, known, fingers) for value in allowed(history, moment))
            for name, (_, history) in self.items.items())

    def told(self, found, known, fingers, moment):
        def brief(item):
            if isinstance(item, Item):
                return item._replace(secret=item.secret[:12])
            return item and item[:12]
        return f"with {fingers}, known is one of {known}:\n" + "\n".join(
            f"{name} is {brief(found[name])}, one of {[brief(item) for item in allowed(history, moment)]}"
            for name, (_, history) in self.items.items())


def expected(item, known, fingers):
    if item is None or item.number is None:
        return item and item.secret
    # Nothing is stored for fingers before they are known.
    if item.number > known.number:
        return "impossible"
    return item.secret if item.number == known.number and known.fingers == fingers else LOST


class Others(threading.Thread):
    """Another program, whose items require no authentication."""

    def __init__(self, it, recording, name, dice, steps):
        super().__init__()
        self.it, self.recording, self.name, self.dice, self.steps = it, recording, name, dice, steps
        self.history, self.error = {}, None

    def run(self):
        try:
            with Client(self.it.socket_path) as client:
                for step in range(self.steps):
                    self.step(client, step)
        except Exception as error:
            self.error = error

    def step(self, client, number):
        present = sorted(name for name, history in self.history.items() if history[-1][2])
        name, data = f"{self.name}.{number}", b"%d " % number * self.dice.randint(1, 400)
        values = {"svce": name, "acct": "others"}
        before = self.recording.now()
        if len(present) > 8 or present and self.dice.random() < 0.4:
            name = values["svce"] = self.dice.choice(present)
            data = None if len(present) > 8 else data
            answer = client.update(values, {}, data) if data else client.delete(values)
        else:
            answer = client.add(values, data)
        equal(answer.status, 0)
        self.history.setdefault(name, []).append((before, self.recording.now(), data))

    def check(self, found, moment):
        for name, history in self.history.items():
            assert found.pop(name, None) in allowed(history, moment), f"{name} is lost, old or half of something"


def test_whenever_the_power_is_cut_items_bound_to_the_fingers_are_lost_only_if_they_are_others(it):
    """Whenever the power is cut, items bound to the fingers are lost only if the fingers changed, and no other data is."""
    steps, dice = max(30, min(200, ROUNDS // 5)), dice_for("fingers")
    played = prepare(it)
    recording, others = Recording(it), []
    life = Life(recording, played, dice)
    for number in range(2):
        with recording.service(it), Client(it.socket_path) as client:
            ask(client)
            others.append(Others(it, recording, f"other {number}", dice_for("other items", number), steps))
            others[-1].start()
            for _ in range(steps):
                life.step(client)
            others[-1].join()
            assert others[-1].error is None, others[-1].error
    seen = collections.Counter()

    def check(other, moment):
        found = life.check(other, moment, dice_for("fingers afterwards", moment))
        seen["lost"] += LOST in found.values()
        seen["open"] += any(found[name] not in (None, LOST) for name in found if life.items[name][0] in BOUND)
        with Client(other.socket_path) as client:
            answer = client.copy({"acct": "others"}, limit=0, returning=3)
        left = {item[1]["svce"].decode(): item[2] for item in answer.items}
        for one in others:
            one.check(left, moment)
        equal(left, {})
        equal(other.stop(), 0)
        is_whole(other.database)

    cut_everywhere(it, recording, dice, ROUNDS, check, "fingers")
    # Few cuts may all be of one kind.
    assert ROUNDS < 100 or seen["lost"] and seen["open"], f"nothing was lost, or nothing opened: {seen}"


# MARK: Kills

KEPT = {"free": FREE, "presence": PRESENCE, "any": ANY}
OLD = {"old": CURRENT, "old or passcode": CURRENT_OR_PASSCODE}


def answered(it, make):
    """The status of the answer; None if the service was killed instead."""
    try:
        with Client(it.socket_path) as client:
            return make(client).status
    except (Closed, ConnectionError, FileNotFoundError):
        return None


def with_items(it):
    """A keychain with all of these, that is closed again."""
    played = prepare(it)
    played.enrol(INDEX)
    it.start()
    with Client(it.socket_path) as client:
        ask(client)
        for name, flags in {**KEPT, **OLD}.items():
            equal(add(client, name, flags, name.encode()).status, 0)
    equal(it.stop(), 0)
    return played


# By case: the fingers, the request and its status, and the item that it changes, with what it was before and is for
# those fingers.
CHANGES = {
    "an item is stored for them": (
        (THUMB,), lambda client: add(client, "new", CURRENT, b"new"), 0, ("new", None, b"new")),
    "an item is bound to them": (
        (THUMB,), lambda client: client.update({"svce": "free"}, {"accc": (1, CURRENT)}), 0,
        ("free", b"free", b"free")),
    "an item of before is read": (
        (THUMB,), lambda client: client.copy({"svce": "old"}), AUTHENTICATION_FAILED, None),
    "there is none left": (
        (), lambda client: client.copy({"svce": "old or passcode"}), AUTHENTICATION_FAILED, None),
}


@cases("case", list(CHANGES))
def test_killed_anywhere_while_it_sees_other_fingers_a_service_has_lost_what_was_bound_to_those_before(it, case):
    """A service that is killed anywhere while it processes other fingers has lost all items bound to the earlier ones, or no data:
    …."""
    fingers, change, answer, changed = CHANGES[case]
    played = with_items(it)
    looks, apart = [], stride(4, "kills", case)

    def step():
        # The first place is always one of them. From 100 rounds on, each one is.
        return apart() if looks and ROUNDS < 100 else 1

    def begin(it):
        with Client(it.socket_path) as client:
            ask(client)
        played.enrol(*fingers)

    def check(it, status):
        assert status in (answer, None), status
        # Alternately the fingers of before are back, and the new ones are there.
        are_back = len(looks) % 2 == 0 or not fingers
        played.enrol(*([INDEX] if are_back else fingers))
        with Client(it.socket_path) as client:
            ask(client)
            found = {name: read(client, name) for name in [*KEPT, *OLD]}
            is_lost = found["old"] == LOST
            looks.append(is_lost)
            assert is_lost or status is None and are_back, "what was bound to the fingers of before opens"
            if changed:
                name, before, after = changed
                left, after = found.pop(name, None) or read(client, name), LOST if are_back else after
                assert left in ([after] if status == 0 else [before, after]), f"{name} is {left}"
                assert left != LOST or is_lost, f"{name} is stored for fingers that are not known"
            kept = {name: name.encode() for name in KEPT if name in found}
            equal(found, {**kept, **{name: LOST if is_lost else name.encode() for name in OLD}})
            equal(add(client, "after", CURRENT, b"after").status, 0)
            equal(read(client, "after"), b"after")
        all_rows_open(it)

    assert every_kill(it, lambda it: answered(it, change), check, begin, step) >= 2
    equal({*looks}, {True, False})


# MARK: Salvaging


def test_a_keychain_that_was_salvaged_knows_the_fingers(it):
    """A salvaged keychain knows the fingers, and items bound to them can be read until the fingers change."""
    played = with_items(it)
    it.run("chatelained", "salvage", check=0)
    it.start()
    with Client(it.socket_path) as client:
        ask(client)
        equal({name: read(client, name) for name in [*KEPT, *OLD]}, {name: name.encode() for name in [*KEPT, *OLD]})
        played.enrol(THUMB)
        equal({name: read(client, name) for name in OLD}, {name: LOST for name in OLD})
        played.enrol(INDEX)
        equal({name: read(client, name) for name in OLD}, {name: LOST for name in OLD})
    all_rows_open(it)
