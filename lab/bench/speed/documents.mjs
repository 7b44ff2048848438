/** Makes the documents that the other libraries index: the texts of a tool that toolsift reads, as plain-text fields. */

import { deepTexts } from "../../eval/peers/schema-text.mjs";

/** Splits identifiers into words, because some libraries treat `create_issue` as one word. */
export const spaced = (text) => text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2").replace(/[_-]+/g, " ");

/** The searched fields of a document. It also has `id` and `key`. */
export const FIELDS = ["name", "description", "parameters"];

/** Returns the documents for the tools of a server. `from` is the number of the first document. */
export function documentsOf({ server, tools }, from) {
  return tools.map(({ name, description = "", inputSchema }, at) => ({
    id: from + at,
    key: `${server}__${name}`,
    name: spaced(`${server} ${name}`),
    description,
    parameters: spaced(deepTexts(inputSchema).join(" ")),
  }));
}
