/** Reads the tools of an export: under the names that events have, with the hash and the text of their definitions. */

import { definition, nameOf } from "../../definition.js";
import { ToolSiftError } from "../../errors.js";
import { asList } from "../../tool-list.js";
import { isList, kind } from "../../values.js";
import { hashOf, hashedText } from "../../definition-hash.js";
import type { Defined } from "./selection.js";

/** As many as a catalog holds at most. */
const MOST = 200_000;
/** Of a schema, how deep it is read, and how many values in all. */
const DEPTH = 12;
const VALUES = 20_000;

/** A tool that an entry can be written for. */
export interface Subject extends Defined {
  hash: string;
}

/**
 * The tools of a list; each is read when it is asked for.
 *
 * @throws ToolSiftError `option_invalid`, `not_json`
 */
export function* subjectsOf(tools: unknown, server: string | undefined): Generator<Subject> {
  const list = asList(tools) ?? [tools];
  if (list.length > MOST)
    throw new ToolSiftError("option_invalid", `options.tools has ${list.length} tools; at most ${MOST}`);
  for (let at = 0; at < list.length; at++) {
    const tool = list[at];
    // In Google's shape an entry declares some.
    const { functionDeclarations: declared } = Object(tool) as { functionDeclarations?: unknown };
    for (const one of isList(declared) ? declared : [tool]) yield subjectOf(one, server, `options.tools.${at}`);
  }
}

function subjectOf(tool: unknown, server: string | undefined, where: string): Subject {
  if (typeof tool !== "object" || tool === null || isList(tool)) {
    throw new ToolSiftError("option_invalid", `${where} must be a tool, got ${kind(tool)}`);
  }
  const whole = definition(tool) as Record<string, unknown>;
  const fields = typeof whole["function"] === "object" ? (whole["function"] as Record<string, unknown>) : whole;
  // What `sift.tools()` returns has the name of the model first.
  const { originalName } = tool as { originalName?: unknown };
  const name = typeof originalName === "string" ? originalName : nameOf(fields);
  if (name === "") throw new ToolSiftError("option_invalid", `${where} has no name`);
  const own = whole["server"] ?? null;
  const of = server ?? (typeof own === "string" ? own : null);
  const description = typeof fields["description"] === "string" ? fields["description"] : "";
  return { name, server: of, text: textOf([name, of, fields]), hash: hashOf(name, hashedText(description)) };
}

/** Every text of a definition, and the names of its parameters. */
function textOf(value: unknown): string {
  const texts: string[] = [];
  let values = 0;
  const walk = (inner: unknown, depth: number) => {
    values += 1;
    if (values > VALUES || depth < 0) return;
    if (typeof inner === "string") texts.push(inner);
    if (typeof inner !== "object" || inner === null) return;
    for (const [key, one] of Object.entries(inner)) {
      // `type` says "string" and "object", which people say too.
      if (key === "type" && typeof one === "string") continue;
      if (key === "properties") texts.push(...Object.keys(Object(one) as object));
      walk(one, depth - 1);
    }
  };
  walk(value, DEPTH);
  return texts.join("\n");
}
