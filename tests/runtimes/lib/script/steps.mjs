/**
 * The steps that every runtime runs: one conversation for each profile with all operations of a program and a model, and
 * wrong options and definitions.
 *
 * A step is `{ do, args, session, options }`: a method with its arguments, of the `ToolSift` or of one of its sessions,
 * opened with options. `new` makes another `ToolSift`, and `fromIndex` makes one from the index of the present one.
 * `counter` sets a token counter that exists in every language. `child` names a child of the session. Arguments are JSON
 * values, so that a native program can read the same steps. Values that are refused before the Rust code sees them, such as
 * functions, are tested elsewhere.
 */

import { readFileSync } from "node:fs";
import { at } from "../../../../scripts/lib/paths.mjs";
import { FORMATS as WRITERS } from "../../../history/lib/write.mjs";
import { BROKEN, SHAPES, WORLD } from "./tools.mjs";

const catalog = (name) => JSON.parse(readFileSync(at("tests", "vectors", "catalogs", `${name}.json`), "utf8"));

const SEND = "mcp__slack__send_message";
const TIDES = "mcp__weather__get_tides";
const FORMATS = ["mcp", "openai", "openai-responses", "anthropic", "google"];

export const PROFILES = ["sift", "search-add", "select", "select-load", "stub", "bridge"];

const step = (method, ...args) => ({ do: method, args });
const inSession = (session, method, ...args) => ({ do: method, args, session });
const inChild = (session, child, method, ...args) => ({ do: method, args, session, child });

/** Texts that a host searches for, one for every step of every grammar, and what they do to other scripts. */
const QUERIES = [
  ...["weather", "create issue", "wether forcast", "Which tides are high in the harbour?", "send a message to a channel"],
  ...[`select:${SEND},${TIDES}`, "select:nothing_of_this_name", "+slack send", "+github -issue list", "server:linear issue"],
  ...["get_.*", "create_(issue|event)", "(", "a{2,1}", "[[:x", TIDES, "getTides", "get tides, send message"],
  ...["翻訳", "日本語に翻訳する", "déjeuner", "Café", "İstanbul", "ΟΔΟΣ", "οδοσ", "😀", "👩‍👩‍👧 react", "ß", "ﬁle"],
  ...["\u0000", "\u202eabc", "", "   ", "\t\n", "the of and", "zzzzqqqq", "bake a cake for the king"],
  ...["-", "+", "+ +", "x".repeat(300), ["tides", "", "emoji"]],
];

/** What a model calls, under every profile: its own tools and those of the others, with good and with broken arguments. */
const CALLS = [
  ["search_tools", { query: "weather in the harbour" }],
  ["search_tools", { query: "(" }],
  ["search_tools", '{"query":"emoji 😀"}'],
  ["add_tool", { tool_names: ["mcp__linear__create_issue", "nothing_like_it"] }],
  ["add_tool", { tool_names: "mcp__postgres__query" }],
  ["show_all_tools", {}],
  ["show_all_tools", { server: "slack" }],
  ["ToolSearch", { query: `select:${SEND}` }],
  ["ToolSearch", { query: "+slack send", max_results: 2 }],
  ["ToolSearch", { query: "read 文章 ünïcödé", max_results: "3" }],
  ["tool_search", { query: "list the issues of a project" }],
  ["tool_search", { query: TIDES, limit: 1 }],
  // In wasm counts have 32 bits: what does not fit means the largest, and what is negative the smallest.
  ...[2 ** 32, 2 ** 53, 1e300, -1, -(2 ** 32), -1e300].map((limit) => ["tool_search", { query: "send a message", limit }]),
  ["search_tools", { query: "send a message", limit: 1e300 }],
  ["tool_describe", { name: TIDES }],
  ["tool_call", { name: TIDES, arguments: { station: "Bergen ⚓", days: 1.5 } }],
  ["tool_call", { name: TIDES, arguments: '{"station":"Ålesund"}' }],
  ["tool_call", { name: TIDES, arguments: '{"station":' }],
  [SEND, { text: 'hello \u2028 "quoted" \\ 日本語 😀', to: ["a", "b"], ratio: 0.1, big: 1e21, small: 1e-7, none: null }],
  [SEND, '{"text":"as text"}'],
  [SEND, "{"],
  ["mcp__gdrive__share_file", { file: "unrevealed" }],
  ["café_menu_lookup", { ville: "Orléans", végétarien: true }],
  ["日本語翻訳", { 本文: "海" }],
  ["translate__world", {}],
  ["__proto__", { constructor: 1 }],
];

/** A session that was used elsewhere. */
function snapshotOf(id, profile) {
  const used = (server, name, turn) => ({ server, name, used: turn });
  const revealed = [used("weather", TIDES, 2), used("slack", SEND, 8), used(null, "gone", 9)];
  return { toolsift: 2, id, profile, turn: 9, revealed };
}

/** The same as the version before wrote it. */
function older(id, profile) {
  const revealed = [
    { server: "slack", name: SEND },
    { server: null, name: "gone" },
  ];
  return { toolsift: 1, id, profile, revealed };
}

/** A conversation that loaded a tool and called it, in the messages of each vendor. */
const record = (id, name, args, text) => [{ id, name, args, text, failed: false }];
const TOLD = [record("1", "add_tool", { tool_names: [TIDES] }, `Added: ${TIDES}`), record("2", SEND, {}, "It is sent.")];
const HISTORIES = [...WRITERS].map(([format, write]) => [JSON.parse(JSON.stringify(write([{ steps: TOLD }]))), { format }]);

/** One profile, from its first tool to its last. */
function conversation(profile) {
  const open = { profile, activation: "on", deferral: "opt-out" };
  const wide = { ...open, preDiscovered: ["mcp__browser__click"], aliases: { publish: SEND } };
  let now = 0;
  const call = (session, [name, args], turn = {}) =>
    inSession(session, "call", name, args, { now: (now += 4_000), ...turn });
  return [
    step("new", { ...wide, contextWindow: 200_000 }),
    step("register", catalog("mcp60")),
    step("register", catalog("awkward15"), { names: "any" }),
    step("register", WORLD, { server: "world", names: "alias" }),
    step("register", SHAPES),
    step("register", BROKEN, { server: "broken" }),
    step("size"),
    step("size", { format: "google" }),
    step("tools"),
    step("revision"),
    ...QUERIES.map((query) => step("search", query)),
    step("search", "weather", { limit: 2 }),
    ...["wether", "+slack send", "(", "翻訳", "tides"].map((query) => step("explain", query, TIDES)),
    step("explain", "tides", "no_such_tool"),
    inSession("chat", "assemble"),
    ...CALLS.map((one) => call("chat", one)),
    ...FORMATS.map((format) => inSession("chat", "assemble", { format })),
    inSession("chat", "revealed"),
    inSession("chat", "snapshot"),
    inSession("chat", "tools"),
    inSession("chat", "heldBack", { format: "anthropic" }),
    step("search", "weather", { session: "chat" }),
    inSession("chat", "reveal", [SEND, TIDES, "café_menu_lookup"]),
    inSession("chat", "reveal", ["no_such_tool"]),
    inSession("chat", "conceal", [TIDES]),
    inSession("chat", "conceal", ["no_such_tool"]),
    call("chat", [SEND, { text: "again" }]),
    call("chat", ["search_tools", { query: "tides" }], { visible: [TIDES, SEND] }),
    call("chat", ["tool_search", { query: "tides" }], { visible: null }),
    call("chat", ["tool_call", { name: TIDES, arguments: {} }], { visible: [] }),
    ...[1, 2, 3, 4, 5, 6].map(() => inSession("hasty", "call", "tool_search", { query: "slack" }, { now: 1 })),
    // Two users with the same server of their own, beside the shared one of that name.
    ...["ada", "ben"].map((user) => inSession(user, "register", WORLD, { server: "slack", names: "alias" })),
    inSession("ada", "sync", "slack", [{ name: "send_note", description: "Sends a note to Ada" }]),
    ...["ada", "ben", "chat"].flatMap((user) => [
      step("search", "send a note", { session: user }),
      inSession(user, "reveal", ["send_note"]),
      inSession(user, "assemble", { format: "openai" }),
      call(user, ["send_note", {}]),
    ]),
    // Ahead of the first request.
    ...["Post a note to a Slack channel", "How high is the tide in the harbour?", "zzzzqqqq", ""].map((message) =>
      inSession("ahead", "prefetch", message),
    ),
    inSession("ahead", "prefetch", "List the issues and the tides", { tools: 1, tokens: 500 }),
    inSession("ahead", "prefetch", "tides", { tools: -1 }),
    inSession("ahead", "assemble", { format: "openai" }),
    // A subagent of Ada's has her own tools, and never more than its scope.
    inSession("ada", "child", "ada/sub", { scope: { servers: ["slack", "weather"] } }),
    inSession("ada", "child", "ada/sub"),
    inSession("ada/sub", "revealed"),
    inChild("ada", "ada/sub", "reveal", ["send_note", TIDES]),
    inChild("ada", "ada/sub", "reveal", ["mcp__linear__create_issue"]),
    inChild("ada", "ada/sub", "assemble", { format: "openai" }),
    { ...call("ada", ["send_note", {}]), child: "ada/sub" },
    { ...call("ada", ["search_tools", { query: "create an issue" }]), child: "ada/sub" },
    inChild("ada", "ada/sub", "handBack"),
    inSession("ada", "revealed"),
    inChild("ada", "ada/sub", "close"),
    inChild("ada", "ada/sub", "revealed"),
    ...HISTORIES.map((history) => inSession("told", "fromMessages", ...history)),
    step("contentHash"),
    step("exportIndex"),
    inSession("ben", "unregister", { server: "slack" }),
    inSession("ben", "tools"),
    step("restore", older("moved", profile)),
    inSession("moved", "assemble", { format: "openai" }),
    step("restore", snapshotOf("moved", profile), { replace: true }),
    inSession("moved", "reveal", ["café_menu_lookup", "日本語翻訳"]),
    inSession("moved", "snapshot"),
    inSession("moved", "evict", { tokens: 150 }),
    inSession("moved", "evict", { tools: 1 }),
    inSession("moved", "evict", {}),
    inSession("moved", "assemble", { format: "openai" }),
    { ...inSession("scoped", "assemble"), options: { scope: { servers: ["weather"], tools: ["slack:*"] } } },
    ...["search_tools", "ToolSearch", "tool_search"].map((name) => call("scoped", [name, { query: "create issue, tides" }])),
    call("scoped", ["mcp__github__create_issue", {}]),
    { ...inSession("scoped", "revealed"), options: { scope: { servers: ["github"] } } },
    inSession("scoped", "reveal", [TIDES]),
    inSession("scoped", "rescope", { servers: ["github"] }),
    inSession("scoped", "rescope", { servers: "github" }),
    inSession("scoped", "revealed"),
    inSession("scoped", "unmatched"),
    inSession("scoped", "rescope", "all"),
    step("closeSession", "scoped"),
    step("closeSession", "scoped"),
    step("sync", "weather", [
      { name: TIDES, description: "Tells high water, and nothing else." },
      { name: "get_moon", description: "満月はいつですか" },
    ]),
    inSession("chat", "assemble", { format: "anthropic" }),
    step("search", "moon 満月"),
    step("sync", "world", []),
    step("unregister", { server: "slack" }),
    step("unregister", { names: ["get_moon", "no_such_tool"] }),
    inSession("chat", "assemble"),
    inSession("chat", "close"),
    inSession("chat", "revealed"),
    step("revision"),
  ];
}

/** The same profile as it comes, and with a counter of the host's, which sees every text that is counted. */
const asItComes = (profile) => [
  step("new", { profile }),
  step("register", catalog("generic20")),
  inSession("a", "assemble", { format: "openai" }),
  { ...step("new", { profile, activation: "on", deferral: "opt-out" }), counter: "utf16" },
  step("register", WORLD, { names: "alias" }),
  step("register", catalog("generic20")),
  step("size", { format: "openai-responses" }),
  inSession("a", "assemble", { format: "openai-responses" }),
];

/** A catalog that travels as bytes and goes on working; the last one is asked for with words that it does not know. */
function prebuilt(profile) {
  const open = { profile, activation: "on", deferral: "opt-out" };
  const asked = () => ["tides", "翻訳 天気", "create issue, emoji"].map((query) => step("search", query));
  return [
    step("new", open),
    step("register", catalog("mcp60")),
    step("register", WORLD, { server: "world", names: "alias" }),
    step("unregister", { server: "slack" }),
    step("contentHash"),
    step("exportIndex"),
    ...asked(),
    step("fromIndex", { ...open, contextWindow: 100_000 }),
    step("contentHash"),
    step("exportIndex"),
    step("tools"),
    ...asked(),
    step("explain", "tides", TIDES),
    inSession("a", "reveal", [TIDES]),
    inSession("a", "assemble", { format: "google" }),
    step("sync", "weather", [{ name: "get_moon", description: "満月はいつですか" }]),
    step("search", "満月"),
    step("exportIndex"),
    step("fromIndex", { ...open, synonyms: [["tide", "moon"]] }),
    step("fromIndex", { ...open, limits: { tools: 3 } }),
  ];
}

/** Options that cannot be, each refused with its code and reason. */
const WRONG = [
  ...[{ profil: "sift" }, { profile: "nope" }, { limits: { tools: -1 } }, { limits: { sessions: 2.5 } }],
  ...[{ search: { ranker: "bm52" } }, { synonyms: [["a", " "]] }, { profile: "search-add", reveal: "never" }],
  { profile: { name: "bridge", config: { enabled: "maybe", threshold_pct: 400 } } },
];

const errors = () => [
  ...WRONG.map((options) => step("new", options)),
  ...[1e300, -1e300].flatMap((most) => {
    const config = { enabled: "on", max_search_limit: most, search_default_limit: most };
    const begun = [
      step("new", { profile: { name: "bridge", config }, deferral: "opt-out" }),
      step("register", catalog("mcp60")),
    ];
    return [...begun, inSession("s", "call", "tool_search", { query: "send a message" }, { now: 0 })];
  }),
  step("new", { limits: { tools: 3, sessions: 2, revealed: 1, whenFull: "refuse" }, activation: "on", deferral: "opt-out" }),
  ...[...BROKEN, { name: "ok" }, { name: "ok" }].map((tool) => step("register", tool)),
  step("register", [], { servr: "x" }),
  step("register", catalog("generic20")),
  step("unregister", {}),
  inSession("s", "assemble", { format: "xml" }),
  inSession("s", "reveal", ["ok", "read_file"]),
  step("restore", { toolsift: 9, id: "a" }),
  ...["one", "two", "three"].flatMap((id) => [inSession(id, "reveal", ["ok"]), inSession("one", "revealed")]),
];

/** All steps. */
export function steps() {
  return [
    step("version"),
    step("profiles"),
    ...PROFILES.flatMap((profile) => [...conversation(profile), ...asItComes(profile), ...prebuilt(profile)]),
    ...errors(),
  ];
}
