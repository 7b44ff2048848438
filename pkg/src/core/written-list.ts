/** Writes tools and lists of tools as JSON for the core. */

import { definition, nameOf } from "./definition.js";
import { ToolSiftError } from "../base/errors.js";
import { DEPTH, hasToJson, isJson, json } from "../base/json.js";
import type { Rejected } from "../types/index.js";

/** Tools of one list: as many as a catalog may ever hold. */
const TOOLS = 200_000;

const encoder = new TextEncoder();

/**
 * JSON text of what the core reads of a tool's definition.
 *
 * @param isGuarded whether the text goes to a guard first, which reads more of it
 */
export function toolJson(tool: unknown, isGuarded = false): string {
  return json("the tool", isGuarded ? withOutput(definition(tool), tool) : definition(tool));
}

/** A definition with the schema of the tool's results as well, if that is JSON: servers have no other. */
function withOutput(read: unknown, tool: unknown): unknown {
  const { outputSchema } = Object(tool) as { outputSchema?: unknown };
  const isSchema =
    typeof outputSchema === "object" && outputSchema !== null && !hasToJson(outputSchema) && isJson(outputSchema, DEPTH - 1);
  return isSchema ? { ...(read as object), outputSchema } : read;
}

/** A tool list as JSON, with the tools left out that are no JSON, and the place that each of the others had. */
export interface WrittenList {
  texts: string[];
  places: number[];
  rejected: Rejected[];
}

/** Tools are written one by one, so that one which is no JSON costs nothing but itself. */
export function list(tools: readonly unknown[], isGuarded = false): WrittenList {
  const texts: string[] = [];
  const places: number[] = [];
  const rejected: Rejected[] = [];
  if (tools.length > TOOLS)
    throw new ToolSiftError("catalog_full", `a list of ${tools.length} tools; a catalog holds at most ${TOOLS}`);
  for (const [index, tool] of tools.entries()) {
    try {
      texts.push(toolJson(tool, isGuarded));
      places.push(index);
    } catch (error) {
      if (!ToolSiftError.is(error)) throw error;
      rejected.push({ index, name: nameOf(tool), code: error.code, message: error.message });
    }
  }
  return { texts, places, rejected };
}

/** The core's limit on the JSON of one list. A text has at least as many bytes as characters. */
const LIST_BYTES = 64 * 2 ** 20;

/** One entry as bytes, or a list of entries. */
export function encoded(texts: string | readonly string[]): Uint8Array {
  const chars = typeof texts === "string" ? texts.length : texts.reduce((sum, one) => sum + one.length + 1, 1);
  if (chars > LIST_BYTES) {
    throw new ToolSiftError(
      "list_too_large",
      `a list of tools takes ${chars} characters of JSON; at most ${LIST_BYTES} bytes`,
    );
  }
  return encoder.encode(typeof texts === "string" ? texts : `[${texts.join(",")}]`);
}

/** Puts the places back that the tools had in the host's list, and adds those that were left out. */
export function allRejected(written: WrittenList, rejected: Rejected[]): Rejected[] {
  const placed = rejected.map((one) => ({ ...one, index: written.places[one.index] ?? one.index }));
  return [...placed, ...written.rejected].sort((a, b) => a.index - b.index);
}
