/** Is what the proxy is tested with worth something? The vendors refuse what is wrong. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { startVendor } from "../apis/vendor.mjs";
import { chat } from "../apis/chat.mjs";
import { gemini } from "../apis/gemini.mjs";
import { messages } from "../apis/messages.mjs";
import { responsesWire } from "../apis/responses.mjs";

const user = { role: "user", content: "Hi." };
const schema = { type: "object", properties: {} };
const fn = { type: "function", function: { name: "a", parameters: schema } };
const called = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "1", type: "function", function: { name: "a", arguments: "{}" } }],
};
const block = (type, more) => ({ role: "assistant", content: [{ type, ...more }] });
const used = block("tool_use", { id: "t1", name: "a", input: {} });
const tool = { name: "a", input_schema: schema };
const part = (role, ...parts) => ({ role, parts });

const WRONG = {
  chat: [
    [{ model: "m", messages: [user], toolsift: 1 }, /unknown field 'toolsift'/],
    [{ model: "m", messages: [] }, /messages is empty/],
    [{ model: "m", messages: [user], tools: [] }, /too short/],
    [{ model: "m", messages: [user], tools: [fn, fn] }, /unique/],
    [{ model: "m", messages: [user], tools: [{ ...fn, defer_loading: true }] }, /unknown field 'defer_loading'/],
    [{ model: "m", messages: [user], tool_choice: "required" }, /only allowed when 'tools'/],
    [
      { model: "m", messages: [user], tools: [fn], tool_choice: { type: "function", function: { name: "b" } } },
      /'b' not found/,
    ],
    [{ model: "m", messages: [user, called], tools: [fn] }, /must be followed by tool messages/],
    [{ model: "m", messages: [user, { role: "tool", tool_call_id: "1", content: "" }] }, /must be a response/],
  ],
  messages: [
    [{ max_tokens: 1, messages: [user], tools: [tool, tool] }, /unique/],
    [{ max_tokens: 1, messages: [user, used], tools: [tool] }, /without tool_result/],
    [{ max_tokens: 1, messages: [user, block("thinking", { thinking: "a", signature: "b" })] }, /Invalid `signature`/],
    [{ max_tokens: 1, messages: [user, block("text", { text: " " })] }, /non-empty/],
    [
      { max_tokens: 1, messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "t" }] }] },
      /unexpected tool_use_id/,
    ],
    [{ max_tokens: 1, messages: [user], tools: [{ ...tool, defer_loading: true }] }, /At least one tool/],
  ],
  gemini: [
    [{ contents: [part("user")] }, /without parts/],
    [{ contents: [part("model", { functionCall: { name: "a" } })] }, /missing a thought_signature/],
    [
      { contents: [part("user", { text: "a" })], tools: [{ functionDeclarations: [{ name: "a" }, { name: "a" }] }] },
      /Duplicate/,
    ],
  ],
  responses: [
    [{ input: [{ type: "function_call_output", call_id: "1", output: "" }] }, /No tool call found/],
    [{ input: [{ type: "function_call", call_id: "1", name: "a", arguments: "{}" }] }, /No tool output found/],
    [
      {
        input: [
          { type: "reasoning", id: "rs_0", summary: [] },
          { role: "user", content: "" },
        ],
      },
      /required following item/,
    ],
    [{ input: "Hi.", previous_response_id: "resp_0" }, /not found/],
  ],
};

test("the vendors refuse what is wrong", async () => {
  const wires = { chat, messages, gemini, responses: responsesWire() };
  const paths = { chat: "/v1/chat/completions", messages: "/v1/messages", responses: "/v1/responses" };
  const headers = { authorization: "Bearer none", "anthropic-version": "2023-06-01", "content-type": "application/json" };
  for (const [name, cases] of Object.entries(WRONG)) {
    const vendor = await startVendor(wires[name], () => ({ text: "Fine." }));
    for (const [body, message] of cases) {
      const path = paths[name] ?? "/v1beta/models/m:generateContent";
      const response = await fetch(vendor.url + path, { method: "POST", headers, body: JSON.stringify(body) });
      assert.equal(response.status, 400, `${name}: ${JSON.stringify(body)}`);
      assert.match((await response.json()).error.message, message);
    }
    vendor.refusals.length = 0;
    await vendor.close();
  }
});
