# SPDX-License-Identifier: Apache-2.0
"""What tests of signed programs share."""

import importlib.util
import os
import shutil

import pytest

from support.instance import root_of_repository


def signatures():
    """TestVectors/code-signature.py, which shares no code with the programs."""
    path = os.path.join(root_of_repository, "TestVectors", "code-signature.py")
    spec = importlib.util.spec_from_file_location("code_signature", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tool(name):
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed")
    return name


def team(it, *words):
    return it.run("chatelaine", "team-key", "create", *words, check=0).out.strip()
