/** Tests what the page reads and writes, without a browser. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { ToolSift } from "toolsift";
import { CLIENTS as KNOWN } from "../../cli/src/clients/table.ts";
import { allDrives } from "../adapters/lib/all.mjs";
import { appWith } from "../adapters/lib/app.mjs";
import { compiled } from "../adapters/lib/compiled.mjs";
import { pageModule } from "./lib/page-model.mjs";

const { configuredServers } = await pageModule("model/config.ts");
const { readFile } = await pageModule("model/reading.ts");
const { layout, tagsOf, touch } = await pageModule("model/scene.ts");
const { placeholder } = await pageModule("core/engine.ts");
const { CLIENTS, codeFor, installLine, SDKS } = await pageModule("model/usage.ts");

const A = { name: "a", inputSchema: { type: "object" } };
const B = { name: "b", parameters: { type: "object" } };

/** Texts of files, and the tools that each holds by server. */
const LISTS = [
  ["x.json", { tools: [A, B] }, { x: ["a", "b"] }],
  ["tools-x.json", [A, B], { x: ["a", "b"] }],
  ["x.json", { jsonrpc: "2.0", id: 1, result: { tools: [A] } }, { x: ["a"] }],
  ["x.json", { server: "y", tools: [A] }, { y: ["a"] }],
  [
    "x.json",
    [
      { ...A, server: "p" },
      { ...B, server: "q" },
    ],
    { p: ["a"], q: ["b"] },
  ],
  ["x.json", { p: [A], q: { tools: [B] } }, { p: ["a"], q: ["b"] }],
  ["x.json", A, { x: ["a"] }],
  [
    "x.jsonl",
    [
      { jsonrpc: "2.0", result: { serverInfo: { name: "s" } } },
      { jsonrpc: "2.0", result: { tools: [A] } },
    ]
      .map((line) => JSON.stringify(line))
      .join("\n"),
    { s: ["a"] },
  ],
  ["x.json", `\uFEFF\`\`\`json\n{ "tools": [${JSON.stringify(A)},], }\n\`\`\``, { x: ["a"] }],
];

test("tool lists", async () => {
  for (const [name, content, expected] of LISTS) {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    for (const given of [{ name, text }, new File([text], name)]) {
      const { lists, problem } = await readFile(given);
      const found = Object.fromEntries(lists.map(({ server, tools }) => [server, tools.map((tool) => tool.name)]));
      assert.deepEqual([found, problem], [expected, null], text);
    }
  }
  const large = await readFile({ name: "large.json", text: " ".repeat(11_000_000) });
  assert.match(large.problem, /at most 10\.0.MB are read/);
});

/** How servers are started, and what that comes to. */
const STARTS = [
  [{ command: "npx", args: ["-y", "@scope/server@latest", "--flag"] }, "@scope/server@latest"],
  [{ command: "npx", args: ["--yes", "--package=@scope/server@1.2.3", "serve"] }, "@scope/server@1.2.3"],
  [{ command: "npx", args: ["-p", "server", "serve"] }, "server"],
  [{ command: "C:\\Program Files\\nodejs\\npx.cmd", args: ["server"] }, "server"],
  [{ command: "cmd", args: ["/c", "npx", "-y", "server"] }, "server"],
  [{ command: "pnpm", args: ["dlx", "server"] }, "server"],
  [{ command: "npm", args: ["exec", "--", "server"] }, "server"],
  [{ command: ["bunx", "server"] }, "server"],
  [{ command: "uvx", args: ["server[extra]==1.0"] }, "pypi:server"],
  [{ command: "uv", args: ["tool", "run", "server@latest"] }, "pypi:server"],
  [{ command: "uvx", args: ["--from", "package==1.0", "serve"] }, "pypi:package"],
  [{ command: "pipx", args: ["run", "server"] }, "pypi:server"],
  [{ command: "docker", args: ["run", "image"] }, null],
  [{ command: "npx", args: [] }, null],
  [{ command: "node", args: ["server.js"] }, null],
  [{ url: "https://example.com/mcp" }, "https://example.com/mcp"],
  [{ url: "not an address" }, null],
];

test("configurations of clients", () => {
  for (const [entry, start] of STARTS) {
    for (const wrap of [
      (servers) => ({ mcpServers: servers }),
      (servers) => ({ inputs: [], servers }),
      (servers) => ({ mcp: servers }),
      (servers) => ({ context_servers: servers }),
    ])
      assert.deepEqual(configuredServers(wrap({ one: entry, disabled: true })), [{ server: "one", start }]);
  }
  for (const value of [null, [], { tools: [A] }, { servers: [A] }, { mcpServers: {} }])
    assert.equal(configuredServers(value), null);
});

const serversOf = (...counts) =>
  counts.map((count, at) => ({
    server: `server ${at}`,
    tools: Array.from({ length: count }, (_, index) => ({ name: `tool_${at}_${index}`, chars: 40 + ((index * 97) % 900) })),
  }));

test("the map", () => {
  for (const [servers, size] of [
    [serversOf(89, 26, 14, 13, 9, 8), { width: 693, height: 462 }],
    [serversOf(89, 26, 14, 13, 9, 8), { width: 358, height: 290 }],
    [serversOf(1), { width: 358, height: 290 }],
    [serversOf(...Array.from({ length: 100 }, () => 50)), { width: 800, height: 480 }],
  ]) {
    const scene = layout(servers, size);
    const tools = servers.flatMap((one) => one.tools);
    assert.deepEqual(
      scene.blocks.map(({ name }) => name),
      tools.map(({ name }) => name),
    );
    for (const { x, y, width, height } of scene.blocks)
      assert.ok(x >= 0 && y >= 0 && x + width <= size.width + 0.5 && y + height <= size.height + 0.5);
    const states = new Map(
      tools
        .filter((_, at) => at % 17 === 3)
        .slice(0, 8)
        .map(({ name }, at) => [name, at < 3 ? "loaded" : "found"]),
    );
    const tags = tagsOf(scene, states, size);
    assert.ok(tags.length >= Math.min(3, states.size));
    for (const [at, tag] of tags.entries())
      for (const other of [...tags.slice(at + 1), ...scene.heads])
        assert.ok(!touch(tag, other), `${tag.name} over ${other.text}`);
  }
});

test("a placeholder is as large as the definition that it stands for", () => {
  const definitions = [A, { name: "long", description: "Does a lot. ".repeat(50), inputSchema: { type: "object" } }];
  const sent = (tools) => {
    const sift = new ToolSift({ activation: "off" });
    sift.register(tools, { names: "alias" });
    return sift.session("s").assemble({ format: "openai" });
  };
  const sizes = sent(definitions).tools.map((tool) => [tool.function.name, JSON.stringify(tool).length]);
  assert.equal(
    sent(sizes.map(([name, size]) => placeholder(name, size))).size.full.tokens,
    sent(definitions).size.full.tokens,
  );
});

const SERVERS = [
  { server: "memory", start: "@modelcontextprotocol/server-memory@2026.8.31" },
  { server: "git", start: "pypi:mcp-server-git" },
  { server: "remote one", start: "https://mcp.example.com/mcp" },
  { server: 'a `file` "of" ${mine}', start: null },
  { server: "__proto__", start: null },
];

test("the programs to paste", async () => {
  const sdks = Object.assign({}, ...(await allDrives()).map(({ versions }) => versions.at(-1)));
  const more = ["@ai-sdk/openai-4", "@langchain/openai", "@modelcontextprotocol/client"];
  const named = Object.fromEntries(more.map((name) => [name.replace(/(openai)-4$/, "$1"), name]));
  const { folder } = await appWith({ ...sdks, ...named, "@types/node": "@types/node" });
  const files = Object.fromEntries(Object.keys(SDKS).map((sdk) => [`offered/${sdk}.mts`, codeFor(sdk, SERVERS)]));
  assert.equal(
    compiled(folder, files, { types: ["node"], lib: ["es2023", "esnext.disposable", "dom", "dom.iterable"] }),
    "",
  );
  for (const sdk of Object.keys(SDKS)) {
    const installed = installLine(sdk).split(" ").slice(2);
    for (const [, from] of codeFor(sdk, SERVERS).matchAll(/from "([^"]+)";/g))
      assert.ok(installed.includes(from.match(/^(@[^/]+\/)?[^/]+/)[0]), `${sdk}: ${from}`);
  }
  const code = codeFor("ai-sdk", SERVERS);
  for (const part of [
    'memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] }',
    'git: { command: "uvx", args: ["mcp-server-git"] }',
    '"remote one": { url: "https://mcp.example.com/mcp" }',
  ])
    assert.ok(code.includes(part), part);
  const clients = KNOWN.map(({ id }) => id);
  assert.deepEqual(
    Object.keys(CLIENTS).filter((id) => !clients.includes(id)),
    [],
  );
});
