/** Reads the names and descriptions of tools, in every format that `register` accepts. */

import { ToolSiftError } from "../base/errors.js";
import { asList } from "../core/written-list.js";
import { isList } from "../base/values.js";

/** The maximum number of tools in a catalog. */
const TOOLS = 200_000;
/** The maximum length of a description for `register`. */
const DESCRIPTION_CHARS = 65_536;
/** The maximum length of a list for `register`. */
const LIST_CHARS = 64 * 1024 * 1024;

/** The part of a definition by which packs are chosen. */
export interface Definition {
  name: string;
  description: string;
}

/**
 * Returns the definitions of some tools. Values that are no tools are left out; `register` reports them.
 *
 * @throws ToolSiftError `not_json` for a value that is neither a list nor a definition, `catalog_full`, `list_too_large`
 */
export function definitionsOf(tools: unknown): Definition[] {
  const given = asList(tools) ?? [tools];
  const definitions: Definition[] = [];
  let chars = 0;
  for (const [at, tool] of given.entries()) {
    const { functionDeclarations } = fields(tool);
    const declared = isList(functionDeclarations) ? functionDeclarations : [tool];
    if (at >= TOOLS || declared.length > TOOLS) {
      const count = Math.max(given.length, declared.length);
      throw new ToolSiftError("catalog_full", `a list of ${count} tools; a catalog holds at most ${TOOLS}`);
    }
    for (const one of declared) {
      const definition = definitionOf(fields(one));
      if (definition === undefined) continue;
      chars += definition.name.length + definition.description.length;
      if (chars > LIST_CHARS) {
        throw new ToolSiftError(
          "list_too_large",
          `the tools have more than ${LIST_CHARS} characters; pass them in smaller parts`,
        );
      }
      definitions.push(definition);
    }
  }
  return definitions;
}

/** Returns name and description of a tool. Chat Completions has them one level deeper. */
function definitionOf(tool: Fields): Definition | undefined {
  const { name, description } = tool.name === undefined ? fields(tool.function) : tool;
  if (typeof name !== "string" || name === "" || name.length > DESCRIPTION_CHARS) return undefined;
  const text = description ?? "";
  return typeof text === "string" && text.length <= DESCRIPTION_CHARS ? { name, description: text } : undefined;
}

interface Fields {
  name?: unknown;
  description?: unknown;
  function?: unknown;
  functionDeclarations?: unknown;
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? value : {};
}
