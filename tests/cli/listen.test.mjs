/** Tests the HTTP listener of the command line. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { test } from "vitest";
import { isOwn, listen } from "../../cli/src/listen/listen.ts";
import { folder } from "./command-line.mjs";
import { config, overHttp, small } from "./processes.mjs";

const ok = () => new Response("ok");

/** Listens on a free port until the test ends. */
async function listening(t, handler = ok, options = {}) {
  const server = await listen(handler, { port: 0, ...options });
  t.onTestFinished(() => server.close());
  return server;
}

/** One request with headers that `fetch` does not let be set. */
function raw(url, headers = {}, method = "GET", body = "", agent = false) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (response) => {
      let text = "";
      response.on("data", (piece) => (text += piece)).on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    sent.on("error", reject).end(body);
  });
}

test("it binds 127.0.0.1, and refuses other names and pages", async (t) => {
  const { url, port } = await listening(t, ok, { allowedHosts: ["mine.example"], allowedOrigins: ["app.example"] });
  assert.equal(url, `http://127.0.0.1:${port}`);
  assert.equal((await raw(url)).text, "ok");
  const hosts = {
    [`localhost:${port}`]: 200,
    "mine.example": 200,
    "evil.example": 403,
    [`127.0.0.1.evil.example:${port}`]: 403,
  };
  for (const [host, status] of Object.entries(hosts)) assert.equal((await raw(url, { host })).status, status, host);
  const origins = { "http://localhost:3000": 200, "https://app.example": 200, "https://evil.example": 403, null: 403 };
  for (const [origin, status] of Object.entries(origins)) assert.equal((await raw(url, { origin })).status, status, origin);
});

test("another address needs a token, and the token is asked for", async (t) => {
  await assert.rejects(
    listen(ok, { port: 0, host: "0.0.0.0" }),
    /listening on "0.0.0.0" lets other machines call this server; set a token/,
  );
  for (const token of ["", "short", "a token with many blanks in it", "ü".repeat(20)]) {
    await assert.rejects(listen(ok, { port: 0, token }), /at least 16 characters, all of them visible ASCII/);
  }
  const token = "0123456789abcdef";
  const { port } = await listening(t, ok, { host: "0.0.0.0", token });
  const url = `http://127.0.0.1:${port}`;
  const refused = await raw(url);
  assert.deepEqual([refused.status, refused.headers["www-authenticate"]], [401, "Bearer"]);
  for (const authorization of [`Bearer ${token}x`, "Bearer", `Basic ${token}`, `Bearer ${token.slice(1)}`]) {
    assert.equal((await raw(url, { authorization })).status, 401);
  }
  assert.equal((await raw(url, { authorization: `Bearer ${token}` })).status, 200);
  assert.equal((await raw(url, { authorization: `bearer ${token}`, host: "any.example" })).status, 200);
});

for (const [what, read] of [
  ["not at all", () => {}],
  ["in part", async ({ body }) => void (await body.getReader().read())],
  ["until it is cancelled", async ({ body }) => body.cancel()],
]) {
  test(`a connection whose body was read ${what} serves the next request`, async (t) => {
    const { url } = await listening(t, async (one) => {
      await read(one);
      return new Response("no", { status: 413 });
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.onTestFinished(() => agent.destroy());
    for (let times = 0; times < 3; times++) {
      assert.equal((await raw(url, {}, "POST", "x".repeat(3 << 20), agent)).status, 413);
    }
  });
}

test("a gateway takes larger requests where its configuration says so, in both protocols", async (t) => {
  const home = folder();
  const server = small(
    home,
    "files",
    `server.setRequestHandler(schemas.ListToolsRequestSchema, async () => ({ tools: [tool("upload", "Uploads a file")] }));
server.setRequestHandler(schemas.CallToolRequestSchema, async ({ params }) => text(String(params.arguments.content.length)));`,
  );
  const content = "x".repeat(5 << 20);
  for (const [toolsift, said] of [
    [{ activation: "off", maxRequestBytes: 6 << 20 }, String(content.length)],
    [{ activation: "off" }, "must not exceed 4194304 bytes"],
  ]) {
    const open = await overHttp(t, home, ["--config", config(home, { files: server }, toolsift)]);
    for (const era of ["legacy", "modern"]) {
      const client = await open.client({ era });
      const got = await client.callTool({ name: "upload", arguments: { content } }).then(
        ({ content: [answer] }) => answer.text,
        (error) => error,
      );
      assert.ok(String(got.message ?? got).includes(said), `${era}: ${got}`);
    }
    const about = {
      "content-type": "application/json",
      "mcp-method": "subscriptions/listen",
      "transfer-encoding": "chunked",
    };
    const long = await raw(open.url, { ...open.own, ...about }, "POST", "x".repeat(7 << 20)).catch(({ code }) => ({ code }));
    assert.ok(long.status === 413 || ["EPIPE", "ECONNRESET"].includes(long.code), JSON.stringify(long));
    await open.end();
  }
});

test("a client has as long to send a request as it is given", { timeout: 20_000 }, async (t) => {
  const read = async (one) => new Response(String((await one.text()).length));
  const slowly = async (url) => {
    const sent = request(url, { method: "POST", agent: false });
    const answer = new Promise((resolve) =>
      sent.on("response", ({ statusCode }) => resolve(statusCode)).on("error", ({ code }) => resolve(code)),
    );
    sent.write("x".repeat(10));
    setTimeout(() => sent.end("x"), 3_000);
    return answer;
  };
  const about = { headersMs: 1_000 };
  const [short, long] = await Promise.all([
    listening(t, read, { ...about, requestMs: 1_500 }),
    listening(t, read, { ...about, requestMs: 60_000 }),
  ]);
  assert.deepEqual(await Promise.all([slowly(short.url), slowly(long.url)]), [408, 200]);
});

test("more open requests than allowed get 503, and room that is free again is used", async (t) => {
  const waiting = [];
  const { url } = await listening(t, () => new Promise((resolve) => waiting.push(() => resolve(ok()))), { maxRequests: 2 });
  const two = [raw(url), raw(url)];
  while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  const third = await raw(url);
  assert.deepEqual([third.status, third.headers["retry-after"]], [503, "1"]);
  assert.match(third.text, /more than 2 requests are open/);
  waiting.forEach((go) => go());
  assert.deepEqual(
    (await Promise.all(two)).map(({ status }) => status),
    [200, 200],
  );
  const fourth = raw(url);
  while (waiting.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  waiting[2]();
  assert.equal((await fourth).status, 200);
});

test("a handler that throws answers 500, and the next request is served", async (t) => {
  const told = [];
  let isFirst = true;
  const handler = () => {
    if (!isFirst) return ok();
    isFirst = false;
    throw new Error("private detail");
  };
  const { url } = await listening(t, handler, { onerror: (error) => told.push(error.message) });
  const answer = await raw(url);
  assert.equal(answer.status, 500);
  assert.doesNotMatch(answer.text, /private detail/);
  assert.deepEqual(told, ["private detail"]);
  assert.equal((await raw(url)).status, 200);
});

test("a connection that sends no whole request is closed, and a stream goes on", async (t) => {
  let finish;
  const { url, port } = await listening(
    t,
    () => {
      const start = (controller) => {
        controller.enqueue(new TextEncoder().encode("data: 1\n\n"));
        finish = () => (controller.enqueue(new TextEncoder().encode("data: 2\n\n")), controller.close());
      };
      return new Response(new ReadableStream({ start }), { headers: { "content-type": "text/event-stream" } });
    },
    { headersMs: 1_000 },
  );
  const stream = raw(url);
  const sockets = ["", "GET / HTTP/1.1\r\nHost: 127.0.0.1"].map((text) => {
    const socket = connect(port, "127.0.0.1")
      .resume()
      .on("error", () => {});
    socket.write(text);
    return once(socket, "close");
  });
  await Promise.all(sockets);
  finish();
  assert.equal((await stream).text, "data: 1\n\ndata: 2\n\n");
});

test("close waits for requests that end, and cuts streams after a time", async (t) => {
  let [start, take] = [];
  const started = new Promise((resolve) => (start = resolve));
  const taken = new Promise((resolve) => (take = resolve));
  const server = await listening(
    t,
    (one) => {
      if (!one.url.endsWith("/stream")) {
        take();
        return new Promise((resolve) => setTimeout(() => resolve(ok()), 200));
      }
      const body = new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode("data: 1\n\n"));
          start();
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
    { closeMs: 1_000 },
  );
  const stream = raw(`${server.url}/stream`).then(
    () => "ended",
    () => "cut",
  );
  await started;
  const slow = raw(server.url);
  // Whoever is not heard before it closes is refused.
  await taken;
  const closing = server.close();
  assert.equal((await slow).status, 200);
  assert.equal(await Promise.race([stream, "flowing"]), "flowing");
  await closing;
  assert.equal(await stream, "cut");
  await assert.rejects(raw(server.url), /ECONNREFUSED/);
  await server.close();
});

test("a port that is taken is named", async (t) => {
  const { port } = await listening(t);
  await assert.rejects(listen(ok, { port }), new RegExp(`port ${port} of 127.0.0.1 is in use; choose another`));
  await assert.rejects(
    listen(ok, { port: 0, host: "203.0.113.9", token: "0123456789abcdef" }),
    /this machine has no address 203\.0\.113\.9/,
  );
});

test("close ends a connection that asked for a tunnel and stays half open", async (t) => {
  const server = await listening(t);
  const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true }).on("error", () => {});
  t.onTestFinished(() => socket.destroy());
  socket.write("CONNECT a:1 HTTP/1.1\r\nhost: localhost\r\n\r\n");
  assert.match(String(await once(socket, "data")), /^HTTP\/1.1 405 /);
  await server.close();
});

/** A URL, the host and further names of a listener on port 8080, and whether the URL leads to it. */
const OWN = [
  ["http://127.0.0.1:8080/mcp", undefined, undefined, true],
  ["http://LOCALHOST:8080/x", "0.0.0.0", undefined, true],
  ["http://[::1]:8080/", "::", undefined, true],
  ["http://0.0.0.0:8080/", "0.0.0.0", undefined, true],
  ["http://10.1.2.3:8080/", "10.1.2.3", undefined, true],
  ["http://tools.example:8080/", "0.0.0.0", ["tools.example"], true],
  ["http://tools.example:8080/", "0.0.0.0", undefined, false],
  ["http://10.1.2.3:8080/", undefined, undefined, false],
  ["http://127.0.0.1:8081/mcp", undefined, undefined, false],
  ["http://127.0.0.1/mcp", undefined, undefined, false],
];

test("it knows its own address", () => {
  for (const [url, host, allowedHosts, expected] of OWN) {
    assert.equal(isOwn(url, { http: 8080, host, allowedHosts }), expected, `${url} of ${host}`);
    assert.equal(isOwn(url, { host, allowedHosts }), false);
  }
});
