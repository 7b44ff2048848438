"""An agent in Python, over OpenAI's or Anthropic's own package. What differs with a proxy is `base_url`, and nothing else.

Reads a line of JSON for each conversation: id, wire, base_url, system, prompt, tools, stream, max_steps, answers (by tool).
Prints a line for each that ended: its id, and the messages that the client has in the end, the calls that it ran, its last words
and its usage; or the error. One process leads them all, each in a thread: importing a package takes a second or two.

Each API is a function of the plan: its client, the messages that begin a conversation, `ask(messages)`, which is the next reply,
`read(reply)`, which is what the client keeps of it, its calls as (id, name, arguments), its text and how it ended, and
`answered(answers)`, which are the messages that answer them.
"""

import json
import sys
import threading
import traceback

printing = threading.Lock()


def functions(plan, schema, **more):
    return [{**more, "name": t["name"], "description": t.get("description", ""), schema: t["inputSchema"]} for t in plan["tools"]]


def chat(plan):
    import openai

    client = openai.OpenAI(base_url=plan["base_url"] + "/v1", api_key="none", max_retries=0)
    tools = [{"type": "function", "function": function} for function in functions(plan, "parameters")]

    def ask(messages):
        about = {"model": "gpt-5.2", "messages": messages, "tools": tools}
        if not plan["stream"]:
            return client.chat.completions.create(**about)
        with client.chat.completions.stream(**about, stream_options={"include_usage": True}) as stream:
            return stream.get_final_completion()

    def read(completion):
        message = completion.choices[0].message
        made = [(c.id, c.function.name, c.function.arguments) for c in message.tool_calls or []]
        calls = [{"id": i, "type": "function", "function": {"name": n, "arguments": a}} for i, n, a in made]
        kept = [{"role": "assistant", "content": message.content, **({"tool_calls": calls} if calls else {})}]
        return kept, [(i, n, json.loads(a)) for i, n, a in made], message.content, completion.choices[0].finish_reason

    begin = [{"role": "system", "content": plan["system"]}, {"role": "user", "content": plan["prompt"]}]
    return client, begin, ask, read, lambda answers: [{"role": "tool", "tool_call_id": i, "content": text} for i, text in answers]


def responses(plan):
    import openai

    client = openai.OpenAI(base_url=plan["base_url"] + "/v1", api_key="none", max_retries=0)
    tools = functions(plan, "parameters", type="function", strict=False)

    def ask(items):
        about = {"model": "gpt-5.4", "instructions": plan["system"], "input": items, "tools": tools}
        if not plan["stream"]:
            return client.responses.create(**about)
        with client.responses.stream(**about) as stream:
            return stream.get_final_response()

    def read(response):
        output = [item.to_dict() for item in response.output]
        for item in output:
            item.pop("parsed_arguments", None)
            for part in item.get("content") or []:
                part.pop("parsed", None)
        made = [item for item in output if item["type"] == "function_call"]
        calls = [(item["call_id"], item["name"], json.loads(item["arguments"])) for item in made]
        return output, calls, response.output_text, response.status

    begin = [{"role": "user", "content": plan["prompt"]}]
    return client, begin, ask, read, lambda answers: [{"type": "function_call_output", "call_id": i, "output": text} for i, text in answers]


def messages(plan):
    import anthropic

    client = anthropic.Anthropic(base_url=plan["base_url"], api_key="none", max_retries=0)
    tools = functions(plan, "input_schema")

    def ask(said):
        about = {"model": "claude-opus-5-5", "max_tokens": 1024, "system": plan["system"], "messages": said, "tools": tools}
        if not plan["stream"]:
            return client.messages.create(**about)
        with client.messages.stream(**about) as stream:
            return stream.get_final_message()

    def read(message):
        calls = [(block.id, block.name, block.input) for block in message.content if block.type == "tool_use"]
        text = "".join(block.text for block in message.content if block.type == "text")
        return [{"role": "assistant", "content": [block.to_dict() for block in message.content]}], calls, text, message.stop_reason

    def answered(answers):
        return [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": i, "content": text} for i, text in answers]}]

    return client, [{"role": "user", "content": plan["prompt"]}], ask, read, answered


WIRES = {"chat": chat, "responses": responses, "messages": messages}


def lead(plan):
    client, kept, ask, read, answered = WIRES[plan["wire"]](plan)
    ran, usage = [], []
    with client:
        for _ in range(plan["max_steps"]):
            reply = ask(kept)
            usage.append(reply.usage.to_dict())
            more, calls, text, finish = read(reply)
            kept += more
            if not calls:
                return {"messages": kept, "ran": ran, "text": text, "finish": finish, "usage": usage}
            ran += [{"name": name, "args": args} for _, name, args in calls]
            kept += answered([(i, plan["answers"].get(name, f"{name} did it")) for i, name, _ in calls])
    return {"messages": kept, "ran": ran, "text": None, "finish": "steps", "usage": usage}


def tell(plan):
    try:
        told = {"result": lead(plan)}
    except Exception:
        told = {"error": traceback.format_exc()}
    with printing:
        print(json.dumps({"id": plan["id"], **told}), flush=True)


for line in sys.stdin:
    threading.Thread(target=tell, args=[json.loads(line)]).start()
