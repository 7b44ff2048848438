/** Reads name and description of tools, in every shape that `register` takes. */

import { ToolSiftError } from "../errors.js";
import { asList } from "../tool-list.js";
import { isList, read } from "../values.js";

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
  const count = read("not_json", "tools", () => given.length);
  const definitions: Definition[] = [];
  let chars = 0;
  for (let at = 0; at < count; at++) {
    const tool = readable(() => given[at]);
    const { functionDeclarations: declared } = fields(tool);
    const length = isList(declared) ? (readable(() => declared.length) ?? 0) : 1;
    if (at >= TOOLS || length > TOOLS) {
      throw new ToolSiftError("catalog_full", `a list of ${Math.max(count, length)} tools; a catalog holds at most ${TOOLS}`);
    }
    for (let inner = 0; inner < length; inner++) {
      const one = isList(declared) ? readable(() => declared[inner]) : tool;
      const definition = definitionOf(fields(one));
      if (definition === undefined) continue;
      chars += definition.name.length + definition.description.length;
      if (chars > LIST_CHARS) {
        throw new ToolSiftError("list_too_large", `the tools have more than ${LIST_CHARS} characters; pass them in smaller parts`);
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
  if (typeof value !== "object" || value === null) return {};
  const { name, description, function: inner, functionDeclarations } = readable(() => ({ ...picked(value) })) ?? {};
  return { name, description, function: inner, functionDeclarations };
}

function picked({ name, description, function: inner, functionDeclarations }: Fields): Fields {
  return { name, description, function: inner, functionDeclarations };
}

/** What a getter or a proxy of the host's gives, or nothing where it throws. */
function readable<T>(get: () => T): T | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}
