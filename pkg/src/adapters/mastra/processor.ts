/** A processor that gives each step of an agent the tools of its session. Mastra keeps running them. */

import type {
  ProcessInputStepArgs,
  ProcessInputStepResult,
  ProcessLLMResponseArgs,
  Processor,
} from "@mastra/core/processors";
import type { RequestContext } from "@mastra/core/request-context";
import type { ToolSift } from "../../index.js";
import { searchAhead } from "../../loop/ahead.js";
import { Recent } from "../../base/recent.js";
import { isNew, optionsFor } from "../lib/catalog.js";
import { answer, callsOf, lost, recall, neutralMessages } from "./messages.js";
import { OPTIONS, type MastraTools, type ProcessorOptions } from "./options.js";
import { Run } from "./run.js";
import { aboutRun } from "./session-id.js";
import { Sessions } from "./sessions.js";
import { Toolbox } from "./toolbox.js";

/** So many names are kept of tools that runs without a thread have called. */
const MOST_LATELY = 256;

/** What Mastra tells when it asks for the tools of held calls: also which tools the agent has by itself. */
interface ToolsRequest {
  requestContext?: RequestContext;
  tools?: Record<string, unknown>;
}

/**
 * A processor for Mastra's agents: each step is sent the discovery tools, the agent's own, and what the session of the
 * thread has loaded.
 *
 * ```ts
 * const agent = new Agent({ ..., inputProcessors: [siftProcessor(sift, { tools, execute })] });
 * ```
 *
 * One processor serves any number of threads and runs at once. A run that is stopped, since the model made nothing but
 * calls that cannot be run, ends with a tripwire of this processor.
 *
 * @throws ToolSiftError `option_invalid`, `option_unknown`, `limit_out_of_range`; `tool_shape_unknown` for what is no tool
 * of Mastra's; what `sift.register` throws for one of the tools
 */
export function siftProcessor(sift: ToolSift, options: ProcessorOptions = {}): SiftProcessor {
  return new SiftProcessor(sift, options);
}

/** What `siftProcessor` returns. */
export class SiftProcessor implements Processor<"toolsift"> {
  readonly id = "toolsift";
  readonly #options: ProcessorOptions;
  readonly #sessions: Sessions;
  readonly #toolbox: Toolbox;
  /** For runs without a thread: the tools that a held call may be of. */
  readonly #lately = new Recent<string, true>(MOST_LATELY);

  /** @internal */
  constructor(sift: ToolSift, options: ProcessorOptions) {
    this.#options = optionsFor(sift, options, OPTIONS);
    this.#sessions = new Sessions(sift, this.#options);
    this.#toolbox = new Toolbox(sift, this.#options);
  }

  /** Sets the tools and the prompt section of a step, after recording the outcomes of the previous step's calls. */
  async processInputStep(args: ProcessInputStepArgs): Promise<ProcessInputStepResult> {
    const { messageList, requestContext, state, activeTools } = args;
    const known = state["run"] as Run | undefined;
    const run = known ?? new Run({ ...this.#options, ...this.#sessions.open(requestContext) });
    state["run"] = run;
    const calls = known === undefined ? lost(messageList) : [];
    const choices = calls.length > 0 ? await run.rank(calls, args.abortSignal) : [];
    run.renew();
    recall(run.session, messageList, aboutRun(requestContext).threadId, this.#options);
    searchAhead(run.session, this.#options, { messages: neutralMessages(messageList.get.all.db()) });
    if (known === undefined) run.adopt(calls, choices);

    const { tools: definitions, systemPrompt } = run.session.assemble({ format: "mcp" });
    const { left, sent: before } = run;
    const { provider } = Object(args.model) as { provider?: unknown };
    const tools = this.#toolbox.step(run, definitions, (args.tools ?? {}) as MastraTools, provider);
    answer(messageList, left, before, run.sent);
    if (run.driver.stuck) {
      this.#sessions.close(run);
      args.abort("the model made nothing but calls that cannot be run", { metadata: { session: run.session.id } });
    }
    messageList.clearSystemMessages(this.id);
    if (systemPrompt !== "") messageList.addSystem(systemPrompt, this.id);
    return activeTools === undefined ? { tools } : { tools, activeTools: [...activeTools, ...run.sent] };
  }

  async processLLMResponse({ state, chunks, abortSignal }: ProcessLLMResponseArgs): Promise<undefined> {
    const run = state["run"] as Run | undefined;
    if (run === undefined) return;
    const calls = callsOf(chunks);
    await run.reply(calls, abortSignal);
    if (calls.length === 0) this.#sessions.close(run);
    const left = run.alone ? run.left : [];
    for (const { call, outcome } of left) if (outcome.kind === "dispatch") this.#lately.set(call.name, true);
  }

  /**
   * The tools that a call may be of that was held back, for approval or because its tool suspended itself. Mastra asks for
   * them when an agent goes on with such a call, before any step is made.
   */
  getLoadedToolsForRequestContext(request: ToolsRequest = {}): MastraTools {
    const { requestContext, tools } = request;
    const agents = new Set(Object.keys(tools ?? {}));
    const opened = this.#sessions.open(requestContext);
    const { session, alone } = opened;
    // What a new session has loaded stands in messages that are not at hand here. So calls of the same reply that are still
    // to run do, loaded or not, as far as the scope has them.
    const all = !alone && isNew(session);
    const asking = session.tools().filter(({ name, state }) => {
      if (state === "hidden" || agents.has(name)) return false;
      if (alone) return this.#lately.has(name) || this.#toolbox.holds(name);
      return all || state !== "deferred" || this.#lately.has(name);
    });
    const held = new Map(asking.map(({ name, originalName, server }) => [name, { name: originalName, server }]));
    const given = this.#toolbox.held(new Run({ ...this.#options, ...opened, held }), held.keys());
    this.#sessions.close(opened);
    return given;
  }
}
