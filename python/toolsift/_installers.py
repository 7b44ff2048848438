"""Recognises programs that install a server before they run it, and passes on the environment variables that they
need."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from ._configurations import CLIENTS

# Variables for registries, proxies and certificates. The MCP SDK itself passes on only PATH, HOME and the like.
_OF_PACKAGES = re.compile(
    r"npm_config_.*|https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_.*|uv_.*|pip_.*", re.IGNORECASE
)
# Variables that npm sets only for the program that it runs. With them, another npx would run the same program again.
_OF_ONE_RUN = re.compile(r"npm_config_(?:package|call|local_prefix|workspaces?|include_workspace_root)", re.IGNORECASE)

_FLAG = re.compile(r"-.*|/[a-z]|\w+=.*", re.IGNORECASE)
_ENDING = re.compile(r"\.(?:cmd|exe|bat|ps1)$", re.IGNORECASE)


def inherited() -> dict[str, str]:
    """Returns the variables of this process that a server gets in addition to those that the MCP SDK passes on."""
    return {
        name: value
        for name, value in os.environ.items()
        if _OF_PACKAGES.fullmatch(name) and not _OF_ONE_RUN.fullmatch(name) and not value.startswith("()")
    }


def installer_of(command: str, args: Sequence[str]) -> str | None:
    """Returns the name of the program that installs a server, such as ``npx``, or None if the command installs
    nothing."""
    # A shell gets the whole command line as one argument.
    words = [command, *(word for arg in args for word in arg.split())]
    rest = iter(words[1:] if _program(command) in CLIENTS["starters"] else words)
    for word in rest:
        program = _program(word)
        if program in CLIENTS["starters"] or (word is not command and _FLAG.fullmatch(word)):
            continue
        if program in CLIENTS["installers"]:
            return program
        following = next((one for one in rest if not _FLAG.fullmatch(one)), "")
        return f"{program} {following}" if following in CLIENTS["installersWith"].get(program, ()) else None
    return None


def _program(word: str) -> str:
    """Returns the name of a program without its folder and without the extension that it has on Windows."""
    return _ENDING.sub("", re.split(r"[\\/]", word)[-1]).lower()
