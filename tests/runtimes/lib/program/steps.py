"""Carries out the steps of script/steps.mjs with the Python package, and writes answers as JavaScript writes them after
reading them: with its keys, and its numbers.
"""

import json
import re
from decimal import Decimal

from toolsift import ToolSift, ToolSiftError, __version__

# What stands under these keys is a schema or arguments, whose keys stay.
RAW = {"arguments", "definition", "parameter_names", "tools"}


def snake(name):
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def script(value, raw=False):
    """JSON as JavaScript writes it, with keys in camel case."""
    if isinstance(value, dict):
        entries = ((key if raw else re.sub("_([a-z])", lambda at: at[1].upper(), key), key, one) for key, one in value.items())
        return f"{{{','.join(f'{script(name)}:{script(one, raw or key in RAW)}' for name, key, one in entries)}}}"
    if isinstance(value, list):
        return f"[{','.join(script(one, raw) for one in value)}]"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        is_short = isinstance(value, int) or abs(value) >= 1e21 or abs(value) < 1e-6
        return re.sub(r"e([+-])0", r"e\1", repr(value)) if is_short else format(Decimal(repr(value)), "f")
    return json.dumps(value, ensure_ascii=False)


def sum_of(index):
    total = 0x811C9DC5
    for byte in index:
        total = ((total ^ byte) * 0x01000193) & 0xFFFFFFFF
    return {"bytes": len(index), "sum": total}


# Options are an object at the end in JavaScript, and keywords here: by how many arguments stand before them.
OPTIONS = {
    "register": 1,
    "sync": 2,
    "search": 1,
    "explain": 2,
    "call": 2,
    "fromMessages": 1,
    "prefetch": 1,
    "evict": 0,
    "unregister": 0,
    "assemble": 0,
    "size": 0,
    "heldBack": 0,
}


class Player:
    """Plays steps."""

    def __init__(self):
        self.sift = ToolSift()
        # By their ids: only their handles lead to them.
        self.children = {}

    def answer(self, step):
        try:
            return script(self.perform(step["do"], step["args"], step))
        except ToolSiftError as error:
            said = {"code": error.code, "message": error.message}
            return script({"error": said if error.alias is None else {**said, "alias": error.alias}}, raw=True)

    def perform(self, do, args, step):
        if do == "version":
            return __version__
        if do == "profiles":
            return ToolSift.profiles()
        if do == "new":
            counter = {"count_tokens": lambda text: len(text.encode("utf-16-le")) // 2} if "counter" in step else {}
            self.sift = ToolSift(**args[0], **counter)
            return self.sift.settings
        if do == "exportIndex":
            return sum_of(self.sift.export_index())
        if do == "fromIndex":
            self.sift = ToolSift.from_index(self.sift.export_index(), **args[0])
            return self.sift.settings
        if do == "restore":
            session, missing = self.sift.restore(args[0], **(args[1] if len(args) > 1 else {}))
            return {"id": session.id, "missing": missing}
        target = self.sift if "session" not in step else self.sift.session(step["session"], **step.get("options", {}))
        if do == "child":
            child = target.child(args[0], **(args[1] if len(args) > 1 else {}))
            self.children[child.id] = child
            return child.id
        if "child" in step:
            target = self.children[step["child"]]
        member = getattr(target, snake(do))
        if not callable(member):
            return member
        if do in OPTIONS and len(args) == OPTIONS[do] + 1 and isinstance(args[-1], dict):
            return member(*args[:-1], **args[-1])
        return member(*args)
