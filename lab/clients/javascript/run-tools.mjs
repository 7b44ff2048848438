import OpenAI from "openai";

export async function play({ base_url, tools, execute, system, prompt, stream }) {
  const client = new OpenAI({ baseURL: `${base_url}/v1`, apiKey: "none" });
  const functions = tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: inputSchema, parse: JSON.parse, function: (args) => execute(name, args) },
  }));
  const messages = [
    { role: "system", content: system },
    { role: "user", content: prompt },
  ];
  return client.chat.completions.runTools({ model: "gpt-5.2", messages, tools: functions, stream }).finalContent();
}
