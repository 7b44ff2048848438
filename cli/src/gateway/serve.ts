/** Runs a gateway as a process: over stdio for the client that starts it, or over HTTP for several. */

import { dirname, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Enrichment, ToolSiftError } from "toolsift";
import { gateway, type Gateway, type GatewayOptions, type GatewayRules, type Review } from "toolsift/gateway";
import { withSecrets } from "../clients/secrets.js";
import { literalEntry } from "../clients/variables.js";
import { watchPaths } from "../clients/watch.js";
import type { ServerEntry } from "../clients/types.js";
import { withDefaultStore } from "../enrich/background.js";
import { Failure, reasonOf, WRONG_USAGE } from "../base/failure.js";
import { home, removeDrafts } from "../base/home.js";
import { tell, warn } from "../output/print.js";
import { enrichmentOf } from "../sources/enrichment.js";
import { openDefinitions } from "../trust/definitions.js";
import { telemetry } from "../listen/telemetry.js";
import { openTrust, type Trust } from "../trust/pins.js";
import { trustRules } from "../trust/rules.js";
import { exposed } from "../listen/exposition.js";
import { openFigures } from "./figures.js";
import { type Admitted, listen } from "../listen/listen.js";
import { type Log, openLog } from "./log.js";
import { Metrics } from "./metrics.js";
import { planOf, type PlanSource } from "./plan.js";
import { recorder } from "./record.js";
import { scopeFor, scopeOf } from "./scope.js";
import { signalled } from "../base/signals.js";
import { overStdio } from "./stdio.js";
import { keptToken, type KeptToken } from "../base/token.js";
import { transportFor } from "./transports.js";

/** The HTTP paths of the gateway and of its metrics. */
const ROUTE = "/mcp";
const METRICS = "/metrics";
/** The time limits for open requests and for the whole shutdown, in ms. After the second limit, the process exits. */
const REQUESTS_MS = 4_000;
const END_MS = 4_500;
/** The environment variable with the number of nested gateways, to stop a configuration that starts toolsift from itself. */
const DEPTH = "TOOLSIFT_DEPTH";
const MOST_DEPTH = 3;

/** The options of the command line. A missing option is taken from the settings of the configuration file. */
export interface ServeOptions extends PlanSource, Omit<Admitted, "token"> {
  /** The token for callers over HTTP; false for no token. Default: the user's stored token. */
  token?: string | false | undefined;
  /** The HTTP port. Without it, the gateway serves over stdio. */
  http?: number | undefined;
  scope?: readonly string[] | undefined;
  /** Trust rules such as `pin`, `github=quarantine` or `github:get_issue=changes`. */
  trust?: readonly string[] | undefined;
  log?: string | undefined;
  logValues?: boolean | undefined;
  /** Enrichment files: extra search words for the tools. */
  enrichment?: readonly string[] | undefined;
  /** The settings of the gateway and the catalog that come from flags. */
  settings: Partial<GatewayOptions>;
}

/** Returns a server's entry with the transport to try, or for a process with the number of nested gateways. */
function prepared(entry: ServerEntry | undefined, depth: number, type: string): unknown {
  if (entry === undefined) return undefined;
  return "url" in entry ? { ...entry, type } : { ...entry, env: { ...entry.env, [DEPTH]: String(depth) } };
}

interface Door {
  ended: Promise<void>;
  close: () => Promise<void>;
}

/**
 * Serves until the client disconnects or a signal ends the process, and then sets the exit code.
 *
 * @throws Failure if the configuration cannot be served or the port cannot be used
 */
export async function serve(options: ServeOptions): Promise<void> {
  const depth = Number(process.env[DEPTH] ?? 0) + 1;
  if (!(depth <= MOST_DEPTH))
    throw new Failure("toolsift starts itself again and again: take it out of the configuration that it serves");
  const plan = await planOf(options);
  for (const problem of plan.problems) warn(problem);
  if (plan.servers.size === 0) {
    const origin = options.config ?? `the servers of ${options.from}`;
    warn(`no usable server is configured (${origin}); added servers are served without a restart`);
  }
  const { trust: givenTrust, log: givenLog, scope: givenScope, enrichment: givenWords, ...settings } = plan.settings;
  let { servers, faults } = plan;
  const configured = (name: string) => servers.get(name);
  const trust = trustOf(options.trust ?? givenTrust, configured);
  const file = options.log ?? (typeof givenLog === "string" ? givenLog : undefined);
  const log = file === undefined ? undefined : logTo(file);
  const files = options.enrichment ?? filesOf(givenWords, options.config);
  const words = await enrichmentOf({ enrichment: files });
  const figures = openFigures();
  const metrics = new Metrics();
  void removeDrafts(home());
  const allowed = scopeOf(options.scope ?? listOf("scope", givenScope));
  const record = recorder(figures, log, options.logValues);
  const trace = telemetry();
  const enrich = withDefaultStore(options.settings.enrich ?? (settings["enrich"] as GatewayOptions["enrich"]));
  const gatewayOptions: GatewayOptions = {
    ...settings,
    ...options.settings,
    ...(enrich && { enrich }),
    mcpServers: identified(servers, faults, words),
    scope: (request) => scopeFor(allowed, request),
    transport: async (name, { kind }) => {
      const entry = servers.get(name);
      return transportFor(name, prepared(entry && (await withSecrets(entry)), depth, kind), { warn }) as never;
    },
    cache: openDefinitions({ configured }),
    ...(trust && {
      trust: {
        review: async (server, tools) => withWay(server, await trust.review(server, tools), trust.fault(server)),
        way: (server) => trust.fault(server) ?? `run ${approval(server)} (the user decides)`,
      },
    }),
    onEvent: (event) => {
      record(event);
      metrics.take(event);
      trace(event);
    },
    onProblem: (problem) => {
      metrics.problem();
      warn(problem);
    },
  };
  const open = await opened(gatewayOptions, options);
  trust?.onChange(() => open.reviewAgain());
  let known = plan;
  const watcher = watchPaths(plan.files, async () => {
    try {
      const next = await planOf(options, known);
      if (isDeepStrictEqual(next, known)) return;
      for (const problem of next.problems) warn(problem);
      const { rules, others } = changes(known.settings, next.settings);
      const before = { servers, faults };
      ({ servers, faults } = next);
      try {
        const entries = identified(servers, faults, words);
        await open.setServers(entries, { ...rules, ...rulesOf(options.settings) });
      } catch (error) {
        ({ servers, faults } = before);
        throw error;
      }
      known = next;
      if (others.length > 0) warn(`these settings apply after a restart: ${others.join(", ")}`);
      const names = [...servers.keys()];
      tell(`the configuration was read again; servers: ${names.join(", ") || "none"}`);
    } catch (error) {
      warn(`the changed configuration was not applied: ${reasonOf(error)}`);
    }
  });
  const stopped = signalled();
  let late: NodeJS.Timeout | undefined;
  if (options.http === undefined && process.stdin.isTTY) {
    tell("This waits for an MCP client on standard input; Ctrl-C ends it. `toolsift mcp add` puts it into a configuration.");
  }
  try {
    const door = options.http === undefined ? overStdio(open, warn) : await overHttp(open, metrics, options);
    process.exitCode = await Promise.race([stopped, door.ended.then(() => 0)]);
    late = setTimeout(() => process.exit(), END_MS);
    // Closing the gateway also ends the open streams of clients.
    await Promise.all([open.close(), door.close()]);
  } finally {
    watcher.close();
    trust?.close();
    await open.close();
    await figures.close();
    clearTimeout(late);
  }
}

/** The settings whose changes a running gateway applies. */
const RULES = ["allow", "deny", "effects"] as const;

function rulesOf(settings: Record<string, unknown>): GatewayRules {
  return Object.fromEntries(RULES.flatMap((key) => (settings[key] === undefined ? [] : [[key, settings[key]]])));
}

/** Compares two states of the file's settings. Returns the rules to apply now, and the other changed settings. */
function changes(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): { rules: GatewayRules; others: string[] } {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  return { rules: rulesOf(after), others: changed.filter((key) => !RULES.includes(key as never)) };
}

async function opened(options: GatewayOptions, { config, settings: flags }: ServeOptions): Promise<Gateway> {
  try {
    return await gateway(options);
  } catch (error) {
    if (!ToolSiftError.is(error)) throw error;
    // The message names an option of the package; here it is a flag or a setting in a file.
    const [isOption, key = ""] = /^options(?:\.(\w+))?/.exec(error.message) ?? [];
    const place = isOption !== undefined && config !== undefined && !(key in flags) ? `${config}: ` : "";
    const message = error.message.replace(/^options has/, '"toolsift" has').replaceAll("options.", "setting ");
    throw new Failure(place + message, WRONG_USAGE);
  }
}

function logTo(file: string): Log {
  try {
    return openLog(file, { onProblem: warn });
  } catch (error) {
    throw new Failure(`the log cannot be written: ${reasonOf(error)}`);
  }
}

function trustOf(given: unknown, configured: (name: string) => ServerEntry | undefined): Trust | undefined {
  const rules = trustRules(given);
  return rules.isOff ? undefined : openTrust({ rules, configured, onProblem: warn });
}

/** Returns the command that shows the waiting tools of a server and approves them. */
const approval = (server: string): string =>
  `npx toolsift mcp approve ${/^[\w.@-]+$/.test(server) ? server : JSON.stringify(server)}`;

/** Adds the command to approve a tool to each reason for a quarantine, unless the pins cannot be used. */
function withWay(server: string, review: Review, fault: string | undefined): Review {
  if (fault !== undefined) return review;
  const way = `the user can look at the change and approve it: ${approval(server)}`;
  const quarantined = review.quarantined.map(({ name, reason }) => ({ name, reason: `${reason}; ${way}` }));
  return { ...review, quarantined };
}

/** Returns the paths of the files that a configuration names, relative to the configuration's folder. */
function filesOf(given: unknown, config: string | undefined): string[] | undefined {
  if (given === undefined) return undefined;
  const files = Array.isArray(given) ? given : [given];
  if (files.every((file) => typeof file === "string")) return files.map((file) => resolve(dirname(config ?? "."), file));
  throw new Failure('enrichment must be a file or a list of files, such as "enrichment.jsonl"', WRONG_USAGE);
}

function listOf(key: string, given: unknown): string[] | undefined {
  if (given === undefined) return undefined;
  if (Array.isArray(given) && given.every((one) => typeof one === "string")) return given as string[];
  throw new Failure(`${key} must be a list of texts such as ["github", "slack:post_message"]`, WRONG_USAGE);
}

async function overHttp(open: Gateway, metrics: Metrics, options: ServeOptions): Promise<Door> {
  const { http: port = 0, host, token: given, allowedHosts, allowedOrigins } = options;
  const kept = given === undefined ? await keptToken() : undefined;
  const token = kept?.token ?? (given === false ? undefined : given);
  const listening = await listen(
    async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === ROUTE || pathname === `${ROUTE}/`) return open.fetch(request);
      if (pathname === METRICS && request.method === "GET") return exposed(metrics.of(open));
      return new Response("Not found\n", { status: 404 });
    },
    {
      port,
      host,
      token,
      allowedHosts,
      allowedOrigins,
      closeMs: REQUESTS_MS,
      onerror: (error) => warn(error.message),
    },
  );
  // The port that was taken if none was given: entries of the configuration are compared with it.
  options.http = listening.port;
  tell(`listening on ${listening.url}${ROUTE}`);
  if (kept !== undefined) tellToken(kept);
  return { ended: new Promise(() => {}), close: () => listening.close() };
}

/** Prints a new token once. For an older token, prints only the path of its file. */
function tellToken({ token, file, isNew, problem }: KeptToken): void {
  if (!isNew) return tell(`callers send the token in ${file} as Authorization: Bearer`);
  tell(`callers send this token (shown only now): Authorization: Bearer ${token}`);
  if (problem === undefined) tell(`it is kept in ${file}`);
  else warn(`the token is valid only until this process ends, because ${file} cannot be written: ${problem}`);
}

/**
 * Returns the entries of the servers for the gateway. Variables are filled in already, so the rest of the text is escaped. A
 * server that cannot be started is included with the reason, which clients get.
 */
function identified(
  servers: ReadonlyMap<string, ServerEntry>,
  faults: ReadonlyMap<string, string>,
  enrichment: readonly Enrichment[] | undefined,
): GatewayOptions["mcpServers"] {
  const words = enrichment !== undefined && { enrichment };
  const entries = [...servers].map(([name, entry]) => [name, { ...literalEntry(entry), ...words }] as const);
  const broken = [...faults].map(([name, fault]) => [name, { broken: fault }] as const);
  return Object.fromEntries([...entries, ...broken]);
}
