"""An agent in Python, over OpenAI's or Anthropic's own package. What differs with a proxy is `base_url`, and nothing else.

Reads a line of JSON for each conversation: id, wire, base_url, system, prompt, tools, stream, max_steps, answers (by tool).
Prints a line for each that ended: its id, and the messages that the client has in the end, the calls that it ran, its last words
and its usage; or the error. One process leads them all, each in a thread: importing a package takes a second or two.
"""

import json
import sys
import threading
import traceback

printing = threading.Lock()


def chat(plan, execute):
    import openai

    with openai.OpenAI(base_url=plan["base_url"] + "/v1", api_key="none", max_retries=0) as client:
        return chat_with(client, plan, execute)


def chat_with(client, plan, execute):
    messages = [{"role": "system", "content": plan["system"]}, {"role": "user", "content": plan["prompt"]}]
    tools = [
        {"type": "function", "function": {"name": t["name"], "description": t.get("description", ""), "parameters": t["inputSchema"]}}
        for t in plan["tools"]
    ]
    usage = []
    for _ in range(plan["max_steps"]):
        about = {"model": "gpt-5.2", "messages": messages, "tools": tools}
        if plan["stream"]:
            with client.chat.completions.stream(**about, stream_options={"include_usage": True}) as stream:
                completion = stream.get_final_completion()
        else:
            completion = client.chat.completions.create(**about)
        usage.append(completion.usage.to_dict())
        message = completion.choices[0].message
        calls = [
            {"id": c.id, "type": "function", "function": {"name": c.function.name, "arguments": c.function.arguments}}
            for c in message.tool_calls or []
        ]
        messages.append({"role": "assistant", "content": message.content, **({"tool_calls": calls} if calls else {})})
        if not calls:
            return messages, message.content, completion.choices[0].finish_reason, usage
        for call in calls:
            function = call["function"]
            answer = execute(function["name"], json.loads(function["arguments"]))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": answer})
    return messages, None, "steps", usage


def responses(plan, execute):
    import openai

    with openai.OpenAI(base_url=plan["base_url"] + "/v1", api_key="none", max_retries=0) as client:
        return responses_with(client, plan, execute)


def responses_with(client, plan, execute):
    items = [{"role": "user", "content": plan["prompt"]}]
    tools = [
        {"type": "function", "name": t["name"], "description": t.get("description", ""), "parameters": t["inputSchema"], "strict": False}
        for t in plan["tools"]
    ]
    usage = []
    for _ in range(plan["max_steps"]):
        about = {"model": "gpt-5.4", "instructions": plan["system"], "input": items, "tools": tools}
        if plan["stream"]:
            with client.responses.stream(**about) as stream:
                response = stream.get_final_response()
        else:
            response = client.responses.create(**about)
        usage.append(response.usage.to_dict())
        output = [item.to_dict() for item in response.output]
        for item in output:
            item.pop("parsed_arguments", None)
            for part in item.get("content") or []:
                part.pop("parsed", None)
        items += output
        calls = [item for item in output if item["type"] == "function_call"]
        if not calls:
            return items, response.output_text, response.status, usage
        for call in calls:
            answer = execute(call["name"], json.loads(call["arguments"]))
            items.append({"type": "function_call_output", "call_id": call["call_id"], "output": answer})
    return items, None, "steps", usage


def messages(plan, execute):
    import anthropic

    with anthropic.Anthropic(base_url=plan["base_url"], api_key="none", max_retries=0) as client:
        return messages_with(client, plan, execute)


def messages_with(client, plan, execute):
    said = [{"role": "user", "content": plan["prompt"]}]
    tools = [
        {"name": t["name"], "description": t.get("description", ""), "input_schema": t["inputSchema"]} for t in plan["tools"]
    ]
    usage = []
    for _ in range(plan["max_steps"]):
        about = {"model": "claude-opus-5-5", "max_tokens": 1024, "system": plan["system"], "messages": said, "tools": tools}
        if plan["stream"]:
            with client.messages.stream(**about) as stream:
                message = stream.get_final_message()
        else:
            message = client.messages.create(**about)
        usage.append(message.usage.to_dict())
        said.append({"role": "assistant", "content": [block.to_dict() for block in message.content]})
        used = [block for block in message.content if block.type == "tool_use"]
        if not used:
            text = "".join(block.text for block in message.content if block.type == "text")
            return said, text, message.stop_reason, usage
        results = [{"type": "tool_result", "tool_use_id": b.id, "content": execute(b.name, b.input)} for b in used]
        said.append({"role": "user", "content": results})
    return said, None, "steps", usage


WIRES = {"chat": chat, "responses": responses, "messages": messages}


def lead(plan):
    ran = []

    def execute(name, args):
        ran.append({"name": name, "args": args})
        return plan["answers"].get(name, f"{name} did it")

    kept, text, finish, usage = WIRES[plan["wire"]](plan, execute)
    return {"messages": kept, "ran": ran, "text": text, "finish": finish, "usage": usage}


def tell(plan):
    try:
        told = {"result": lead(plan)}
    except Exception:
        told = {"error": traceback.format_exc()}
    with printing:
        print(json.dumps({"id": plan["id"], **told}), flush=True)


for line in sys.stdin:
    threading.Thread(target=tell, args=[json.loads(line)]).start()
