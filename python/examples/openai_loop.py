"""The loop of an agent, written out, over the client of OpenAI and every vendor that speaks Chat Completions."""

import asyncio
import json
import os
from typing import Any

from openai import AsyncOpenAI

from toolsift import Toolbox, toolsift


OWN = "You help."


async def run(client: AsyncOpenAI, box: Toolbox, chat: str, messages: list[Any], model: str, steps: int = 20) -> str | None:
    session = box.session(chat)
    session.prefetch(messages[-1]["content"])
    for _ in range(steps):
        request: Any = session.assemble("openai")
        system: Any = {"role": "system", "content": f"{OWN}\n\n{request['system_prompt']}"}
        reply = await client.chat.completions.create(model=model, messages=[system, *messages], tools=request["tools"])
        message: Any = reply.choices[0].message
        messages.append(message.model_dump(exclude_none=True))
        if not message.tool_calls:
            return str(message.content)
        calls = [(call.function.name, call.function.arguments) for call in message.tool_calls]
        answers = await asyncio.gather(*(box.answer(session, *call) for call in calls))
        for call, answer in zip(message.tool_calls, answers):
            messages.append({"role": "tool", "tool_call_id": call.id, "content": answer.text})
    return None


async def main() -> None:
    async with toolsift(json.load(open(".mcp.json")), env=os.environ) as box:
        question = [{"role": "user", "content": "Echo the word hello."}]
        print(await run(AsyncOpenAI(), box, "chat-42", question, model="gpt-5.4"))


if __name__ == "__main__":
    asyncio.run(main())
