/**
 * Do the documents hold together?
 *
 * 1. docs/reference.md has every public method, every option and every error code, and no code that there is not.
 * 2. Every page is linked from the README, and every link between files leads to a file, and to a heading of it.
 * 3. docs/trouble.md says which Node each SDK declares, of every major that is installed here.
 */

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { test } from "node:test";
import { at, root } from "../../scripts/lib/paths.mjs";
import { entry } from "./installed.mjs";

const DOCS = readdirSync(at("docs"), { recursive: true }).filter((name) => name.endsWith(".md"));
const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  "examples/worker/README.md",
  "examples/adapters/README.md",
  "examples/proxy/README.md",
  ...DOCS.map((name) => `docs/${name}`),
];
const read = (path) => readFileSync(at(path), "utf8");
const REFERENCE = read("docs/reference.md");

/** The keys of an interface as it is declared. */
function keysOf(file, name) {
  const [, body] = new RegExp(`export interface ${name}\\b.*?\\{\\n(.*?)^\\}`, "ms").exec(read(`pkg/src/${file}.ts`));
  const keys = [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, key]) => key);
  assert.ok(keys.length > 0, `${name} has keys`);
  return keys;
}

/** Whether the reference names it in code: alone, or as a method. */
const names = (word) => new RegExp(`\`[^\`\\n]*\\b${word}\\b[^\`\\n]*\``).test(REFERENCE);

test("the reference has every public method", async () => {
  const { Session, ToolSift } = await entry("index.js");
  const { SessionStore } = await entry("store.js");
  const { Embeddings } = await entry("embed.js");
  // Marked as internal; `id` is a field.
  const internal = "uniqueKey isScoped hasOwn isOf keepAnswer checkSession keepNames embeddable found look named owned";
  const others = [...internal.split(" "), "constructor", "length", "name", "prototype"];
  const own = (of) => Object.getOwnPropertyNames(of).filter((name) => !others.includes(name));
  const { guard } = await entry("guard.js");
  const methods = [
    ...Object.keys(guard()),
    ...own(ToolSift),
    ...[ToolSift, Session, SessionStore, Embeddings].flatMap(({ prototype }) => own(prototype)),
    "id",
  ];
  assert.ok(methods.includes("fromIndex") && methods.includes("fromMessages") && methods.includes("use"));
  const missing = methods.filter((name) => !names(name));
  assert.deepEqual(missing, []);
});

test("the reference has every option", () => {
  const options = [
    ["types/options", "ToolSiftOptions"],
    ["types/options", "IndexOptions"],
    ["types/options", "Limits"],
    ["types/options", "Selection"],
    ["types/ranking", "SearchSettings"],
    ["types/search", "SearchOptions"],
    ["types/catalog", "RegisterOptions"],
    ["author/enrich/types", "EnrichChoices"],
    ["author/enrich/types", "EnrichOptions"],
    ["types/session", "SessionOptions"],
    ["types/session", "RestoreOptions"],
    ["types/session", "EvictOptions"],
    ["types/request", "AssembleOptions"],
    ["types/call", "CallOptions"],
    ["types/ranker", "AsyncCallOptions"],
    ["types/ranker", "RankOptions"],
    ["types/ranker", "FusedRanker"],
    ["author/doctor/types", "DoctorOptions"],
    ["guard/options", "GuardOptions"],
    ["types/guard", "HeldTool"],
    ["embed/types", "EmbeddingOptions"],
    ["types/history", "FromMessagesOptions"],
    ["loop/types", "Model"],
    ["loop/types", "RunOptions"],
    ["loop/types", "RunReport"],
    ["loop/types", "ModelRequest"],
    ["types/call", "Answer"],
    ["proxy/types", "SiftFetchOptions"],
    ["proxy/types", "SiftProxyOptions"],
  ];
  for (const [file, name] of options) {
    const missing = keysOf(file, name).filter((key) => !names(key));
    assert.deepEqual(missing, [], name);
  }
  const sessions = read("docs/sessions.md");
  const missing = keysOf("store/types", "SessionStoreOptions").filter((key) => !sessions.includes(`| \`${key}\` |`));
  assert.deepEqual(missing, []);
});

test("the reference has every error code, and no other", () => {
  const declared = [...read("pkg/src/types/errors.ts").matchAll(/^ {2}\| "(\w+)"/gm)].map(([, code]) => code);
  assert.ok(declared.length > 40);
  const section = REFERENCE.slice(REFERENCE.indexOf("## Error codes"));
  const firsts = [...section.matchAll(/^\| (`.*?`) \|/gm)].map(([, cell]) => cell);
  const stated = firsts.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => code));
  assert.deepEqual(stated.toSorted(), declared.toSorted());
});

/** A heading as the part of an address behind `#`. */
const anchor = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

test("every page is linked, and every link leads somewhere", () => {
  const linked = new Set();
  for (const page of PAGES) {
    const prose = read(page).replaceAll(/^```.*?^```/gms, "");
    for (const [, target] of prose.matchAll(/\]\(([^)]+)\)/g)) {
      if (/^https:/.test(target)) continue;
      const [path, place] = target.split("#");
      const file = path === "" ? at(page) : resolve(dirname(at(page)), path);
      assert.ok(existsSync(file), `${page}: ${target}`);
      if (page === "README.md") linked.add(relative(root, file));
      if (place === undefined) continue;
      const headings = [...readFileSync(file, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchor(heading));
      assert.ok(headings.includes(place), `${page}: ${target}`);
    }
  }
  const lost = PAGES.slice(1).filter((page) => !linked.has(page) && !linked.has(dirname(page)));
  assert.deepEqual(lost, []);
});

/** Every package that is installed here, also under other names: `name major` to what it declares. */
function declared() {
  const folders = readdirSync(at("node_modules")).flatMap((name) => {
    return name.startsWith("@") ? readdirSync(at("node_modules", name)).map((one) => `${name}/${one}`) : [name];
  });
  const known = new Map();
  for (const folder of folders) {
    try {
      const { name, version, engines } = JSON.parse(readFileSync(at("node_modules", folder, "package.json"), "utf8"));
      known.set(`${name} ${Number.parseInt(version, 10)}`, engines?.node);
    } catch {
      // A folder that is no package.
    }
  }
  return known;
}

test("the versions of Node are those that the SDKs declare", () => {
  const known = declared();
  const [, table] = readFileSync(at("docs", "trouble.md"), "utf8").split("## Which Node");
  const rows = [...table.matchAll(/^\| `([^`]+)` \| (\d+) \| ([\d.]+) \|$/gm)];
  assert.ok(rows.length >= 12);
  for (const [, name, major, node] of rows) {
    const wanted = known.get(`${name} ${major}`);
    assert.match(
      wanted ?? "none",
      new RegExp(`^>=\\s*${node.replace(".", "\\.")}(\\.0)*$`),
      `${name} ${major} declares ${wanted}`,
    );
  }
});
