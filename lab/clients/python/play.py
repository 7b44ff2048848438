"""Plays conversations with one client: `play.py PROGRAM`, where the program is a file with a function `play`.

Reads a line of JSON for each conversation: id, wire, base_url, system, prompt, tools, stream, answers (by tool). Prints a line for
each that ended: its id, and the calls that ran with the client's last words; or the error.
"""

import asyncio
import importlib.util
import inspect
import json
import sys
import traceback

# What frameworks print is for people.
told = sys.stdout
sys.stdout = sys.stderr
sys.dont_write_bytecode = True

spec = importlib.util.spec_from_file_location("program", sys.argv[1])
program = importlib.util.module_from_spec(spec)
spec.loader.exec_module(program)


def lead(plan):
    ran = []

    def execute(name, args):
        # Frameworks hand over parameters that the model left out.
        ran.append({"name": name, "args": {key: value for key, value in args.items() if value is not None}})
        return plan["answers"].get(name, f"{name} did it")

    options = {name: plan[name] for name in ["base_url", "wire", "tools", "system", "prompt", "stream"]}
    text = program.play(execute=execute, **options)
    return {"ran": ran, "text": asyncio.run(text) if inspect.iscoroutine(text) else text}


for line in sys.stdin:
    plan = json.loads(line)
    try:
        answer = {"result": lead(plan)}
    except Exception:
        answer = {"error": traceback.format_exc()}
    print(json.dumps({"id": plan["id"], **answer}), file=told, flush=True)
