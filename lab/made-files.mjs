/** Tool lists as files that a visitor drops, made up. */

const VERBS = ["create", "list", "update", "delete", "search", "read", "send", "merge", "archive", "export"];
const NOUNS = ["issue", "message", "file", "table", "page", "event", "invoice", "user", "branch", "metric", "queue"];

/** A file for each of so many servers, with so many tools in all. */
export function madeFiles(servers, all) {
  return Array.from({ length: servers }, (_, server) => {
    const count = Math.floor(all / servers) + (server < all % servers ? 1 : 0);
    const tools = Array.from({ length: count }, (_, index) => toolOf(server, index));
    return { name: `server-${server}.json`, text: JSON.stringify({ tools }) };
  });
}

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
