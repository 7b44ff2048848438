/** Expands `${NAME}` in the texts of a server's configuration, from the variables that the host allows; `$${` stands for `${`. */

import { ToolSiftError } from "../base/errors.js";

/** The variables that a configuration may read. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** `${NAME}`, and `{env:NAME}` of opencode. */
const ANY = /\$(\$?)\{([^}]*)\}|\{(env:\w+)\}/g;
const VARIABLE = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s;

/** A variable that has no value: the server cannot start, and the others can. */
export class MissingVariable extends Error {}

/**
 * The text with its variables filled in. What a variable holds is not expanded again.
 *
 * @param what where the text stands, for the message
 * @throws ToolSiftError `option_invalid` for a text with variables where the host allows none; MissingVariable
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
    // As in a shell: a variable that is set to nothing is empty, unless there is another value for that.
    if (typeof value === "string" && (value !== "" || fallback === undefined)) return value;
    if (fallback !== undefined) return fallback;
    throw new MissingVariable(`${named}, and the environment has no ${name}`);
  });
}
