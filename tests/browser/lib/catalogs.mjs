/** Many servers as files that a visitor drops: the real ones of ../shared/catalogs, or as many of the same size made up. */

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../../../shared/catalogs/", import.meta.url));
const beside = process.env.TOOLSIFT_CATALOGS ?? folder;

const SERVERS = 46;
const TOOLS = 1130;

/** `{ name, text }` for each file, and how many tools they hold. */
export function catalogFiles() {
  const files = existsSync(beside) ? readdirSync(beside).filter((name) => name.endsWith(".json")) : [];
  if (files.length === 0) return madeFiles(SERVERS, TOOLS);
  const read = files.map((name) => ({ name, text: readFileSync(`${beside}/${name}`, "utf8") }));
  return { files: read, real: true };
}

/** Files of so many servers with so many tools, made up. */
export function madeFiles(servers, all) {
  const files = Array.from({ length: servers }, (_, server) => {
    const count = Math.floor(all / servers) + (server < all % servers ? 1 : 0);
    const tools = Array.from({ length: count }, (_, index) => toolOf(server, index));
    return { name: `server-${server}.json`, text: JSON.stringify({ tools }) };
  });
  return { files, real: false };
}

const VERBS = ["create", "list", "update", "delete", "search", "read", "send", "merge", "archive", "export"];
const NOUNS = ["issue", "message", "file", "table", "page", "event", "invoice", "user", "branch", "metric", "queue"];

function toolOf(server, index) {
  const [verb, noun] = [VERBS[index % VERBS.length], NOUNS[(server + index) % NOUNS.length]];
  const properties = Object.fromEntries(
    NOUNS.slice(0, 5).map((name) => [name, { type: "string", description: `The ${name} that the ${noun} belongs to.` }]),
  );
  return {
    name: `${verb}_${noun}_${server}_${index}`,
    description: `This tool can ${verb} one ${noun} of system ${server}. It checks the ${NOUNS[index % 7]} first and reports it.`,
    inputSchema: { type: "object", properties, required: [NOUNS[0]] },
  };
}
