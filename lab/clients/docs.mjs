/** Writes the table of clients in lab/REPORT.md, with the pinned versions. */

import { readFileSync } from "node:fs";
import { at } from "../../scripts/lib/paths.mjs";

const { devDependencies } = JSON.parse(readFileSync(at("package.json"), "utf8"));

const APIS = { chat: "Chat Completions", responses: "Responses", messages: "Messages", gemini: "Gemini" };
const HEAD = "| client | language | version | API |\n|---|---|---|---|\n";

/** Returns the pinned version of the client in a row. */
export function versionOf({ client, packages, ours }) {
  if (ours !== undefined) return devDependencies[ours].split("@").at(-1);
  return (packages.find((pin) => pin.package === client) ?? packages[0]).version;
}

/** Returns the table in Markdown. */
export const rowsOf = (clients) =>
  HEAD +
  clients
    .map(
      (row) =>
        `| ${shown(row)} | ${row.language} | ${versionOf(row)} | ${row.wires.map((wire) => APIS[wire]).join(", ")} |\n`,
    )
    .join("");

/** Formats the name of a package as code. */
const shown = ({ client }) => (/^[a-z@][\w@/-]*$/.test(client) ? `\`${client}\`` : client);

/** Replaces the table in the page by this table. */
export function withRows(page, rows) {
  const [before, after] = page.split(HEAD);
  return before + rows + after.slice(after.search(/^[^|]/m));
}
