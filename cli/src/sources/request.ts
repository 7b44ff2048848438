/** Tools as they stand in a request that has all of them: what `size` counts. */

import { type Cost, ToolSift, type WireFormat } from "toolsift";
import type { Listed } from "./live.js";

/** What a text costs. */
export interface TextCost {
  bytes: number;
  tokens: number;
}

/** What a definition costs, and what it would cost as its server sends it. */
export interface DefinitionCost extends TextCost {
  server: string | null;
  sent: TextCost;
}

/** What a whole list costs, and each definition in it, in the order of the catalog. */
export interface Request {
  cost: Cost;
  definitions: DefinitionCost[];
}

/** The format in which tools are counted, where a command line names no other. */
export const COUNTED_FORMAT = "openai";

/**
 * The list of tools of a request with all tools in full. Definitions in schemas (`$defs`) that no parameter reaches are left out
 * of a request; other clients send them. Tokens are characters / 4.
 */
export function requestOf(lists: readonly Listed[], format: WireFormat): Request {
  const all = new ToolSift({ activation: "off" });
  try {
    const schemas = new Map<string, unknown>();
    for (const { server, tools } of lists) {
      all.register(tools as never, { server, names: "alias" });
      for (const tool of tools) schemas.set(keyOf(server, nameIn(tool)), schemaIn(tool));
    }
    const session = all.session("request");
    const { tools, size } = session.assemble({ format });
    const kept = session.assemble({ format: "mcp" }).tools as { inputSchema?: unknown }[];
    const infos = all.tools();
    const definitions = tools.flatMap<object>((one) => ("functionDeclarations" in one ? one.functionDeclarations : [one]));
    return {
      cost: size.full,
      definitions: definitions.map((one, at) => {
        const { originalName, server } = infos[at]!;
        const written = costOf(JSON.stringify(one));
        const left = leftOut(schemas.get(keyOf(server, originalName)), kept[at]!.inputSchema);
        const sent = { bytes: written.bytes + left.bytes, tokens: Math.ceil((written.chars + left.chars) / CHARS_OF_TOKEN) };
        return { server, bytes: written.bytes, tokens: Math.ceil(written.chars / CHARS_OF_TOKEN), sent };
      }),
    };
  } finally {
    all.dispose();
  }
}

const CHARS_OF_TOKEN = 4;

interface Length {
  bytes: number;
  chars: number;
}

const costOf = (text: string): Length => ({ bytes: Buffer.byteLength(text), chars: text.length });
const keyOf = (server: string | null, name: unknown): string => JSON.stringify([server, name]);

/** How much longer a schema is as it was sent than as it is kept. */
function leftOut(sent: unknown, kept: unknown): Length {
  if (sent === undefined) return { bytes: 0, chars: 0 };
  const [before, after] = [costOf(JSON.stringify(sent)), costOf(JSON.stringify(kept))];
  return { bytes: Math.max(0, before.bytes - after.bytes), chars: Math.max(0, before.chars - after.chars) };
}

type Shape = Record<string, unknown> & { function?: Record<string, unknown> };

/** The name of a definition of MCP or of a vendor. */
const nameIn = (tool: unknown): unknown => (Object(tool) as Shape)["name"] ?? (Object(tool) as Shape).function?.["name"];

/** The schema of its parameters; undefined where a vendor has them in another form. */
function schemaIn(tool: unknown): unknown {
  const { inputSchema, input_schema: anthropic, parameters, function: inside } = Object(tool) as Shape;
  return inputSchema ?? anthropic ?? inside?.["parameters"] ?? parameters;
}
