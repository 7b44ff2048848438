/** Replaces `${NAME}` in a server's configuration by the variables that your program allows; `$${` means `${`. */

import { ToolSiftError } from "../base/errors.js";

/** The variables that a configuration may read. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Matches `${NAME}`, and opencode's `{env:NAME}`. */
const ANY = /\$(\$?)\{([^}]*)\}|\{(env:\w+)\}/g;
const VARIABLE = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s;

/** The error for a variable without a value: its server cannot start, but the others can. */
export class MissingVariable extends Error {}

/**
 * Returns the text with its variables filled in. Values are not expanded again.
 *
 * @param what the place of the text, for messages
 * @throws ToolSiftError `option_invalid` for a text with variables if none are allowed; MissingVariable
 */
export function expanded(what: string, text: string, variables: Variables | undefined): string {
  return text.replace(ANY, (whole, escaped: string | undefined, braced: string | undefined, bare: string) => {
    if (escaped) return whole.slice(1);
    const named = `${what} holds ${JSON.stringify(whole.slice(0, 80))}`;
    if (variables === undefined) {
      throw new ToolSiftError("option_invalid", `${named}; pass options.env, such as env: process.env, to fill it in`);
    }
    const [, name, fallback] = VARIABLE.exec(braced ?? bare) ?? [];
    if (name === undefined) throw new MissingVariable(`${named}, which is not a variable; write \${NAME} or \${env:NAME}`);
    const value = variables[name];
    // As in a shell, a variable that is set to an empty text is empty, unless there is a fallback.
    if (typeof value === "string" && (value !== "" || fallback === undefined)) return value;
    if (fallback !== undefined) return fallback;
    throw new MissingVariable(`${named}, and the environment has no ${name}`);
  });
}
