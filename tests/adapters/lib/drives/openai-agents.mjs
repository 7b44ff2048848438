/** Drives an agent of the OpenAI Agents SDK, whose model speaks Chat Completions or the Responses API. */

import { startVendor } from "../../../apis/vendor.mjs";
import { compatible as chat } from "../../../apis/chat.mjs";
import { responses } from "../../../apis/responses.mjs";

const WIRES = { chat, responses };

// Nobody is told of these tests.
process.env.OPENAI_AGENTS_DISABLE_TRACING = "1";

/** A runner whose models are at this address. */
export async function runnerAt(app, url, wire = "chat") {
  const { OpenAIProvider, Runner } = await app.load("@openai/agents");
  const useResponses = wire === "responses";
  const modelProvider = new OpenAIProvider({ baseURL: `${url}/v1`, apiKey: "none", useResponses });
  return new Runner({ modelProvider });
}

/** Leads something with a runner of a vendor that follows a script: `lead({ runner, requests })`. */
export async function withRunner(app, script, lead, wire = "chat") {
  const vendor = await startVendor(WIRES[wire], script);
  try {
    return await lead({ runner: await runnerAt(app, vendor.url, wire), requests: vendor.requests });
  } finally {
    await vendor.close();
  }
}

/** One run, whether it is streamed or not: its result, when it has ended. */
export async function resultOf(runner, agent, input, { stream = false, ...options }) {
  const result = await runner.run(agent, input, { stream, ...options });
  if (!stream) return result;
  for await (const _ of result);
  await result.completed;
  return result;
}

export const openaiAgents = {
  adapter: "toolsift/openai-agents",
  without: {
    own: "the SDK runs the agent's own tools itself",
    "arguments that are no JSON are refused, and go back as none to a vendor that reads them":
      "the SDK answers such a call before any tool hears of it, and sends it back as it is",
  },
  road: "a list of tools that is read before each request: what is revealed is appended",
  versions: [{ "@openai/agents": "agents-0.12" }, { "@openai/agents": "@openai/agents" }],
  // This release gives tools no signal.
  withoutSignal: "agents-0.12",

  async converse({ app, sift, id, scope, prompt, script, execute, maxSteps = 20, wire, stream, door, signal, ...options }) {
    const { Agent, MaxTurnsExceededError, ModelBehaviorError } = await app.load("@openai/agents");
    const { siftAgents, toolsift } = await app.load("toolsift/openai-agents");
    return withRunner(
      app,
      script,
      async ({ runner, requests }) => {
        const agents = door ? await toolsift({ sift, execute, ...options }) : siftAgents(sift, { execute, ...options });
        const session = scope === undefined ? id : sift.session(id, { scope });
        const settings = { name: "agent", instructions: "You are an agent.", model: "gpt-5.4" };
        const agent = new Agent(agents.with(session, settings));
        const ended = (finish, text) => ({ requests: requests.map(ordered), finish, text });
        try {
          const { finalOutput } = await resultOf(
            runner,
            agent,
            prompt,
            agents.runOptions({ stream, signal, maxTurns: maxSteps }),
          );
          signal?.throwIfAborted();
          return ended("done", finalOutput);
        } catch (error) {
          if (error instanceof MaxTurnsExceededError) return ended("steps");
          if (error instanceof ModelBehaviorError && /calls that cannot run/.test(error.message)) return ended("refused");
          throw error;
        } finally {
          if (door) await agents.close();
        }
      },
      wire,
    );
  },
};

/**
 * The SDK answers calls that it finds no tool for behind the others. The contract compares answers in the order of the
 * calls.
 */
export function ordered(request) {
  const { messages, input } = request.body;
  const calls =
    messages === undefined
      ? input.filter(({ type }) => type === "function_call").map(({ call_id }) => call_id)
      : messages.flatMap(({ tool_calls }) => tool_calls ?? []).map(({ id }) => id);
  const given =
    messages === undefined
      ? input.filter(({ type }) => type === "function_call_output").map(({ call_id }) => call_id)
      : messages.filter(({ role }) => role === "tool").map(({ tool_call_id }) => tool_call_id);
  const since = given.slice(given.length - request.answers.length);
  const place = (id) => calls.lastIndexOf(id);
  const answers = since.map((id, at) => [place(id), request.answers[at]]).sort(([a], [b]) => a - b);
  return { ...request, answers: answers.map(([, answer]) => answer) };
}
