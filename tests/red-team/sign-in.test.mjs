/** Attacks by a remote server on the network of a user who signs in to it. */

import assert from "node:assert/strict";
import names from "node:dns";
import promised from "node:dns/promises";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { isIP } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { dial, outsideFetch } from "../../cli/src/oauth/inside.ts";
import { signInTo } from "../../cli/src/oauth/sign-in.ts";

/** Answers of DNS by name, each the next time that it is asked; the last one stays. Both ways of Node to ask are replaced. */
function resolving(t, answers) {
  const real = [names.lookup, promised.lookup];
  const next = (name) => {
    const left = answers[name] ?? assert.fail(`${name} is looked up`);
    return [(left.length > 1 ? left.shift() : left[0]) ?? []].flat().map((address) => ({ address, family: isIP(address) }));
  };
  promised.lookup = async (name) => next(name);
  names.lookup = (name, options, callback) => {
    const [found] = [next(name)];
    if (options.all) callback(null, found);
    else callback(null, found[0].address, found[0].family);
  };
  syncBuiltinESMExports();
  t.onTestFinished(() => {
    [names.lookup, promised.lookup] = real;
    syncBuiltinESMExports();
  });
}

/** A server of this machine, and what it was asked. */
async function listener(t) {
  const asked = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => {
      asked.push([request.method, request.url, request.headers["content-type"], body]);
      response.writeHead(200, { "content-type": "application/json", "set-cookie": ["a=1", "b=2"] }).end('{"ok":true}');
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.onTestFinished(() => server.close());
  return { asked, port: server.address().port };
}

/** What the names stand for, whose server it is, and what comes of a request to `idp.test`. */
const NAMES = {
  "a name that stands for another address a moment later": {
    names: { "server.test": [["203.0.113.7"]], "idp.test": [["127.0.0.2"], ["127.0.0.1"]] },
    refused: /internal address/,
  },
  "a name of an address outside that leads inside a moment later": {
    names: { "server.test": [["203.0.113.7"]], "idp.test": [["192.0.2.1"], ["127.0.0.1"]] },
    refused: /./,
  },
  "a name with one address outside and one inside": {
    names: { "server.test": [["203.0.113.7"]], "idp.test": [["192.0.2.1", "127.0.0.1"]] },
    refused: /internal address.*oauth\.internalHosts/,
  },
  "a server that claims to be inside by one address more": {
    names: { "server.test": [["203.0.113.7", "127.0.0.1"]], "idp.test": [["127.0.0.1"]] },
    refused: /internal address/,
  },
  "a server that is inside": { names: { "server.test": [["10.0.0.7"]], "idp.test": [["127.0.0.1"], []] } },
  "a host that the user allows": {
    names: { "server.test": [["203.0.113.7"]], "idp.test": [["127.0.0.1"], []] },
    allowed: ["idp.test"],
  },
  "a host that the user allows, of the machine's own host": {
    names: { "server.test": [["203.0.113.7"]], "idp.test": [["169.254.169.254"]] },
    allowed: ["idp.test"],
    refused: /internal address$/,
  },
  "a name that is not found": {
    names: { "server.test": [["10.0.0.7"]], "idp.test": [[], ["127.0.0.1"]] },
    refused: /fetch/,
  },
};
for (const [what, { names: answers, allowed, refused }] of Object.entries(NAMES)) {
  test(`the address that was looked at is the one that is asked: ${what}`, async (t) => {
    const { asked, port } = await listener(t);
    resolving(t, answers);
    const go = outsideFetch(new URL("https://server.test/mcp"), dial, allowed);
    const body = new URLSearchParams({ code: "secret" });
    const signal = AbortSignal.timeout(2_000);
    const answer = go(`http://idp.test:${port}/token?x=1`, { method: "POST", body, signal });
    if (refused !== undefined) {
      await assert.rejects(answer, refused);
      assert.deepEqual(asked, []);
      return;
    }
    const response = await answer;
    assert.deepEqual(
      [response.status, await response.json(), response.url],
      [200, { ok: true }, `http://idp.test:${port}/token?x=1`],
    );
    assert.deepEqual(response.headers.getSetCookie(), ["a=1", "b=2"]);
    assert.deepEqual(asked, [["POST", "/token?x=1", "application/x-www-form-urlencoded;charset=UTF-8", "code=secret"]]);
  });
}

test("a server of the internet has no internal address asked, whether it names it or sends on to it", async () => {
  const asked = [];
  const answers = {
    "https://203.0.113.7/moved": [302, "http://127.0.0.1:8080/admin"],
    "https://203.0.113.7/round": [302, "/round"],
  };
  const next = async (url) => {
    asked.push(url.href);
    const [status = 200, location] = answers[url.href] ?? [];
    return new Response(null, { status, headers: location === undefined ? {} : { location } });
  };
  const go = outsideFetch(new URL("https://203.0.113.7/mcp"), next);
  const inside = [
    ...[
      "http://127.0.0.1/",
      "http://localhost:9/",
      "http://10.1.2.3/",
      "http://192.168.0.1/",
      "http://172.20.0.1/",
      "http://100.64.0.1/",
    ],
    ...[
      "http://169.254.169.254/latest/meta-data",
      "http://[::1]/",
      "http://[::ffff:127.0.0.1]/",
      "http://[fd00::1]/",
      "http://[fe80::1]/",
    ],
    ...["http://0.0.0.0/", "http://2130706433/", "http://[64:ff9b::7f00:1]/", "http://[64:ff9b:1::7f00:1]/"],
    ...["http://[2002:7f00:1::]/", "http://[2001::7f00:1]/", "http://[::7f00:1]/", "http://[fec0::1]/"],
  ];
  for (const url of inside) await assert.rejects(go(url), /internal address/, url);
  await assert.rejects(go("file:///etc/passwd"), /no address to sign in at/);
  assert.deepEqual(asked, []);
  await assert.rejects(go("https://203.0.113.7/moved"), /internal address/);
  await assert.rejects(go("https://203.0.113.7/round"), /redirects more than 5 times/);
  assert.equal((await go("https://203.0.113.8/ok")).status, 200);
  const local = outsideFetch(new URL("http://127.0.0.1:1/mcp"), next);
  assert.equal((await local("http://127.0.0.1:2/token")).status, 200, "a server inside may have one of its own there");
  await assert.rejects(local("http://169.254.169.254/"), /internal address/);
});

test("an error of a sign-in shows of the server's address its origin alone", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "toolsift-sign-in-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const key = "k3y-of-the-hosted-server";
  const json = (value, status = 200) => Response.json(value, { status });
  const at = "https://as.test";
  const metadata = { issuer: at, authorization_endpoint: at, token_endpoint: at, response_types_supported: ["code"] };
  const resource = (url, as) => ({ resource: url, authorization_servers: [as] });
  const answers = {
    "a resource of another": ({ host }) => json(host === "as.test" ? metadata : resource("https://other.test/x", at)),
    "metadata that cannot be read": ({ pathname }) => {
      const own = resource(`https://hosted.test/mcp/s/${key}/mcp`, `https://hosted.test/mcp/s/${key}`);
      return pathname.includes("oauth-protected") ? json(own) : json({}, 500);
    },
    "an address in an error": () => Promise.reject(new Error(`cannot reach https://hosted.test/mcp/s/${key}/mcp`)),
  };
  for (const [what, answer] of Object.entries(answers)) {
    const url = new URL(`https://hosted.test/mcp/s/${key}/mcp?token=${key}`);
    const signIn = signInTo("hosted", url, {}, async (input) => answer(new URL(input)), { folder, warn: () => {} });
    const refusal = new Response(null, { status: 401 });
    await assert.rejects(signIn.renew(undefined, refusal), (error) => {
      assert.match(error.message, /^cannot sign in to server "hosted": /, what);
      return !error.message.includes(key);
    });
  }
});

test("what a sign-in sends is not sent on", async (t) => {
  const server = createServer((_, response) => response.writeHead(307, { location: "/elsewhere" }).end());
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.onTestFinished(() => server.close());
  const url = `http://127.0.0.1:${server.address().port}/`;
  const answer = await outsideFetch(new URL(url), fetch)(url, { method: "POST", body: "secret" });
  assert.equal(answer.status, 307);
});
