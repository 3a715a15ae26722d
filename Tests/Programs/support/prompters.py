# SPDX-License-Identifier: Apache-2.0
"""Where the prompters are that were built."""

import os

from .instance import root_of_repository

PROMPTERS = ("chatelaine-prompt-tty", "chatelaine-prompt-pinentry")


def built_helpers():
    return os.environ.get("CHATELAINE_HELPERS", os.path.join(root_of_repository, ".build/release"))
