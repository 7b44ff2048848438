/**
 * Scripted vendors for adapters in other languages, over lines of JSON on standard input and output. `{ wire, replies,
 * always, forever }` starts a vendor with these replies and returns its `url`. `{ close: url }` ends it and returns the
 * `requests` that it received, or the `error` that it found in them.
 */

import { createInterface } from "node:readline";
import { scripted } from "../../conversations/play.mjs";
import { startVendor } from "../../apis/vendor.mjs";
import { chat } from "../../apis/chat.mjs";
import { gemini } from "../../apis/gemini.mjs";
import { anthropic } from "../../apis/messages.mjs";
import { responses } from "../../apis/responses.mjs";

const WIRES = { anthropic, chat, gemini, responses };
const vendors = new Map();

async function open({ wire, ...run }) {
  const vendor = await startVendor(WIRES[wire], scripted(run));
  vendors.set(vendor.url, vendor);
  return { url: vendor.url };
}

async function close(url) {
  const vendor = vendors.get(url);
  try {
    await vendor.close();
  } catch (error) {
    return { error: String(error.stack) };
  }
  const requests = vendor.requests.map(({ answers, tools, system, prompt }) => {
    return { tools, system, prompt, answers: answers.map(textOf) };
  });
  return { requests };
}

/** An answer may have parts, where an API takes them. */
const textOf = (answer) => (typeof answer === "string" ? answer : answer.map(({ text }) => text).join("\n"));

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  console.log(JSON.stringify(asked.close === undefined ? await open(asked) : await close(asked.close)));
}
