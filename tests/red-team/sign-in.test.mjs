/** Attacks by a remote server on the network of whoever signs in to it. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { at } from "../../scripts/lib/paths.mjs";

const { outsideFetch } = await import(at("cli", "dist", "oauth", "inside.js"));

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
    ...["http://0.0.0.0/", "http://2130706433/", "http://[64:ff9b::7f00:1]/"],
  ];
  for (const url of inside) await assert.rejects(go(url), /internal address/, url);
  await assert.rejects(go("file:///etc/passwd"), /no address to sign in at/);
  assert.deepEqual(asked, []);
  await assert.rejects(go("https://203.0.113.7/moved"), /internal address/);
  await assert.rejects(go("https://203.0.113.7/round"), /sends on more than 5 times/);
  assert.equal((await go("https://203.0.113.8/ok")).status, 200);
  const local = outsideFetch(new URL("http://127.0.0.1:1/mcp"), next);
  assert.equal((await local("http://127.0.0.1:2/token")).status, 200, "a server inside may have one of its own there");
  await assert.rejects(local("http://169.254.169.254/"), /internal address/);
});

test("what a sign-in sends is not sent on", async (t) => {
  const server = createServer((_, response) => response.writeHead(307, { location: "/elsewhere" }).end());
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const url = `http://127.0.0.1:${server.address().port}/`;
  const answer = await outsideFetch(new URL(url), fetch)(url, { method: "POST", body: "secret" });
  assert.equal(answer.status, 307);
});
