/** Finds texts that are missing, say nothing, or are too long. */

import { grouped } from "../grouped.js";
import { bare, count, listed, namesOf, wordsOfName } from "./text.js";
import type { Check, Examined, Tool } from "./check.js";
import type { Finding } from "./types.js";

/** Characters after which some clients, Claude Code among them, cut a description. */
const MOST_CHARS = 2_048;
/** A server is told when at least so many of its parameters, and at least this share, have no description. */
const UNDESCRIBED = { parameters: 5, share: 0.5 };

export const texts: Check = {
  name: "texts",
  title: "empty and overlong texts",
  *run({ tools }: Examined): Iterable<Finding> {
    const servers = [...grouped(tools, (tool) => tool.server)];
    for (const { level, message, advice, concerns } of KINDS) {
      for (const [server, own] of servers) yield* findingsOf(server, own.filter(concerns), level, message, advice);
    }
    for (const [server, own] of servers) yield* parameters(server, own);
  },
};

/** What can be wrong with a description. */
const KINDS: (Pick<Finding, "level" | "message" | "advice"> & { concerns: (tool: Tool) => boolean })[] = [
  {
    level: "warning",
    message: "no description",
    advice: "Say in a sentence what the tool does and when to use it.",
    concerns: ({ description }) => description.trim() === "",
  },
  {
    level: "note",
    message: "the description only repeats the name",
    advice: "Say what the tool acts on, and what it returns.",
    concerns: saysNothing,
  },
  {
    level: "note",
    message: `the description has more than ${count(MOST_CHARS)} characters; some clients cut it there`,
    advice: "Put what matters first, and move manuals into an answer or a resource.",
    concerns: ({ description }) => description.length > MOST_CHARS,
  },
];

function* findingsOf(
  server: string,
  tools: Tool[],
  level: Finding["level"],
  message: string,
  advice: string,
): Iterable<Finding> {
  if (tools.length === 0) return;
  const names = namesOf(tools);
  const one = names.length === 1;
  yield { check: "texts", level, server, tool: one ? names[0]! : null, ...(!one && { tools: names }), message, advice };
}

/** Whether a description has the words of the name and no others. */
function saysNothing({ description, originalName, opening }: Tool): boolean {
  if (opening === "" || description.length > 80) return false;
  const words = wordsOfName(description).toLowerCase().split(" ");
  const filler = new Set(["a", "an", "the", "this", "tool", "of", "to"]);
  const name = bare(originalName);
  return words.every((word) => filler.has(word) || name.includes(word));
}

function* parameters(server: string, tools: readonly Tool[]): Iterable<Finding> {
  let all = 0;
  const bareNames: string[] = [];
  for (const { inputSchema, originalName } of tools) {
    for (const [name, schema] of Object.entries(Object(inputSchema["properties"]))) {
      all += 1;
      const { description } = Object(schema) as { description?: unknown };
      if (typeof description !== "string" || description.trim() === "") bareNames.push(`${originalName}.${name}`);
    }
  }
  if (bareNames.length < UNDESCRIBED.parameters || bareNames.length < UNDESCRIBED.share * all) return;
  yield {
    check: "texts",
    level: "note",
    server,
    tool: null,
    message: `${bareNames.length} of ${all} parameters have no description: ${listed(bareNames)}`,
    advice: "Describe each parameter: its form, an example, what leaving it out means.",
  };
}
