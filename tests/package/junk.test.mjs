/**
 * Thousands of calls with whatever JavaScript can pass, on every method and under every profile.
 *
 * Each of them answers or throws a `ToolSiftError` of a known kind: never an error of somebody else, never `internal`,
 * which is what a trap in the core would be.
 */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { at } from "../../scripts/lib/paths.mjs";
import { install } from "./installed.mjs";

const ROUNDS = 8;
const CALLS = 150;

const catalog = (name) => JSON.parse(readFileSync(at("tests", "vectors", "catalogs", `${name}.json`), "utf8"));
const SEND = "mcp__slack__send_message";

const NAMES = [
  "search_tools",
  "add_tool",
  "show_all_tools",
  "ToolSearch",
  "tool_search",
  "tool_describe",
  "tool_call",
  SEND,
  "nope",
  "",
];
const OPTIONS = [
  ...[
    "profile",
    "config",
    "contextWindow",
    "activation",
    "deferral",
    "disclosure",
    "stubWhen",
    "reveal",
    "unrevealedCall",
    "outOfScope",
  ],
  ...["search", "searchesPerMinute", "preDiscovered", "alwaysAvailable", "specialCategories", "aliases", "categories"],
  ...["selection", "limits", "countTokens", "budget", "synonyms"],
];

const cyclic = {};
cyclic.self = cyclic;
const trap = new Proxy({}, { get: () => assert.fail("read"), ownKeys: () => assert.fail("listed") });

const JUNK = [
  ...[undefined, null, 0, -1, NaN, Infinity, 1e308, true, 10n, Symbol("s"), () => 1, new Date(0), /x/],
  ...["", "x", "\ud800", "select:", "+ +", "(", "[[:x", "a{1000}a{1000}", "日本語", SEND, "x".repeat(100_000)],
  ...[
    [],
    [1],
    ["a"],
    ["a", ""],
    new Array(9),
    [["a", "b"], ["c"]],
    { tools: 0, tokens: NaN },
    { without: ["stems", 1] },
    [["a"]],
    [SEND],
    [null],
    new Map([["a", 1]]),
    new Set([1]),
    new Uint8Array(4),
    cyclic,
    trap,
  ],
  ...[{}, { a: 1 }, { query: "x" }, { query: "(".repeat(500) }, { name: "x" }, { name: SEND, arguments: '{"a":' }],
  ...[{ name: SEND, arguments: [] }, { tool_names: ["a", 1] }, { scope: { servers: ["slack"] } }, { format: "openai" }],
  ...[{ servers: ["slack"], tools: ["*", "a:b", ":"] }, { limit: 3 }, { session: "z" }, { server: "s" }, { names: ["x"] }],
  ...[{ now: -1 }, { now: 1e300 }, { visible: null }, { visible: ["a"] }, { visible: [1] }, Object.create(null)],
  ...[{ toolsift: 1, id: "q", profile: "x", revealed: [{ server: null, name: "z" }] }, { toolsift: 2 }],
];

let ToolSift;
let ToolSiftError;

before(async () => {
  const { home } = await install();
  ({ ToolSift, ToolSiftError } = await import(pathToFileURL(join(home, "dist", "index.js")).href));
});

/** A generator of its own, so that a failure can be repeated. */
function dice(seed) {
  let state = seed + 1;
  // Xorshift, 32 bits.
  const roll = (sides) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % sides;
  };
  return { roll, pick: (list) => list[roll(list.length)] };
}

/** Every method, each given junk. */
function methods(sift, { roll, pick }) {
  const junk = () => pick(JUNK);
  const session = () => sift.session("q");
  return {
    create: () => new ToolSift(junk()),
    createWith: () => new ToolSift({ [pick(OPTIONS)]: junk() }).dispose(),
    register: () => sift.register(junk(), junk()),
    registerList: () => sift.register([junk(), junk()], junk()),
    sync: () => sift.sync(junk(), junk(), junk()),
    unregister: () => sift.unregister(junk()),
    search: () => sift.search(junk(), junk()),
    explain: () => sift.explain(junk(), junk(), junk()),
    session: () => sift.session(junk(), junk()),
    restore: () => sift.restore(junk(), junk()),
    size: () => sift.size(junk()),
    assemble: () => session().assemble(junk()),
    heldBack: () => session().heldBack(junk()),
    call: () => session().call(pick(NAMES), junk(), roll(3) > 0 ? undefined : junk()),
    callAll: () => session().callAll(junk(), junk()),
    reveal: () => session().reveal(junk()),
    conceal: () => session().conceal(junk()),
    evict: () => session().evict(junk()),
    fromMessages: () => session().fromMessages(junk(), junk()),
    fromMessageList: () => session().fromMessages([junk(), junk()], { format: pick(["openai", "google", "mcp", "ai-sdk"]) }),
    revealed: () => session().revealed,
    tools: () => session().tools(),
    snapshot: () => session().snapshot(),
    close: () => session().close(),
  };
}

test("junk is answered or refused, and nothing traps", () => {
  const tools = catalog("mcp60");
  const awkward = catalog("awkward15");
  const codes = new Set();
  let answered = 0;
  for (const { name: profile } of ToolSift.profiles()) {
    for (let round = 0; round < ROUNDS; round++) {
      const chance = dice(round * 31 + profile.length);
      const options =
        chance.roll(2) > 0 ? { activation: "on", deferral: "opt-out" } : { limits: { sessions: 2, revealed: 3 } };
      const sift = new ToolSift({ profile, ...options });
      sift.register(tools);
      sift.register(awkward, { names: "any" });
      const all = Object.entries(methods(sift, chance));
      for (let i = 0; i < CALLS; i++) {
        const [name, method] = chance.pick(all);
        try {
          method();
          answered++;
        } catch (error) {
          assert.ok(ToolSiftError.is(error), `${profile}, round ${round}: ${name} threw ${error?.stack ?? error}`);
          assert.notEqual(error.code, "internal", `${profile}, round ${round}: ${name}: ${error.message}`);
          codes.add(error.code);
        }
      }
      sift.dispose();
    }
  }
  assert.ok(answered > 1_000 && codes.size >= 8, `${answered} answered, errors: ${[...codes].join(", ")}`);
});
