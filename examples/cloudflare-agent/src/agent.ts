/** How does an agent of Cloudflare search tools? Each conversation is a Durable Object, which keeps messages and reveals. */

import { createOpenAI } from "@ai-sdk/openai";
import { Agent, getAgentByName } from "agents";
import { generateText, stepCountIs, type ModelMessage } from "ai";
import { ToolSift } from "toolsift";
import { siftTools } from "toolsift/ai-sdk";
import { SessionStore, type KeyValueStore } from "toolsift/store";
import { tools } from "./tools.ts";

interface Env {
  Helper: DurableObjectNamespace<Helper>;
  OPENAI_API_KEY: string;
  OPENAI_BASE_URL?: string;
}

interface State {
  messages: ModelMessage[];
}

/**
 * The catalog of this isolate, for all conversations that run in it. The example's three tools would all be sent by
 * default ("auto"), since they cost so little; an agent with many tools needs no `activation`.
 */
const sift = new ToolSift({ activation: "on" });
const sifted = siftTools(sift, { tools });

/** The agent's own storage, as a store of sessions. */
function storeOf(storage: DurableObjectStorage): KeyValueStore {
  return {
    getItem: (key) => storage.get<string>(key),
    setItem: (key, value) => storage.put(key, value),
    removeItem: (key) => storage.delete(key),
  };
}

/** One conversation. */
export class Helper extends Agent<Env, State> {
  override initialState: State = { messages: [] };
  readonly #sessions = new SessionStore(sift, storeOf(this.ctx.storage), { ttl: 0 });

  /** Takes `{ prompt }`, and answers `{ text, loaded }`. */
  override async onRequest(request: Request): Promise<Response> {
    const { prompt } = (await request.json()) as { prompt: string };
    const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL } = this.env;
    const openai = createOpenAI({ apiKey, ...(baseURL && { baseURL }) });
    const messages: ModelMessage[] = [...this.state.messages, { role: "user", content: prompt }];
    // Reveals made in here are in the storage when this is over, also if the model's vendor fails.
    const { result, loaded } = await this.#sessions.use(this.name, async (session) => {
      const conversation = (await sifted).for(session, { stopWhen: stepCountIs(20) });
      const result = await generateText({ model: openai.chat("gpt-5.4"), messages, ...conversation });
      return { result, loaded: session.revealed };
    });
    this.setState({ messages: [...messages, ...result.response.messages] });
    return Response.json({ text: result.text, loaded });
  }
}

export default {
  /** `POST /CONVERSATION` asks the agent of a conversation. */
  async fetch(request: Request, env: Env): Promise<Response> {
    const name = new URL(request.url).pathname.slice(1);
    if (request.method !== "POST" || name === "") return new Response("POST /CONVERSATION with { prompt }", { status: 404 });
    const agent = await getAgentByName(env.Helper, name);
    return agent.fetch(request);
  },
};
