from google import genai
from google.genai import types


def play(base_url, wire, tools, execute, system, prompt, stream):
    client = genai.Client(api_key="none", http_options=types.HttpOptions(base_url=base_url))
    functions = [
        types.FunctionDeclaration(name=t["name"], description=t["description"], parameters_json_schema=t["inputSchema"])
        for t in tools
    ]
    config = types.GenerateContentConfig(system_instruction=system, tools=[types.Tool(function_declarations=functions)])
    chat = client.chats.create(model="gemini-3.8-flash", config=config)
    message = prompt
    while True:
        replies = list(chat.send_message_stream(message)) if stream else [chat.send_message(message)]
        calls = [call for reply in replies for call in reply.function_calls or []]
        if not calls:
            return "".join(reply.text or "" for reply in replies)
        message = [
            types.Part(function_response=types.FunctionResponse(
                id=call.id, name=call.name, response={"output": execute(call.name, call.args)}
            ))
            for call in calls
        ]
