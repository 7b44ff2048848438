/** Reads name and description of tools, in every shape that `register` takes. */

import { ToolSiftError } from "../base/errors.js";
import { asList } from "../core/tool-list.js";
import { isList } from "../base/values.js";

/** As many tools as a catalog may ever hold. */
const TOOLS = 200_000;
/** `register` refuses a longer description. */
const DESCRIPTION_CHARS = 65_536;
/** `register` refuses a longer list. */
const LIST_CHARS = 64 * 1024 * 1024;

/** What a pack is chosen by. */
export interface Definition {
  name: string;
  description: string;
}

/**
 * The definitions of some tools. What is no tool is left out: `register` says what is wrong with it.
 *
 * @throws ToolSiftError `not_json` for what is neither a list nor a definition, `catalog_full`, `list_too_large`
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

/** Chat Completions puts name and description one level down. */
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
