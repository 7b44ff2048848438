/** What do agents and graphs have in common? Requests with a session's tools, answers to calls, and a stop. */

import type { BaseMessage } from "@langchain/core/messages";
import { SystemMessage } from "@langchain/core/messages";
import type { ToolSift } from "../../index.js";
import { joined } from "../lib/prompt.js";
import { Answers } from "./answers.js";
import { type BoundTool, Catalog } from "./catalog.js";
import { checked, type LangChainOptions, type RunInfo, type Settings } from "./options.js";
import { refusedReplies } from "./replies.js";
import { inSession } from "./thread.js";

/** Leads the runs of one agent, each in its session. `A` is what a tool of LangChain's answers with. */
export class Lead<A> {
  readonly catalog: Catalog;
  readonly answers: Answers<A>;
  readonly #sift: ToolSift;
  readonly #settings: Settings;

  constructor(sift: ToolSift, options: LangChainOptions) {
    this.#sift = sift;
    this.#settings = checked(sift, options);
    this.catalog = new Catalog(sift, options.tools ?? []);
    this.answers = new Answers(sift, this.#settings, this.catalog);
  }

  /** The session's tools and prompt section for the next request. */
  assemble(messages: readonly BaseMessage[], run: RunInfo): { tools: BoundTool[]; systemPrompt: string } {
    const { tools, systemPrompt } = inSession(this.#sift, this.#settings, run, messages, (session) => session.assemble());
    return { tools: tools.map((tool) => this.catalog.bound(tool)), systemPrompt };
  }

  /** Whether the model went on with calls that cannot be run for as long as is borne. */
  stuck(messages: readonly BaseMessage[]): boolean {
    return refusedReplies(messages) >= this.#settings.patience;
  }

  /** What a run says that is stopped. */
  get stopped(): string {
    return `Stopped: ${this.#settings.patience} replies in a row called nothing that can be run.`;
  }
}

/** The host's system message with the prompt section behind what it says. */
export function withPrompt(message: SystemMessage, prompt: string): SystemMessage {
  if (prompt === "") return message;
  const { content } = message;
  const said = typeof content === "string" ? joined(content, prompt) : [...content, { type: "text" as const, text: prompt }];
  return new SystemMessage({ ...message, content: said } as ConstructorParameters<typeof SystemMessage>[0]);
}
