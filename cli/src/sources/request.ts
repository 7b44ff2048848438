/** Definitions as they stand in a request that has all of them: what `size` counts. */

import { type TextCost, ToolSift, type WireFormat } from "toolsift";
import type { Listed } from "./live.js";

/** The cost of a definition, and its cost as the server sends it. */
export interface DefinitionCost extends TextCost {
  name: string;
  originalName: string;
  server: string | null;
  sent: TextCost;
}

/** The format in which tools are counted, where a command line names no other. */
export const COUNTED_FORMAT = "openai";

/** The tools of a request with all tools in full, in the order of the catalog. Tokens are characters / 4. */
export function definitionsIn(lists: readonly Listed[], format: WireFormat): DefinitionCost[] {
  const all = new ToolSift({ activation: "off" });
  try {
    for (const { server, tools } of lists) all.register(tools as never, { server, names: "alias" });
    const { tools } = all.session("request").assemble({ format });
    const definitions = tools.flatMap<object>((one) => ("functionDeclarations" in one ? one.functionDeclarations : [one]));
    // A skill is in no list of tools: what it costs is its name and description.
    const written = new Map(
      all
        .tools()
        .filter(({ skill }) => skill !== true)
        .map(({ name }, at) => [name, costOf(JSON.stringify(definitions[at]))]),
    );
    return all.tools().map(({ name, originalName, server, sent, ...kept }) => {
      const cost = written.get(name) ?? { bytes: kept.bytes, tokens: kept.tokens };
      // What is left out of a schema is the same in every format.
      const left = { bytes: sent.bytes - kept.bytes, tokens: sent.tokens - kept.tokens };
      const whole = { bytes: cost.bytes + left.bytes, tokens: cost.tokens + left.tokens };
      return { name, originalName, server, ...cost, sent: whole };
    });
  } finally {
    all.dispose();
  }
}

const costOf = (text: string): TextCost => ({ bytes: Buffer.byteLength(text), tokens: Math.ceil(text.length / 4) });
