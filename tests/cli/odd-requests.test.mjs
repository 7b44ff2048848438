/** Tests that every listener answers 3,000 random requests (short form: 300), then serves a valid one, and logs no error. */

import assert from "node:assert/strict";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "vitest";
import { loopback } from "../../cli/src/oauth/loopback.ts";
import { isFull } from "../../scripts/lib/full.mjs";
import { folder, httpServer, listening } from "./command-line.mjs";
import { config } from "./processes.mjs";

const MANY = isFull ? 3_000 : 300;
const AT_ONCE = 8;
const WAIT_MS = 20_000;
const UPGRADE = ["connection: Upgrade", "upgrade: websocket"];

/** Listeners: where each listens, a path that it serves, and what it has logged. */
const LISTENERS = {
  gateway: async (t) => {
    const home = folder();
    const env = { TOOLSIFT_HOME: join(home, "state") };
    const { url, said } = await listening(t, ["mcp", "--http", "0", "--no-token", "--config", config(home, {})], { env });
    return { url: new URL(url), log: () => said.stderr };
  },
  proxy: async (t) => {
    const vendor = await httpServer((incoming, response) => (incoming.resume(), response.end("{}")));
    const { url, said } = await listening(t, ["proxy", "--upstream", vendor.url, "--port", "0", "--quiet"]);
    return { url: new URL("/v1/models", url), log: () => said.stderr };
  },
  "sign-in": async (t) => {
    const arrived = async () => ({ isDone: true, text: "done" });
    const { port, close } = await loopback(0, "state", arrived);
    t.onTestFinished(close);
    return { url: new URL(`http://127.0.0.1:${port}/callback?state=state`), log: () => "" };
  },
};

/** Method, target (PORT is the listener's), further lines, and the status, or that of each listener. `HOST` is its own. */
const ODD = [
  ["GET", "//[", [], { gateway: 404, proxy: 200, "sign-in": 404 }],
  ["GET", "//[", UPGRADE, { gateway: 404, proxy: 200, "sign-in": 404 }],
  ["GET", "//[::", UPGRADE, { gateway: 404, proxy: 200, "sign-in": 404 }],
  ["GET", "[", UPGRADE, 400],
  ["GET", "http://localhost:99999999/", UPGRADE, 400],
  ["OPTIONS", "*", [], 400],
  ["TRACE", "/", [], 405],
  ["POST", "/callback", ["origin: null"], { "sign-in": 405 }],
  ["CONNECT", "localhost:1", [], 405],
  ["GET", "/", ["host: evil.example@localhost"], 403],
  ["GET", "/", ["host: localhost/@evil.example"], 403],
  ["GET", "/", ["host: [", ...UPGRADE], 403],
  ["GET", "/", ["host: ["], 403],
  ["GET", "/", ["host: "], 403],
  ["GET", "/", ["HOST", "origin: http://["], { gateway: 403, proxy: 403 }],
  ["GET", "/", ["HOST", "origin: http://evil.example@localhost"], { gateway: 403, proxy: 403 }],
  ["GET", "/", ["HOST", "origin: null"], { gateway: 403, proxy: 403 }],
];

/** The status that some bytes get: a number, "closed" where nothing was said, "silent" where nothing happened. */
function statusOf(port, bytes) {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(Buffer.from(bytes, "latin1")));
    const end = (status) => (resolve(status), socket.destroy());
    socket.setTimeout(WAIT_MS, () => end("silent"));
    socket.on("data", (piece) => {
      // Leave to go on is no answer yet.
      text = (text + piece.toString("latin1")).replace(/^HTTP\/1\.1 100 [^]*?\r\n\r\n/, "");
      const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(text) ?? [];
      if (status !== undefined && status !== "100") end(Number(status));
    });
    socket.on("error", () => end("closed")).on("close", () => end("closed"));
  });
}

/** The bytes of a request. Its host is the listener's unless it is among the lines. */
function bytesOf([method, target, lines], port) {
  const host = `host: 127.0.0.1:${port}`;
  const isNamed = lines.some((line) => line === "HOST" || /^host:/i.test(line));
  const all = [...(isNamed ? [] : [host]), ...lines.map((line) => (line === "HOST" ? host : line))];
  return `${method} ${target} HTTP/1.1\r\n${all.map((line) => `${line}\r\n`).join("")}\r\n`;
}

const METHODS = "GET GET GET HEAD POST PUT DELETE OPTIONS TRACE CONNECT PROPFIND M-SEARCH SEARCH".split(" ");
const PIECES = [
  ...String.raw`/ // [ ] : @ \ .. % %00 %2e%2e %ff ? # = & ; ' " { | ^ < http: [::1 localhost 127.0.0.1:0`.split(" "),
  ...["`", "\xff", "\xe9", "x".repeat(500), "state", "mcp", "callback", "v1", "chat/completions"],
];
const NAMES = [
  ...`localhost 127.0.0.1 [::1] [ evil.example evil.example@localhost localhost@ localhost:99999 localhost:-1`.split(" "),
  ...String.raw`localhost# localhost? localhost/ \localhost %6cocalhost 0x7f.1 null localhost,evil.example`.split(" "),
  ...["\xe9", "a b", ""],
];
const LINES = [
  ...UPGRADE.map((_, at) => UPGRADE.slice(at)),
  UPGRADE,
  ["connection: Upgrade, HTTP2-Settings", "upgrade: h2c", "http2-settings: A"],
  ["expect: 100-continue"],
  ["expect: wonders"],
  ["content-length: 0"],
  ["content-type: application/json"],
  ["cookie: \xff\xfe=\x80"],
  ["authorization: Bearer \xff"],
  ["mcp-session-id: ["],
  ["x-toolsift-token: \t"],
  ["__proto__: x"],
  ["accept: text/event-stream, application/json"],
  ["content-encoding: gzip"],
  ["range: bytes=9-1"],
  ["forwarded: for=["],
  ["last-event-id: \xe9"],
  ["mcp-protocol-version: 9999"],
  [],
];

/** A generator of whole numbers below its argument, the same in every run. */
function dice(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function anyRequest(roll) {
  const one = (list) => list[roll(list.length)];
  const some = (most, list) => Array.from({ length: roll(most + 1) }, () => one(list));
  const target = `${roll(8) === 0 ? "" : "/"}${some(6, PIECES).join("")}` || "/";
  const hosts = roll(3) === 0 ? some(2, NAMES).map((name) => `host: ${name}`) : ["HOST"];
  const origins = roll(4) === 0 ? [`origin: ${one(["http://", "https://", "", "x://", "file:///"])}${one(NAMES)}`] : [];
  return [one(METHODS), target, [...hosts, ...origins, ...some(2, LINES).flat()]];
}

for (const [name, open] of Object.entries(LISTENERS)) {
  test(`${name}: odd requests are answered, and the next honest one is served`, async (t) => {
    const { url, log } = await open(t);
    const port = Number(url.port);
    const honest = ["GET", `${url.pathname}${url.search}`, ["HOST", "accept: text/event-stream, application/json"]];
    const before = await statusOf(port, bytesOf(honest, port));
    for (const row of ODD) {
      const wanted = typeof row[3] === "number" ? row[3] : row[3][name];
      if (wanted !== undefined) assert.equal(await statusOf(port, bytesOf(row, port)), wanted, JSON.stringify(row));
    }
    const roll = dice(47);
    const left = Array.from({ length: MANY }, () => anyRequest(roll));
    const work = async () => {
      for (let row = left.pop(); row !== undefined; row = left.pop()) {
        const status = await statusOf(port, bytesOf(row, port));
        const isGood = status === "closed" ? row[0] === "CONNECT" : status < 500 || status === 501;
        assert.ok(isGood, `${status}: ${JSON.stringify(row)}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    assert.equal(await statusOf(port, bytesOf(honest, port)), before);
    assert.doesNotMatch(log(), /\n\s+at |Error:|Invalid URL/);
  });
}
