/** Writes servers' instructions for a prompt. */

import { foreign } from "../trust/foreign.js";

/** The most characters of one server's instructions, which every request carries. */
const MOST_CHARS = 8_000;

/** The heading of the instructions of all servers. */
export const INSTRUCTIONS_HEADING =
  '## What the servers say of their tools\n\nLines that begin with ">" are the words of the server that is named above them.';

/** One server's instructions: they cannot end their section, begin another server's, or pass for our words. */
export function instructionsOf(server: string, instructions: string): string {
  return `The server ${JSON.stringify(foreign(server, 200, "line"))} says:\n${foreign(instructions, MOST_CHARS, "marked")}`;
}
