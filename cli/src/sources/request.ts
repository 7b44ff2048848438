/** Counts the cost of each definition in a request that sends all tools, for `toolsift size`. */

import { type TextCost, ToolSift, type WireFormat } from "toolsift";
import type { Listed } from "./live.js";

/** The cost of a definition as toolsift sends it. `sent` is its cost as the server sends it. */
export interface DefinitionCost extends TextCost {
  name: string;
  originalName: string;
  server: string | null;
  sent: TextCost;
}

/** The default format in which the cost of tools is counted. */
export const COUNTED_FORMAT = "openai";

/** Returns the cost of every tool if all are sent in full, in the order of the catalog. Tokens are characters / 4. */
export function definitionsIn(lists: readonly Listed[], format: WireFormat): DefinitionCost[] {
  const all = new ToolSift({ activation: "off" });
  try {
    for (const { server, tools } of lists) all.register(tools as never, { server, names: "alias" });
    const { tools } = all.session("request").assemble({ format });
    const definitions = tools.flatMap<object>((one) => ("functionDeclarations" in one ? one.functionDeclarations : [one]));
    // A skill is not in the list of tools: its cost is that of its name and description.
    const written = new Map(
      all
        .tools()
        .filter(({ skill }) => skill !== true)
        .map(({ name }, at) => [name, costOf(JSON.stringify(definitions[at]))]),
    );
    return all.tools().map(({ name, originalName, server, sent, ...kept }) => {
      const cost = written.get(name) ?? { bytes: kept.bytes, tokens: kept.tokens };
      // The parts that toolsift leaves out of a schema are the same in every format.
      const left = { bytes: sent.bytes - kept.bytes, tokens: sent.tokens - kept.tokens };
      const whole = { bytes: cost.bytes + left.bytes, tokens: cost.tokens + left.tokens };
      return { name, originalName, server, ...cost, sent: whole };
    });
  } finally {
    all.dispose();
  }
}

const costOf = (text: string): TextCost => ({ bytes: Buffer.byteLength(text), tokens: Math.ceil(text.length / 4) });
