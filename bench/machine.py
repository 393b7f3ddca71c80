# SPDX-License-Identifier: Apache-2.0
"""What was measured and on what: the facts that every line of results carries."""

import hashlib
import os
import re
import subprocess

import lib


def facts(xylem):
    return {
        "commit": commit(),
        "compiler": compiler(xylem),
        "cpu": cpu(),
        "cores": os.cpu_count(),
        "version": output_of([xylem, "--version"]),
        "binary": hashlib.sha256(xylem.read_bytes()).hexdigest()[:12],
    }


def output_of(command):
    """What a command prints; nothing where it fails or is not there."""
    try:
        result = subprocess.run(command, cwd=lib.ROOT, capture_output=True, text=True)
    except OSError:
        return ""
    return result.stdout.strip() if result.returncode == 0 else ""


def commit():
    """The results are tracked too, and writing them does not change what is measured."""
    name = output_of(["git", "rev-parse", "--short", "HEAD"])
    changes = output_of(["git", "status", "--porcelain", "--untracked-files=no", "--", ".", ":(exclude)bench/results"])
    return (name or "unknown") + ("-dirty" if changes else "")


def compiler(xylem):
    """Name, version and flags, from the build folder in which the command lies; else the compiler of the system."""
    for folder in xylem.parents:
        cache = folder / "CMakeCache.txt"
        found = next(folder.glob("CMakeFiles/*/CMakeCXXCompiler.cmake"), None)
        if cache.exists() and found:
            text = found.read_text() + cache.read_text()
            patterns = (
                r'set\(CMAKE_CXX_COMPILER_ID "(.*)"\)',
                r'set\(CMAKE_CXX_COMPILER_VERSION "(.*)"\)',
                r"^CMAKE_BUILD_TYPE:\w+=(.*)",
                r"^CMAKE_CXX_FLAGS:\w+=(.*)",
            )
            matches = [re.search(pattern, text, re.MULTILINE) for pattern in patterns]
            return " ".join(match[1] for match in matches if match and match[1])
    return output_of(["c++", "--version"]).partition("\n")[0]


def cpu():
    with open("/proc/cpuinfo") as file:
        return next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), "unknown")
