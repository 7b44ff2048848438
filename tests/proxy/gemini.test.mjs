/** Tests behaviour that is specific to the Gemini API. Behaviour common to all APIs is tested in apis.test.mjs. */

import assert from "node:assert/strict";
import { test } from "vitest";
import { APIS } from "../apis/index.mjs";
import { client, search } from "./lib/asking.mjs";

const photo = { name: "share_photo", args: {} };
const namesIn = ({ tools = [] }) =>
  tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name));
/** The API takes both spellings, which its strict form in these tests does not. */
const lenient = { ...APIS.gemini, read: (body) => ({ tools: namesIn(body) }) };
const asked = (replies, options) => client("gemini", replies, { api: lenient, ...options });

test("allowed names are revealed, and histories are read, in both spellings; tools of the vendor stay", async () => {
  const { ask, one, seen } = asked([{ calls: [photo] }, { text: "Done." }]);
  const tool_config = { function_calling_config: { mode: "ANY", allowed_function_names: [photo.name] } };
  const tools = [{ googleSearch: {} }, { function_declarations: one.tools[0].functionDeclarations }];
  await ask({ tool_config, tools });
  assert.deepEqual([seen[0].tools.includes(photo.name), seen[0].body.tools[0]], [true, { googleSearch: {} }]);
  const contents = [
    ...one.contents,
    { role: "model", parts: [{ function_call: photo }] },
    { role: "user", parts: [{ function_response: { name: photo.name, response: { ok: true } } }] },
  ];
  await ask({ contents });
  assert.deepEqual([seen[1].tools.includes(photo.name), seen[1].body.contents], [true, contents], "as it came");
});

test("where no functions are left, what else the config says stays", async () => {
  const [functionCallingConfig, retrievalConfig] = [{ mode: "AUTO" }, { languageCode: "en" }];
  const { ask, seen } = asked([{ calls: [search("zzzz")] }, { text: "No." }], { maxRounds: 1 });
  await ask({ toolConfig: { functionCallingConfig, retrievalConfig } });
  assert.deepEqual(seen[0].body.toolConfig, { functionCallingConfig, retrievalConfig });
  assert.deepEqual([seen[1].body.tools, seen[1].body.toolConfig], [undefined, { retrievalConfig }]);
});

for (const [more, why] of [
  [{ generationConfig: { candidateCount: 2 } }, /several candidates/],
  [{ generation_config: { candidate_count: 2 } }, /several candidates/],
  [{ cachedContent: "cachedContents/1" }, /cached content/],
  [{ cached_content: "cachedContents/1" }, /cached content/],
  [{ toolConfig: { functionCallingConfig: { streamFunctionCallArguments: true } } }, /arguments in pieces/],
]) {
  test(`it passes through, with a word: ${JSON.stringify(more)}`, async () => {
    const { ask, one, seen, problems } = asked([{ text: "Done." }]);
    await ask(more);
    assert.deepEqual([seen[0].body, problems.length], [{ ...one, ...more }, 1]);
    assert.match(problems[0], new RegExp(`^a request passes through in full: .*${why.source}`));
  });
}
