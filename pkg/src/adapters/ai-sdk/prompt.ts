/** Puts the prompt section behind the host's own instructions, in each way in which a version of AI SDK takes them. */

import type { ModelMessage, SystemModelMessage } from "ai";
import { joined } from "../../wire/prompt.js";

/** A system prompt as AI SDK takes it. */
export type Instructions = string | SystemModelMessage | SystemModelMessage[];

/** The prompt as the two versions of AI SDK pass it to a step, and as a host's own `prepareStep` may return it. */
export interface Prompting {
  steps: object;
  messages: ModelMessage[];
  /** From ai 7 on: the value of the previous step. */
  instructions?: Instructions | undefined;
  /** From ai 7 on. */
  initialInstructions?: Instructions | undefined;
}

/** The prompt that a step returns. */
export interface Prompted {
  system?: Instructions | undefined;
  instructions?: Instructions | undefined;
  messages?: ModelMessage[] | undefined;
}

/** Keeps the host's instructions apart from ours, which ai 7 carries on from step to step together. */
export class Prompt {
  readonly #given: Instructions | undefined;
  /** By the list of steps, which is one and the same throughout a run. */
  readonly #before = new WeakMap<object, Instructions | undefined>();

  constructor(given: Instructions | undefined) {
    this.#given = given;
  }

  /** The instructions for the host's own `prepareStep`: the host's, without ours. */
  forHost<T extends Prompting>(options: T): T {
    return isSeven(options) ? { ...options, instructions: this.#host(options) } : options;
  }

  step(options: Prompting, own: Prompted, section: string): Prompted {
    if (!isSeven(options)) return this.#six(options, own, section);
    const host = own.instructions ?? own.system ?? this.#host(options);
    this.#before.set(options.steps, host);
    // If a step returns none, ai 7 keeps those of the previous step, and with them an outdated section.
    const instructions = behind(host, section) ?? (options.instructions && "");
    return instructions === undefined ? {} : { instructions };
  }

  /** ai 6 does not pass the host's system prompt to a step, and would replace it. So the section is sent as a message. */
  #six({ messages }: Prompting, own: Prompted, section: string): Prompted {
    const host = own.system ?? this.#given;
    if (host !== undefined) return { system: behind(host, section) };
    if (section === "") return {};
    const all = own.messages ?? messages;
    const others = all.findIndex(({ role }) => role !== "system");
    const at = others < 0 ? all.length : others;
    return { messages: [...all.slice(0, at), systemMessage(section), ...all.slice(at)] };
  }

  #host({ steps, initialInstructions }: Prompting): Instructions | undefined {
    return this.#before.has(steps) ? this.#before.get(steps) : (this.#given ?? initialInstructions);
  }
}

function isSeven(options: object): boolean {
  return "initialInstructions" in options;
}

function behind(host: Instructions | undefined, section: string): Instructions | undefined {
  if (host === undefined || typeof host === "string") return joined(host, section) || host;
  const all = Array.isArray(host) ? host : [host];
  return section === "" ? all : [...all, systemMessage(section)];
}

function systemMessage(content: string): SystemModelMessage {
  return { role: "system", content };
}
