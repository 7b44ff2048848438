import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";

export async function play({ base_url, wire, tools, execute, system, prompt, stream }) {
  const about = { model: "gpt-5.2", apiKey: "none", useResponsesApi: wire === "responses" };
  const agent = createAgent({
    model: new ChatOpenAI({ ...about, configuration: { baseURL: `${base_url}/v1` } }),
    tools: tools.map(({ name, description, inputSchema }) =>
      tool((args) => execute(name, args), { name, description, schema: inputSchema }),
    ),
    systemPrompt: system,
  });
  const input = { messages: [{ role: "user", content: prompt }] };
  if (!stream) return (await agent.invoke(input)).messages.at(-1).text;
  let text = "";
  for await (const [message] of await agent.stream(input, { streamMode: "messages" })) {
    if (message.getType() === "ai") text += message.text;
  }
  return text;
}
