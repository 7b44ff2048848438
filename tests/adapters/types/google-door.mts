import { GoogleGenAI } from "@google/genai";
import { toolsift } from "toolsift/google";

const sift = await toolsift({
  mcpServers: { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] } },
});
const contents = [{ role: "user", parts: [{ text: "Go on." }] }];
const { text, reply } = await sift.run("chat-42", new GoogleGenAI({}), { model: "gemini-3.8-flash", contents });
text satisfies string;
reply.response.candidates?.length satisfies number | undefined;
