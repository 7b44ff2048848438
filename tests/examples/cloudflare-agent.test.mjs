/**
 * Tests the example for Cloudflare's Agents SDK. It runs in workerd with Durable Objects, and a local test vendor plays the
 * model.
 * 1. It compiles under `strict`.
 * 2. The model searches, calls a loaded tool, and gets the answer. A later process continues with the messages and the
 *    loaded tools.
 * 3. Conversations are separate.
 */

import assert from "node:assert/strict";
import { cpSync, mkdtempSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { beforeAll, test } from "vitest";
import { scratch } from "../../scripts/lib/installed.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";
import { appWith } from "../adapters/lib/app.mjs";
import { call, DISCOVERY, script, search } from "../adapters/lib/calls.mjs";
import { bundleWorker, runWorker } from "../lib/workerd.mjs";
import { startVendor } from "../apis/vendor.mjs";
import { chat } from "../apis/chat.mjs";

const PACKAGES = ["agents", "ai", "@ai-sdk/openai", "@cloudflare/workers-types"];

/** What wrangler does with Node's own modules: workerd has them under their names with `node:`. */
const nodesOwn = {
  name: "nodes-own",
  setup({ onResolve }) {
    const filter = new RegExp(`^(${builtinModules.join("|")})$`);
    onResolve({ filter }, ({ path }) => ({ path: `node:${path}`, external: true }));
  },
};

let folder;
let storage;

beforeAll(async () => {
  const app = await appWith(Object.fromEntries(PACKAGES.map((name) => [name, name])));
  folder = app.folder;
  storage = mkdtempSync(join(scratch(), "objects-"));
  cpSync(at("examples", "cloudflare-agent"), folder, { recursive: true });
  await bundleWorker(join(folder, "src", "agent.ts"), join(folder, "dist", "agent.js"), {
    external: ["cloudflare:*", "node:*"],
    plugins: [nodesOwn],
  });
});

/** The example's worker over a vendor that follows a script: each prompt's answer, and what the model was sent. */
async function converse(lead, ...replies) {
  const vendor = await startVendor(chat, script(...replies));
  const worker = runWorker(join(folder, "dist", "agent.js"), {
    compatibilityFlags: ["nodejs_compat"],
    durableObjects: { Helper: { className: "Helper", useSQLite: true } },
    durableObjectsPersist: storage,
    bindings: { OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${vendor.url}/v1` },
  });
  const ask = async (conversation, prompt) => {
    const url = `http://agent.test/${conversation}`;
    const response = await worker.dispatchFetch(url, { method: "POST", body: JSON.stringify({ prompt }) });
    assert.equal(response.status, 200, await response.clone().text());
    return response.json();
  };
  try {
    await lead(ask, vendor.requests);
  } finally {
    await worker.dispose();
    await vendor.close();
  }
}

test("its types are right", async () => {
  await node(at("node_modules", "typescript", "bin", "tsc"), ["-p", folder]);
});

test("the model finds a tool and calls it, and a later process goes on with the conversation", async () => {
  const first = [[search("where is my order, its status")], [call("order_status", { order: "A-1" })]];
  await converse(
    async (ask, requests) => {
      const { text, loaded } = await ask("chat-42", "Where is order A-1?");
      assert.equal(text, "All done.");
      assert.ok(loaded.includes("order_status"));
      assert.deepEqual(requests[0].tools, DISCOVERY);
      assert.match(requests[2].answers[0], /"status":"shipped"/);
    },
    ...first,
  );

  await converse(async (ask, requests) => {
    await ask("chat-42", "And now?");
    assert.ok(requests[0].tools.includes("order_status"), "loaded before this process began");
    const texts = JSON.stringify(requests[0].body.messages);
    assert.ok(texts.includes("Where is order A-1?") && texts.includes("And now?"));
    await ask("chat-43", "Hello");
    assert.deepEqual(requests.at(-1).tools, DISCOVERY, "another conversation has loaded nothing");
    assert.ok(!JSON.stringify(requests.at(-1).body.messages).includes("order A-1"));
  });
});
