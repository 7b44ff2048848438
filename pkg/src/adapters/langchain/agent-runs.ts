/** Handles the runs of agents and graphs: builds requests with a session's tools, answers calls, and ends runs. */

import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage, SystemMessage } from "@langchain/core/messages";
import type { ClientTool, ServerTool } from "@langchain/core/tools";
import type { ToolSift } from "../../index.js";
import { fitted, limitOf } from "../../wire/limits.js";
import { withSection } from "../../wire/prompt.js";
import { Answers } from "./answers.js";
import { type BoundTool, Catalog } from "./catalog.js";
import { checked, type LangChainOptions } from "./options.js";
import { refusedReplies } from "./replies.js";
import { inSession, type Owner, type Place } from "./run-session.js";

/** Handles the runs of one agent, with one session for each thread. `A` is the type of an answer of LangChain's tools. */
export class AgentRuns<A> {
  readonly catalog: Catalog;
  readonly answers: Answers<A>;
  readonly #owner: Owner;

  constructor(sift: ToolSift, options: LangChainOptions) {
    this.#owner = { sift, settings: checked(sift, options) };
    this.catalog = new Catalog(sift, options.tools ?? []);
    this.answers = new Answers(this.#owner, this.catalog);
  }

  /**
   * Returns the session's tools and prompt section for the next request.
   *
   * @param agents the agent's own tools
   * @param model the model that receives the request, if it is known
   * @throws ToolSiftError `option_conflict` if an agent's tool has the name of a different tool of the catalog
   */
  assemble(
    place: Place,
    agents: readonly (ClientTool | ServerTool)[] = [],
    model?: unknown,
  ): { tools: BoundTool[]; systemPrompt: string } {
    const { tools, systemPrompt } = inSession(this.#owner, place, (session) => {
      const assembly = session.assemble();
      this.catalog.refuseOthers(agents, session);
      const others = this.catalog.others(agents).length;
      const limit = limitOf(providerOf(model), this.#owner.settings);
      const tools = fitted(assembly.tools, others, session, limit, ({ name }) => String(name));
      return { ...assembly, tools };
    });
    return { tools: tools.map((tool) => this.catalog.bound(tool)), systemPrompt };
  }

  stuck(messages: readonly BaseMessage[]): boolean {
    return refusedReplies(messages) >= this.#owner.settings.patience;
  }

  get stopped(): AIMessage {
    const content = `Stopped: ${this.#owner.settings.patience} replies in a row called nothing that can be run.`;
    return new AIMessage({ content, response_metadata: { toolsift: "refused" } });
  }
}

/** Appends the prompt section to your program's system message. */
export function withPrompt(message: SystemMessage, prompt: string): SystemMessage {
  if (prompt === "") return message;
  const content = withSection(message.content, prompt);
  return new SystemMessage({ ...message, content } as ConstructorParameters<typeof SystemMessage>[0]);
}

/** Returns LangChain's name of a model's vendor, such as `openai` or `googlegenerativeai`. */
function providerOf(model: unknown): unknown {
  const { _llmType: type } = Object(model) as { _llmType?: unknown };
  return typeof type === "function" ? type.call(model) : undefined;
}
