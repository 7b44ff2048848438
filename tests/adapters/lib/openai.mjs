/** What do the tests of what is special to OpenAI's roads stand on? The real client, with a vendor or with given answers. */

import { startVendor } from "../../vendors/vendor.mjs";

/** Leads something with a client of a vendor that follows a script: `lead({ client, requests })`. */
export async function withVendor(app, wire, script, lead) {
  const { default: OpenAI } = await app.load("openai");
  const vendor = await startVendor(wire, script);
  try {
    const client = new OpenAI({ baseURL: `${vendor.url}/v1`, apiKey: "none", maxRetries: 0 });
    return await lead({ client, requests: vendor.requests });
  } finally {
    await vendor.close();
  }
}

/** A client whose requests are answered as given, in turn: objects as JSON, texts as events, errors as a broken line. */
export async function answering(app, ...answers) {
  const { default: OpenAI } = await app.load("openai");
  const bodies = [];
  const fetch = async (_, { body }) => {
    bodies.push(JSON.parse(body));
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    const type = typeof answer === "string" ? "text/event-stream" : "application/json";
    return new Response(typeof answer === "string" ? answer : JSON.stringify(answer), { headers: { "content-type": type } });
  };
  return { client: new OpenAI({ apiKey: "none", maxRetries: 0, fetch }), bodies };
}

/** A call of a script. */
export const call = (name, args = {}, more = {}) => ({ name, args, ...more });

/** Whether an error is one of the package's, of a code, whose message says some words. */
export const isToolSiftError = (code, words) => (error) => {
  if (error?.name !== "ToolSiftError" || error.code !== code || !words.test(error.message)) throw error;
  return true;
};
