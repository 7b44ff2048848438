/** Tools as they stand in a request that has all of them: what `size` counts. */

import { type Cost, ToolSift, type WireFormat } from "toolsift";
import type { Listed } from "./live.js";

/** What a whole list costs, and each definition in it, in the order of the catalog. */
export interface Request {
  cost: Cost;
  definitions: { bytes: number; tokens: number }[];
}

/** The format in which tools are counted, where a command line names no other. */
export const COUNTED_FORMAT = "openai";

/** The list of tools of a request with all tools in full. Tokens are characters / 4. */
export function requestOf(lists: readonly Listed[], format: WireFormat): Request {
  const all = new ToolSift({ activation: "off" });
  try {
    for (const { server, tools } of lists) all.register(tools as never, { server, names: "alias" });
    const { tools, size } = all.session("request").assemble({ format });
    const definitions = tools.flatMap<object>((one) => ("functionDeclarations" in one ? one.functionDeclarations : [one]));
    const written = definitions.map((one) => JSON.stringify(one));
    return {
      cost: size.full,
      definitions: written.map((text) => ({ bytes: Buffer.byteLength(text), tokens: Math.ceil(text.length / 4) })),
    };
  } finally {
    all.dispose();
  }
}
