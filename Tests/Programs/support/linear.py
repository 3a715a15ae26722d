# SPDX-License-Identifier: Apache-2.0
"""Whether what several clients saw of an item can have happened in one order, in which each request took effect at one moment between
its beginning and its answer: the search of Wing and Gong, with the memory of Lowe ("Testing for linearizability", 2017)."""

from dataclasses import dataclass

ADD, READ, UPDATE, DELETE = "add", "read", "update", "delete"
DONE, EXISTS, ABSENT = "done", "exists", "absent"
FOREVER = float("inf")


@dataclass
class Call:
    """One request to one item.

    answer: DONE, EXISTS or ABSENT; of READ the value that was found or ABSENT. None where no answer came: then it may have
    happened at any moment from its beginning on, or never."""
    kind: str
    begun: int
    ended: float
    value: str = None
    answer: str = None


def step(state, call):
    """What the item is after the call; raises ValueError where it cannot have answered that in this state. None is no item."""
    if call.kind == READ:
        expected, after = (ABSENT if state is None else state), state
    elif call.kind == ADD:
        expected, after = (DONE, call.value) if state is None else (EXISTS, state)
    else:
        expected = ABSENT if state is None else DONE
        after = None if state is None or call.kind == DELETE else call.value
    if call.answer is not None and call.answer != expected:
        raise ValueError()
    return after


def is_linearizable(calls, state=None):
    """Whether there is such an order for the calls to one item, which begins as `state`."""
    # A read without an answer says nothing.
    calls = sorted((call for call in calls if call.answer is not None or call.kind != READ), key=lambda call: call.begun)
    needed = sum(1 << place for place, call in enumerate(calls) if call.answer is not None)
    seen, waiting = set(), [(0, 0, state)]
    while waiting:
        first, done, state = waiting.pop()
        if done & needed == needed:
            return True
        while done >> first & 1:
            first += 1
        # Only what began before the first answer that is still to come can be next.
        earliest, place = FOREVER, first
        candidates = []
        while place < len(calls) and calls[place].begun <= earliest:
            if not done >> place & 1:
                candidates.append(place)
                earliest = min(earliest, calls[place].ended)
            place += 1
        for place in candidates:
            if calls[place].begun > earliest:
                continue
            try:
                after = step(state, calls[place])
            except ValueError:
                continue
            key = (done | 1 << place, after)
            if key not in seen:
                seen.add(key)
                waiting.append((first, *key))
    return False
