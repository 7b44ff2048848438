/** Makes the documents that the other libraries index: the texts of a tool that toolsift reads, as plain-text fields. */

import { deepTexts } from "../../eval/peers/schema-text.mjs";

/** Identifiers as words. Some of the libraries would take `create_issue` for one word. */
export const spaced = (text) => text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2").replace(/[_-]+/g, " ");

/** The fields that a document is searched by, besides `id` and `key`. */
export const FIELDS = ["name", "description", "parameters"];

/** Documents of the tools of a server; `from` is the number of the first. */
export function documentsOf({ server, tools }, from) {
  return tools.map(({ name, description = "", inputSchema }, at) => ({
    id: from + at,
    key: `${server}__${name}`,
    name: spaced(`${server} ${name}`),
    description,
    parameters: spaced(deepTexts(inputSchema).join(" ")),
  }));
}
