/**
 * Bringing one's own tools, from where they are:
 *
 * 1. A paste holds definitions of any vendor, a capture of the protocol's messages, or several servers at once.
 * 2. A live server is asked over Streamable HTTP, with a token that goes to it alone; where the browser may not ask it, the
 *    page says so and gives the line that writes the file.
 * 3. The browser keeps one's own tools until they are forgotten.
 */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { eventually, ready, withPage } from "./lib/browser.mjs";
import { openMenu } from "./lib/model.mjs";
import { onStage } from "./lib/stage.mjs";
import { pageModule } from "./lib/page-model.mjs";

const stage = onStage();
const { readToolLists } = await pageModule("model/reading.ts");

const tool = (name) => ({ name, description: `Does ${name}.`, inputSchema: { type: "object" } });
const message = (id, result) => ({ jsonrpc: "2.0", id, result });

/** What the browser keeps of the page, once this is among it: it is written after it is shown. */
const keptWith = (page, text) =>
  eventually(async () => {
    const kept = await page.evaluate(async () => {
      const databases = await indexedDB.databases();
      const texts = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), location.href, document.cookie];
      for (const { name } of databases) {
        const database = await new Promise(
          (resolve) => (indexedDB.open(name).onsuccess = ({ target }) => resolve(target.result)),
        );
        for (const store of database.objectStoreNames) {
          const all = database.transaction(store).objectStore(store).getAll();
          texts.push(JSON.stringify(await new Promise((resolve) => (all.onsuccess = () => resolve(all.result)))));
        }
        database.close();
      }
      return texts.join("\n");
    });
    assert.ok(kept.includes(text), `${text} is kept`);
    return kept;
  });

/** What is read of a text: each server with the names of its tools. */
const read = (value, name = "pasted") => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return readToolLists(text, name).map(({ server, tools }) => [
    server,
    ...tools.map((one) => one.name ?? one.function?.name ?? "–"),
  ]);
};

test("lists in every shape", () => {
  const google = { functionDeclarations: [{ name: "a", description: "x" }] };
  const chat = { type: "function", function: { name: "a", parameters: { type: "object" } } };
  const anthropic = { name: "a", input_schema: { type: "object" } };
  assert.deepEqual(read([tool("a"), tool("b")]), [["pasted", "a", "b"]]);
  assert.deepEqual(read({ tools: [chat] }), [["pasted", "a"]]);
  assert.deepEqual(read([anthropic]), [["pasted", "a"]]);
  assert.deepEqual(read([google]), [["pasted", "–"]]);
  assert.deepEqual(read(tool("a")), [["pasted", "a"]]);
  assert.deepEqual(read({ model: "m", messages: [], tools: [chat] }), [["pasted", "a"]]);
  assert.deepEqual(read({ server: "github", tools: [tool("a")] }), [["github", "a"]]);
  assert.deepEqual(
    read([
      { ...tool("a"), server: "x" },
      { ...tool("b"), server: "y" },
    ]),
    [
      ["x", "a"],
      ["y", "b"],
    ],
  );
});

test("captures and several servers at once", () => {
  const pages = [message(1, { capabilities: {} }), message(2, { tools: [tool("a")] }), message(3, { tools: [tool("b")] })];
  assert.deepEqual(read(pages), [["pasted", "a", "b"]]);
  assert.deepEqual(read(pages.map((one) => JSON.stringify(one)).join("\n")), [["pasted", "a", "b"]]);
  const called = message(0, { serverInfo: { name: "github", version: "1" } });
  assert.deepEqual(read([called, ...pages]), [["github", "a", "b"]]);
  assert.deepEqual(read(`event: message\ndata: ${JSON.stringify(pages[1])}\n\n`), [["pasted", "a"]]);
  assert.deepEqual(read({ github: [tool("a")], slack: { tools: [tool("b")] } }), [
    ["github", "a"],
    ["slack", "b"],
  ]);
  assert.deepEqual(
    read([
      { server: "one", tools: [tool("a")] },
      { server: "two", tools: [tool("b")] },
    ]),
    [
      ["one", "a"],
      ["two", "b"],
    ],
  );
});

test("what cannot be read is told with what to do", () => {
  assert.throws(
    () => read({ mcpServers: { github: { command: "npx" } } }, "mcp.json"),
    /npx toolsift tools mcp\.json > tools\.json/,
  );
  assert.throws(() => read({ hello: "there" }), /holds no list of tools/);
  assert.throws(() => read("{ nothing"), /not valid JSON/);
  assert.throws(() => read([]), /the list is empty/);
  assert.deepEqual(read('[{"name":"a, ]","parameters":{},},]'), [["pasted", "a, ]"]]);
});

/** A server of MCP in a few lines; it notes the tokens that it gets. */
async function mcpServer({ cors }) {
  const tokens = new Set();
  const headers = cors
    ? { "access-control-allow-origin": "*", "access-control-allow-headers": "*", "access-control-expose-headers": "*" }
    : {};
  const answers = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "t", version: "1" },
    }),
    "tools/list": ({ cursor } = {}) =>
      cursor === undefined ? { tools: [tool("live_first")], nextCursor: "2" } : { tools: [tool("live_second")] },
  };
  const server = createServer(async (request, response) => {
    if (request.method === "OPTIONS") return response.writeHead(204, headers).end();
    if (request.method !== "POST") return response.writeHead(405, headers).end();
    tokens.add(request.headers.authorization);
    if (cors && request.headers.authorization !== "Bearer s3cret") return response.writeHead(401, headers).end();
    let body = "";
    for await (const chunk of request) body += chunk;
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return response.writeHead(202, headers).end();
    const answer = answers[method];
    const said = answer ? { result: answer(params) } : { error: { code: -32601, message: "no such method" } };
    response.writeHead(200, { ...headers, "content-type": "application/json" });
    return response.end(JSON.stringify({ jsonrpc: "2.0", id, ...said }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return { origin, url: `${origin}/mcp`, tokens, close: () => new Promise((resolve) => server.close(resolve)) };
}

test("a live server is asked, with a token that nothing keeps", async () => {
  const server = await mcpServer({ cors: true });
  try {
    await withPage(stage, { others: [server.origin] }, async (page) => {
      await openMenu(page, "catalog");
      await page.locator(".own").getByRole("radio", { name: "Live server" }).check();
      await page.getByLabel("URL of an MCP server").fill(`${server.url}?key=hidden`);
      await page.getByLabel("Bearer token").fill("s3cret");
      await page.getByRole("button", { name: "List its tools" }).click();
      await page.locator("[data-menu=catalog] .menu-main", { hasText: /^2\s/ }).waitFor();
      assert.deepEqual([...server.tokens], ["Bearer s3cret"]);
      assert.equal(await page.locator(".source-from").first().textContent(), server.url);
      const kept = await keptWith(page, "live_first");
      assert.ok(!kept.includes("s3cret") && !kept.includes("hidden"), "no secret is");
    });
  } finally {
    await server.close();
  }
});

test("a server that refuses web pages is told, with the line that writes the file", async () => {
  const server = await mcpServer({ cors: false });
  try {
    await withPage(stage, { others: [server.origin] }, async (page) => {
      // The browser writes of the refusal, as it must.
      page.removeAllListeners("console");
      await openMenu(page, "catalog");
      await page.locator(".own").getByRole("radio", { name: "Live server" }).check();
      await page.getByLabel("URL of an MCP server").fill("mcp.example.com");
      await page.getByRole("button", { name: "List its tools" }).click();
      await page.getByText("is not the address of a server").waitFor();
      await page.getByLabel("URL of an MCP server").fill(server.url);
      await page.getByLabel("Bearer token").fill("s3cret");
      await page.getByRole("button", { name: "List its tools" }).click();
      await page.getByText("does not allow web pages").waitFor();
      const line = await page.locator(".one-line code").textContent();
      assert.equal(line, `npx toolsift tools '${server.url}' --header 'Authorization: Bearer \${TOKEN}' > tools.json`);
    });
  } finally {
    await server.close();
  }
});

test("one's own tools are there after a reload, until they are forgotten", async () => {
  await withPage(stage, {}, async (page) => {
    const opening = await page.locator("[data-menu=catalog] .menu-main").textContent();
    await openMenu(page, "catalog");
    await page.getByLabel("JSON").fill(JSON.stringify({ alpha: [tool("a")], beta: [tool("b"), tool("c")] }));
    await page.getByRole("button", { name: "Read it" }).click();
    const has = (text) => page.locator("[data-menu=catalog] .menu-main", { hasText: text }).waitFor();
    await has(/^3\s/);
    await keptWith(page, "Does c.");
    await page.reload();
    await ready(page);
    await has(/^3\s/);
    await openMenu(page, "catalog");
    const again = page.waitForEvent("load");
    await page.getByRole("button", { name: "Forget everything" }).click();
    await again;
    await ready(page);
    await has(opening);
  });
});
