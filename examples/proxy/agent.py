import json, os, openai

client = openai.OpenAI(base_url=os.environ["PROXY_URL"] + "/v1")
listed = json.load(open(os.path.join(os.path.dirname(__file__), "../worker/catalog/weather.json")))
keys = {"name": "name", "description": "description", "parameters": "inputSchema"}
shapes = [{key: tool[of] for key, of in keys.items()} for tool in listed]
tools = [{"type": "function", "function": shape} for shape in shapes]
messages = [{"role": "user", "content": "When is high water in Brest?"}]
completion = client.chat.completions.create(model="gpt-5.4", messages=messages, tools=tools)
print([call.function.name for call in completion.choices[0].message.tool_calls])
