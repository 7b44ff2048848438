/** The hash of what an entry is written from. */

import { definitionHash as hashOfCore } from "toolsift:self";

/**
 * The hash of a tool's name, and its description with runs of white space as one blank: 16 hexadecimal digits, the same on
 * every machine.
 *
 * @throws ToolSiftError `option_invalid`, `text_invalid`
 */
export function definitionHash(name: string, description: string): string {
  return hashOfCore(name, description);
}
