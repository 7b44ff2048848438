/** Finds tools with expensive definitions. */

import { count } from "./text.js";
import type { Check, Examined, Found, Tool } from "./check.js";

/** The share of a tool's tokens above which its description is the main cost. */
const MOST_OF_IT = 0.5;

export const cost: Check = {
  name: "cost",
  title: "cost most",
  *run({ tools, maxTokens }: Examined): Iterable<Found> {
    const expensive = tools.filter(({ tokens }) => tokens > maxTokens).sort((a, b) => b.tokens - a.tokens);
    for (const tool of expensive) {
      const described = Math.ceil(tool.description.length / 4);
      const parts = `${count(described)} of them in the description`;
      yield {
        level: "warning",
        server: tool.server,
        tool: tool.originalName,
        message: `${count(tool.tokens)} tokens, ${parts}${largest(tool)}`,
        advice:
          described > MOST_OF_IT * tool.tokens
            ? "Keep in the description when to use the tool; move manuals and examples into an answer or a resource."
            : "Make the parameters flatter, share repeated parts, or split the tool.",
      };
    }
  },
};

/** Returns a text on the largest parameter, if it takes a quarter of the tool's tokens. */
function largest({ inputSchema, tokens }: Tool): string {
  const sizes = Object.entries(Object(inputSchema["properties"])).map(([name, schema]) => ({
    name,
    tokens: Math.ceil((JSON.stringify(schema) ?? "").length / 4),
  }));
  const [top] = sizes.sort((a, b) => b.tokens - a.tokens);
  if (top === undefined || top.tokens < 0.25 * tokens) return "";
  return `, ${count(top.tokens)} in the parameter ${JSON.stringify(top.name)}`;
}
