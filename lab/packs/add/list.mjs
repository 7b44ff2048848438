/**
 * Starts a server and lists its tools. The server is a stranger's program, so its time, CPU time, memory, output, and if
 * possible its network access are limited.
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ask } from "../../../scripts/lib/run.mjs";
import { madeUp } from "./made-up.mjs";

/** The time limit from the start of a server to its last tool, in ms. */
const PATIENCE = 30_000;
/** The most attempts. A server may report its missing settings one after the other. */
const ATTEMPTS = 8;
const MESSAGE_BYTES = 16 << 20;
const MOST_PAGES = 50;
/** The shell's limits for a server: CPU seconds, and blocks of 512 bytes in a file. */
const LIMITS = "ulimit -t 60; ulimit -f 400000";
/** The memory limits: the heap in MB for Node, and the address space in KB for Python (Node reserves more than it uses). */
const NODE_MEMORY = "--max-old-space-size=1024";
const PYTHON_MEMORY = "ulimit -v 8000000";
const ALONE = ["unshare", "--map-root-user", "--net", "--pid", "--fork", "--kill-child", "--"];

/** The kinds of reasons why a server did not list its tools, by its output. The first match counts. */
const KINDS = [
  [
    "it needs a network",
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|getaddrinfo|fetch failed|name resolution|ConnectError/i,
  ],
  [
    "a module or a program is missing",
    /MODULE_NOT_FOUND|ERR_DLOPEN|ModuleNotFound|ImportError|Cannot find (?:module|package)|bindings file|ENOENT/,
  ],
  ["it checks its credentials first", /api.?key|token|credential|auth|log.?in|password|secret|environment variable/i],
  ["it does not answer", /timed? ?out|took longer/i],
];

/** A server did not list its tools. `why` is the kind of reason. */
export class Unlisted extends Error {
  constructor(message) {
    super(message);
    this.why = KINDS.find(([, pattern]) => pattern.test(message))?.[0] ?? "it ends with an error";
  }
}

/**
 * Starts a server and lists its tools.
 *
 * @param server `{ command, args, env }`; `env` is added to the few variables of this process that it gets, without secrets
 * @param sdk `{ Client, ResultSchema, processTransport }`
 * @param folder the folder in which the server starts, used by no other
 * @returns `{ tools, instructions, madeUp }`; `madeUp` has the names of settings that were made up
 * @throws Unlisted if the server does not list its tools
 */
export async function listed(server, sdk, { folder, hasNetwork = false }) {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const isAlone = !hasNetwork && (await ask(ALONE[0], [...ALONE.slice(1), "true"])) !== null;
  const own = { HOME: home, NODE_OPTIONS: NODE_MEMORY, NO_COLOR: "1", ...server.env };
  let given = { env: {}, args: [] };
  for (let attempt = 1; ; attempt++) {
    const args = [...server.args, ...given.args];
    const command = bounded({ ...server, args }, isAlone);
    try {
      const found = await once({ ...command, env: { ...own, ...given.env }, cwd: home }, sdk);
      return { ...found, madeUp: [...Object.keys(given.env), ...given.args.filter((arg) => arg.startsWith("--"))] };
    } catch (error) {
      // The transport's message has the server's output on one line, with escaped line breaks.
      const complaint = error.message.replaceAll("\\u{000A}", "\n");
      const next = attempt < ATTEMPTS ? madeUp(complaint, given, home) : null;
      if (next === null) throw new Unlisted(complaint);
      given = next;
    }
  }
}

function bounded({ command, args }, isAlone) {
  if (process.platform === "win32") return { command, args };
  const memory = command === process.execPath ? "" : `${PYTHON_MEMORY}; `;
  const loopback = isAlone ? "ip link set lo up 2>/dev/null; " : "";
  const line = [...(isAlone ? ALONE : []), "sh", "-c", `${loopback}${LIMITS}; ${memory}exec "$@"`, "sh", command, ...args];
  return { command: line[0], args: line.slice(1) };
}

async function once(command, { Client, ResultSchema, processTransport }) {
  const transport = processTransport(command, { messageBytes: MESSAGE_BYTES });
  const client = new Client({ name: "toolsift", version: "1.0.0" });
  const signal = AbortSignal.timeout(PATIENCE);
  const options = { signal, timeout: PATIENCE };
  try {
    await client.connect(transport, options);
    const tools = [];
    let cursor;
    for (let page = 0; page < MOST_PAGES; page++) {
      // The request is sent directly, because the SDK's `listTools` would compile the schemas of an unknown server.
      const request = { method: "tools/list", params: cursor === undefined ? {} : { cursor } };
      const answer = await client.request(request, ResultSchema, options);
      if (!Array.isArray(answer.tools)) throw new Error("it answers tools/list with something that is no list of tools");
      tools.push(...answer.tools);
      cursor = answer.nextCursor;
      if (typeof cursor !== "string" || cursor === "") break;
    }
    if (tools.length === 0) throw new Error("it lists no tools");
    return { tools, instructions: client.getInstructions() ?? null };
  } catch (error) {
    throw transport.explain(error);
  } finally {
    await client.close();
    await transport.close();
  }
}
