import { OpenAI } from "@llamaindex/openai";
import { agent, agentStreamEvent } from "@llamaindex/workflow";
import { FunctionTool } from "llamaindex";

export async function play({ base_url, tools, execute, system, prompt }) {
  const clerk = agent({
    llm: new OpenAI({ model: "gpt-5.2", apiKey: "none", baseURL: `${base_url}/v1` }),
    tools: tools.map(({ name, description, inputSchema }) =>
      FunctionTool.from((args) => execute(name, args), { name, description, parameters: inputSchema }),
    ),
    systemPrompt: system,
  });
  let text = "";
  for await (const event of clerk.runStream(prompt)) {
    if (agentStreamEvent.include(event)) text += event.data.delta;
  }
  return text;
}
