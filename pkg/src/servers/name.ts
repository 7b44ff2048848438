/** Checks the names of servers. */

import { ToolSiftError } from "../base/errors.js";
import { kind } from "../base/values.js";

const NAME_CHARS = 256;

/** Checks a server's name. @throws ToolSiftError `option_invalid` */
export function checkName(name: unknown): asserts name is string {
  if (typeof name === "string" && name.trim() !== "" && name.length <= NAME_CHARS) return;
  const what = typeof name === "string" ? JSON.stringify(name.slice(0, 80)) : kind(name);
  throw new ToolSiftError("option_invalid", `${what} is no name of a server; 1 to ${NAME_CHARS} characters`);
}
