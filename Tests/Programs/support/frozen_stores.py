# SPDX-License-Identifier: Apache-2.0
"""The content of the frozen stores of TestVectors/stores-v1, for the programs that make and open them."""

# How the command names them. It is the same program on every machine, where an interpreter is not, and what one stored no other could read.
ITEMS = [[f"name {n}"] for n in range(1, 9)] + [["--server", f"host{n}.example"] for n in range(1, 4)]
USER = "a"


def secret_of(words):
    return f"secret of {words[-1]}"
