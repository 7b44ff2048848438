/** Reads JSON as people keep it: comments and commas at the end of a list are allowed, as editors allow them. */

import jsonc from "jsonc-parser";
import { position } from "../clients/data.js";
import { Failure } from "../failure.js";
import { oneLine } from "../output/escape.js";

/**
 * The value of a JSON text.
 *
 * @param from where the text is from, for the message
 * @throws Failure with the line and the column of the first mistake
 */
export function readJson(text: string, from: string): unknown {
  const written = text.replace(/^\uFEFF/, "");
  if (written.trim() === "") throw new Failure(`${from} is empty; it must hold tools as JSON`);
  try {
    return JSON.parse(written);
  } catch {
    return readCommented(written, from);
  }
}

function readCommented(text: string, from: string): unknown {
  const errors: jsonc.ParseError[] = [];
  try {
    const value: unknown = jsonc.parse(text, errors, { allowTrailingComma: true });
    // A key `__proto__` has set a prototype, which this leaves out.
    if (errors.length === 0) return JSON.parse(JSON.stringify(value));
  } catch {
    throw new Failure(`${from} cannot be read as JSON: it is nested too deeply`);
  }
  const [first] = errors as [jsonc.ParseError];
  const { line, column } = position(text, first.offset);
  const what = jsonc
    .printParseErrorCode(first.error)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  const lineText = oneLine(text.split("\n")[line - 1] ?? "", 60);
  const there = text.slice(first.offset).trim() === "" ? ", where the text ends" : lineText && `: ${lineText}`;
  throw new Failure(`${from} is not JSON: ${what} in line ${line}, column ${column}${there}`);
}
