/** Keeps answers of tools that were cut for the model, and the tool by which the model reads on in them. */

import type { Assembly, Outcome, WireFormat } from "./types.js";
import { kind, parsed } from "./values.js";

/** The tool's name. It is offered once an answer of its session was cut. */
export const READ_ON = "read_cut_answer";
/** Characters that are kept of one session's answers. */
const SESSION_CHARS = 8_000_000;
/** Characters that are kept of all answers of a `ToolSift`. */
const ALL_CHARS = 32_000_000;

const DESCRIPTION = "Reads on in an answer that was cut. The end of a cut answer says with which id and from where.";
const PARAMETERS = {
  type: "object" as const,
  properties: {
    id: { type: "string", description: "The id at the end of the cut answer" },
    from: { type: "integer", minimum: 0, description: "The character to read on from" },
  },
  required: ["id", "from"],
};

/** An answer, the unique key of the session that it was given in, and how much of it is read at once. */
interface CutAnswer {
  id: string;
  session: string;
  text: string;
  page: number;
}

/** The answers that are kept, the oldest first. */
export class KeptAnswers {
  #answers: CutAnswer[] = [];
  #count = 0;

  /** Whether a session has any. */
  has(session: string): boolean {
    return this.#answers.some((one) => one.session === session);
  }

  /** Keeps an answer, and forgets the oldest ones for it. Returns its id; undefined if it is longer than may be kept. */
  keep(session: string, text: string, page: number): string | undefined {
    const known = this.#answers.find((one) => one.session === session && one.text === text);
    if (known !== undefined) return known.id;
    if (text.length > SESSION_CHARS) return undefined;
    const id = `r${++this.#count}`;
    this.#answers.push({ id, session, text, page });
    this.#shrink(SESSION_CHARS, (one) => one.session === session);
    this.#shrink(ALL_CHARS, () => true);
    return id;
  }

  /** Forgets the answers of a session. */
  drop(session: string): void {
    this.#answers = this.#answers.filter((one) => one.session !== session);
  }

  /** Answers a call of the model. */
  read(session: string, args: unknown): Outcome {
    const { id, from = 0 } = argumentsOf(args);
    const kept = this.#answers.find((one) => one.session === session && one.id === id);
    if (kept === undefined) {
      return wrong(`There is no answer ${kind(id)} to read on in. Call the tool again for less at once.`);
    }
    const { text, page } = kept;
    if (typeof from !== "number" || !Number.isInteger(from) || from < 0 || from >= text.length) {
      return wrong(`from is ${kind(from)}; it must be a whole number from 0 to ${text.length - 1}`);
    }
    const rest = cutWithNote(text.slice(from), page, (length) => {
      const to = from + length;
      return `\n\n[These are the characters from ${from} to ${to} of ${text.length}. ${readOn(kept.id, to)}.]`;
    });
    return { kind: "result", content: rest, isError: false, errorCode: null, revealed: [] };
  }

  #shrink(most: number, counts: (one: CutAnswer) => boolean): void {
    let left = most;
    // From the newest on: the oldest are those for which nothing is left.
    const stay = [...this.#answers].reverse().filter((one) => !counts(one) || (left -= one.text.length) >= 0);
    this.#answers = stay.reverse();
  }
}

/** What the model is told to read on. */
export function readOn(id: string, from: number): string {
  return `To read on, call ${READ_ON}(${JSON.stringify({ id, from })})`;
}

/** The text, or its beginning and a note that says how long this beginning is; never more than `most` characters. */
export function cutWithNote(text: string, most: number, note: (kept: number) => string): string {
  if (text.length <= most) return text;
  const room = most - note(most).length;
  // A character must not be cut in two.
  const kept = /[\uD800-\uDBFF]/.test(text.charAt(room - 1)) ? room - 1 : room;
  return `${text.slice(0, kept)}${note(kept)}`;
}

/** The assembly with the tool at the end of its list, counted at four characters a token. */
export function withReadOn<F extends WireFormat>(assembly: Assembly<F>, format: WireFormat): Assembly<F> {
  const tools = [...assembly.tools] as object[];
  const [definition, entry] = written(format);
  const [first] = tools as { functionDeclarations?: object[] }[];
  if (first?.functionDeclarations === undefined) tools.push(entry);
  else tools[0] = { functionDeclarations: [...first.functionDeclarations, definition] };
  const text = `,${JSON.stringify(definition)}`;
  const add = (cost: { tools: number; bytes: number; tokens: number }) => {
    const [bytes, tokens] = [cost.bytes + text.length, cost.tokens + Math.ceil(text.length / 4)];
    return { tools: cost.tools + 1, bytes, tokens };
  };
  const { full, parts, prefix } = assembly.size;
  const request = add(assembly.size.request);
  const tokens = full.tokens - request.tokens;
  const saved = { bytes: full.bytes - request.bytes, tokens, share: full.tokens === 0 ? 0 : tokens / full.tokens };
  const size = { full, request, parts: { ...parts, discovery: add(parts.discovery) }, saved, prefix };
  return { ...assembly, tools: tools as Assembly<F>["tools"], roles: [...assembly.roles, "discovery"], size };
}

/** The definition, and the entry of the list of tools that holds it. */
function written(format: WireFormat): [object, object] {
  const named = { name: READ_ON, description: DESCRIPTION };
  const same = (one: object): [object, object] => [one, one];
  switch (format) {
    case "openai":
      return same({ type: "function", function: { ...named, parameters: PARAMETERS } });
    case "openai-responses":
      return same({ type: "function", ...named, parameters: PARAMETERS, strict: false });
    case "anthropic":
      return same({ ...named, input_schema: PARAMETERS });
    case "google": {
      const one = { ...named, parametersJsonSchema: PARAMETERS };
      return [one, { functionDeclarations: [one] }];
    }
    case "bedrock":
      return same({ toolSpec: { ...named, inputSchema: { json: PARAMETERS } } });
    case "mcp":
      return same({ ...named, inputSchema: PARAMETERS });
  }
}

function argumentsOf(args: unknown): { id?: unknown; from?: unknown } {
  return Object(typeof args === "string" ? parsed(args) : args) as { id?: unknown; from?: unknown };
}

function wrong(content: string): Outcome {
  return { kind: "result", content, isError: true, errorCode: "arguments_invalid", revealed: [] };
}
