/** What do the tests of Mastra's agents share? Tools of each kind, and processes, each with an agent of its own. */

import { startVendor } from "../../apis/vendor.mjs";
import { chat } from "../../apis/chat.mjs";
import { appWith } from "./app.mjs";
import { agentOf, mastra } from "./drives/mastra.mjs";

export { add, call, DISCOVERY } from "./calls.mjs";

const PACKAGES = mastra.versions[0];

/** What the tests need of the application's packages. */
export async function parts() {
  const app = await appWith(PACKAGES);
  const core = ["tools", "mastra", "storage", "memory", "request-context"].map((name) => `@mastra/core/${name}`);
  const modules = await Promise.all(["toolsift", "toolsift/mastra", ...core, "zod"].map(app.load));
  return Object.assign({ app }, ...modules);
}

/** A vendor for as long as the test uses it. */
export async function withVendor(reply, use) {
  const vendor = await startVendor(chat, reply);
  try {
    return await use(vendor);
  } finally {
    await vendor.close();
  }
}

/** Mastra's tools for the tests: one of each kind, and what was run. */
export async function natives() {
  const { createTool, z } = await parts();
  const ran = [];
  const tools = {
    measure_depth: createTool({
      id: "measure-depth",
      description: "Measure how deep the harbour is on a day.",
      inputSchema: z.object({ day: z.coerce.date(), place: z.string().default("Oslo") }),
      outputSchema: z.object({ metres: z.number(), unit: z.string().default("m") }),
      execute: async (input, context) => {
        ran.push({ name: "measure_depth", input, context });
        return { metres: 12 };
      },
      // Mastra asks it of its own refusals, too.
      toModelOutput: ({ message, metres, unit }) => ({ type: "text", value: message ?? `${metres} ${unit} deep` }),
    }),
    delete_repository: createTool({
      id: "delete-repository",
      description: "Delete a repository for good.",
      inputSchema: z.object({ repo: z.string() }),
      requireApproval: true,
      execute: async (input) => {
        ran.push({ name: "delete_repository", input });
        return { gone: input.repo };
      },
    }),
    ask_captain: createTool({
      id: "ask-captain",
      description: "Ask the captain a question and wait for the answer.",
      inputSchema: z.object({ question: z.string() }),
      suspendSchema: z.object({ question: z.string() }),
      resumeSchema: z.object({ answer: z.string() }),
      execute: async ({ question }, { agent }) => {
        ran.push({ name: "ask_captain", resumed: agent.resumeData !== undefined });
        return agent.resumeData === undefined ? agent.suspend({ question }) : `The captain says ${agent.resumeData.answer}`;
      },
    }),
  };
  return { tools, ran };
}

/** A process: a catalog, a processor and an agent of its own, over storage that other processes may share. */
export async function processOf(url, { tools, settings = {}, storage, memory, agentTools, ...options } = {}) {
  const { app, ToolSift, siftProcessor, Mastra, InMemoryStore } = await parts();
  const sift = new ToolSift({ activation: "on", ...settings });
  const processor = siftProcessor(sift, { tools, ...options });
  const own = { inputProcessors: [processor], ...(memory && { memory }), ...(agentTools && { tools: agentTools }) };
  const agent = await agentOf(app, url, own);
  const instance = new Mastra({ agents: { agent }, storage: storage ?? new InMemoryStore(), logger: false });
  return { sift, processor, agent: instance.getAgent("agent") };
}
