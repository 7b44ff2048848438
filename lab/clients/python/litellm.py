import json

import litellm


def play(base_url, wire, tools, execute, system, prompt, stream):
    model = {
        "chat": {"model": "openai/gpt-5.2", "api_base": base_url + "/v1"},
        "messages": {"model": "anthropic/claude-opus-5-5", "api_base": base_url},
    }[wire]
    functions = [
        {"type": "function", "function": {"name": t["name"], "description": t["description"], "parameters": t["inputSchema"]}}
        for t in tools
    ]
    messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]
    while True:
        reply = litellm.completion(**model, api_key="none", messages=messages, tools=functions, stream=stream)
        if stream:
            reply = litellm.stream_chunk_builder(list(reply), messages=messages)
        message = reply.choices[0].message
        messages.append(message)
        if not message.tool_calls:
            return message.content
        for call in message.tool_calls:
            answer = execute(call.function.name, json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": answer})
