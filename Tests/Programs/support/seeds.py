# SPDX-License-Identifier: Apache-2.0
"""The seed, the number of rounds and the place for findings of all tests that make random choices.

CHATELAINE_SEED is the seed; without it, the seed is fixed. CHATELAINE_ROUNDS is the number of rounds of each test; without it,
each test has a number of its own. CHATELAINE_LONG=1 gives the tests with the mark `sampled` all of their work. CHATELAINE_FINDINGS is the
folder for what a failed test keeps; without it, /tmp."""

import os
import random
import shutil

SEED = os.environ.get("CHATELAINE_SEED") or "1"


IS_LONG = os.environ.get("CHATELAINE_LONG") == "1"


def part(few, whole):
    """Returns how often a test with the mark `sampled` repeats its work: `few` times in `make test`, and `whole` times in
    `make test-all`, which sets CHATELAINE_LONG to 1 and runs these tests again."""
    return whole if IS_LONG else few


def rounds(default):
    return int(os.environ.get("CHATELAINE_ROUNDS") or default)


def dice(*purpose):
    """Returns the random choices for a purpose: the same for the same seed, regardless of earlier tests.

    pytest shows this output when the test fails."""
    words = [str(word) for word in purpose]
    print(f"CHATELAINE_SEED={SEED} ({' '.join(words)})", flush=True)
    return random.Random("/".join([SEED, *words]))


def stride(most, *purpose):
    """Returns a function that gives the distance to the next place of a kill: at most `most`, as the seed selects. With
    CHATELAINE_ROUNDS=0 it is 1, so each place has its turn."""
    if rounds(1) == 0:
        return lambda: 1
    choices = dice(*purpose)
    return lambda: choices.randint(1, most)


def finding(name):
    """Returns a path for a file or a folder that a failed test keeps. Removes what an earlier run left there."""
    folder = os.environ.get("CHATELAINE_FINDINGS") or "/tmp"
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in name))
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.unlink(path)
    return path
