/**
 * Do the examples with embedding models work, as far as they do without a model?
 *
 * 1. The local one, with a tiny stand-in for the pipeline of Transformers.js: the index is built with vectors, and a search
 * finds a tool without a word in common, for which only the query is embedded.
 * 2. The vendor's, against a server that refuses what the vendor refuses and answers in another order: tools are embedded
 * once, what changed is embedded again, a busy vendor is asked again, and one that is down is told.
 */

import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { install } from "../../scripts/lib/installed.mjs";
import { at } from "../../scripts/lib/paths.mjs";
import { node } from "../../scripts/lib/run.mjs";

/** What the stand-ins know: words that mean the same. */
const MEANINGS = [/rain|forecast|precipitation/i, /mail|letter/i, /event|calendar|meeting/i, /ticket|bug/i];
const vectorOf = (text) => [...MEANINGS.map((words) => (words.test(text) ? 1 : 0)), 0.1];

/** A pipeline as Transformers.js has it, for this example. */
const PIPELINE = `
import { appendFileSync } from "node:fs";
const MEANINGS = [${MEANINGS.join(", ")}];
const vectorOf = ${vectorOf};
export async function pipeline(task, model, { dtype }) {
  if (task !== "feature-extraction" || dtype !== "q8") throw new Error("another pipeline");
  return async (texts, { pooling, normalize }) => {
    if (!Array.isArray(texts) || pooling !== "mean" || !normalize) throw new Error("other options");
    appendFileSync("asked.txt", texts.length + " " + model + "\\n");
    const vectors = texts.map(vectorOf).map((one) => one.map((value) => value / Math.hypot(...one)));
    return { dims: [texts.length, 5], tolist: () => vectors };
  };
}
`;

const folders = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

async function copyOf(name) {
  const { app } = await install();
  const folder = mkdtempSync(join(app, `${name}-`));
  folders.push(folder);
  cpSync(at("examples", name), folder, { recursive: true });
  return folder;
}

const QUERY = "is it raining in Lisbon?";

test("a model in the process", async () => {
  const folder = await copyOf("embed-local");
  const transformers = join(folder, "node_modules", "@huggingface", "transformers");
  mkdirSync(transformers, { recursive: true });
  writeFileSync(join(transformers, "package.json"), '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(join(transformers, "index.js"), PIPELINE);
  const run = async (file, ...args) => (await node(join(folder, file), args, { cwd: folder })).stdout;
  const built = await run("build-index.mjs");
  assert.match(built, /^tools\.index: \d+ bytes, 85 of them for 5 vectors of 5 numbers$/m);
  const found = await run("search.mjs", QUERY);
  assert.match(found, /^- get_forecast\(/m);
  assert.ok(found.indexOf("get_forecast") < (found.indexOf("send_mail") + 1 || Infinity), found);
  const asked = readFileSync(join(folder, "asked.txt"), "utf8");
  assert.equal(asked, "5 Xenova/all-MiniLM-L6-v2\n1 Xenova/all-MiniLM-L6-v2\n");
});

/** A vendor: what was asked, and what it is to answer before it answers well. */
let vendor;

before(async () => {
  const requests = [];
  const trouble = [];
  const server = createServer(async (request, response) => {
    const chunks = await collected(request);
    const answer = (status, value, headers = {}) => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify(value));
    };
    const refuse = (status, message, headers) =>
      answer(status, { error: { message, type: "invalid_request_error" } }, headers);
    if (request.method !== "POST" || request.url !== "/v1/embeddings") return refuse(404, "Invalid URL");
    if (request.headers.authorization !== "Bearer test-key") return refuse(401, "Incorrect API key provided");
    const [next] = trouble.splice(0, 1);
    if (next !== undefined) return refuse(next, "busy", { "retry-after": "0.01" });
    const { model, input, dimensions, encoding_format: format, ...others } = JSON.parse(Buffer.concat(chunks).toString());
    if (Object.keys(others).length > 0) return refuse(400, `Unrecognized request argument: ${Object.keys(others)}`);
    if (model !== "text-embedding-3-small") return refuse(404, `The model ${model} does not exist`);
    if (!Array.isArray(input) || input.length === 0 || input.length > 2_048) return refuse(400, "'$.input' is invalid");
    if (input.some((text) => typeof text !== "string" || text === "")) return refuse(400, "'$.input' is invalid");
    if (input.some((text) => text.length > 4 * 8_192)) return refuse(400, "maximum context length is 8192 tokens");
    if (!(dimensions >= 1 && dimensions <= 1_536) || format !== "float") return refuse(400, "invalid dimensions or format");
    requests.push(input);
    const data = input.map((text, index) => {
      const embedding = [...vectorOf(text), ...Array(dimensions - 5).fill(0)];
      return { object: "embedding", index, embedding };
    });
    answer(200, { object: "list", data: data.reverse(), model, usage: { prompt_tokens: 1, total_tokens: 1 } });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}/v1`;
  vendor = { requests, trouble, url, close: () => server.close() };
});
after(() => vendor.close());

async function collected(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

test("a vendor's embeddings", async () => {
  const folder = await copyOf("embed-vendor");
  const run = (env = {}, query = QUERY) => {
    const all = { ...process.env, OPENAI_BASE_URL: vendor.url, OPENAI_API_KEY: "test-key", ...env };
    return node(join(folder, "search.mjs"), [query], { cwd: folder, env: all });
  };
  const asked = () => vendor.requests.splice(0).map((input) => input.length);

  assert.match((await run()).stdout, /^- get_forecast\(/m);
  assert.deepEqual(asked(), [5, 1]);
  assert.match((await run()).stdout, /^- get_forecast\(/m);
  assert.deepEqual(asked(), [1]);

  const catalog = join(folder, "catalog.mjs");
  writeFileSync(catalog, readFileSync(catalog, "utf8").replace("Sends a mail.", "Sends a letter."));
  vendor.trouble.push(429, 503);
  assert.match((await run()).stdout, /^- get_forecast\(/m);
  assert.deepEqual([asked(), vendor.trouble], [[1, 1], []]);

  const wrong = await run({ OPENAI_API_KEY: "other" }, "send a mail");
  assert.match(wrong.stderr, /searched by words alone: the vendor answered 401: .*Incorrect API key/);
  assert.match(wrong.stdout, /send_mail/);
  const other = await run({ EMBEDDING_MODEL: "text-embedding-9" }, "send a mail");
  assert.match(other.stderr, /the vendor answered 404: .*text-embedding-9 does not exist/);
  assert.deepEqual(asked(), []);
});
