/** How does a model on this machine search tools? Ollama, llama.cpp, vLLM and LM Studio speak Chat Completions. */

import OpenAI from "openai";
import { toolsift } from "toolsift/openai";

const files = { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", process.cwd()] };
const memory = {
  command: "npx",
  args: ["-y", "@modelcontextprotocol/server-memory"],
  env: { MEMORY_FILE_PATH: `${process.cwd()}/memory.jsonl` },
};
// By default toolsift sends all tools if they are few. A small model chooses better from fewer tools.
const sift = await toolsift({ mcpServers: { memory, files }, activation: "on" });
const client = new OpenAI({ baseURL: process.env.OLLAMA_URL ?? "http://127.0.0.1:11434/v1", apiKey: "ollama" });
const { text } = await sift.run("chat", client, {
  model: "qwen3:8b",
  messages: [{ role: "user", content: "Remember that Ada likes engines." }],
});
console.log(text);
await sift.close();
