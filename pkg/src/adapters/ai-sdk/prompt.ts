/** Puts the prompt section behind the host's own instructions, in each way in which a version of AI SDK takes them. */

import type { ModelMessage, SystemModelMessage } from "ai";
import { joined } from "../lib/prompt.js";

/** A system prompt as AI SDK takes it. */
export type Instructions = string | SystemModelMessage | SystemModelMessage[];

/** What the two versions tell before a step, and what a host's own `prepareStep` may say of the prompt. */
export interface Prompting {
  steps: object;
  messages: ModelMessage[];
  /** From ai 7 on, what was in force in the step before. */
  instructions?: Instructions | undefined;
  /** From ai 7 on. */
  initialInstructions?: Instructions | undefined;
}

/** What a step says of the prompt. */
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

  /** What the host's own `prepareStep` is told: its own instructions, without ours. */
  told<T extends Prompting>(options: T): T {
    return isSeven(options) ? { ...options, instructions: this.#host(options) } : options;
  }

  /** What the step says of the prompt, with the section behind what the host says. */
  step(options: Prompting, own: Prompted, section: string): Prompted {
    if (!isSeven(options)) return this.#six(options, own, section);
    const host = own.instructions ?? own.system ?? this.#host(options);
    this.#before.set(options.steps, host);
    // Where a step has none, ai 7 goes on with those of the step before, and so with a section that is out of date.
    const instructions = behind(host, section) ?? (options.instructions && "");
    return instructions === undefined ? {} : { instructions };
  }

  /** There, only what is returned replaces the host's system prompt, which is not told: the section is a message. */
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

/** Whether it is ai 7 that asks. */
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
