/** Helpers for the tests of OpenAI's adapter: the real client, with a scripted vendor or with given answers. */

import { startVendor } from "../../apis/vendor.mjs";
import { appWith } from "./app.mjs";
import { script } from "./calls.mjs";
import { host, siftOf } from "./tools.mjs";

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
async function answering(app, ...answers) {
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

/** One run of a model of the adapter's, `make`, whose vendor follows a script, or makes these replies. */
export async function agentOf(wire, make, replies, given, { version = "openai", ...more } = {}) {
  const app = await appWith({ openai: version });
  const follow = typeof replies === "function" ? replies : script(...replies);
  return withVendor(app, wire, follow, async ({ client, requests }) => {
    return { ...(await run(app, make, client, given, more)), requests };
  });
}

/** One run of a model of the adapter's whose client is answered as given, in turn. */
export async function exchangeOf(make, given, answers, { version = "openai", ...more } = {}) {
  const app = await appWith({ openai: version });
  const { client, bodies } = await answering(app, ...answers);
  return { ...(await run(app, make, client, given, more)), bodies };
}

async function run(app, make, client, given, { options, sift, settings, answer, ...others }) {
  const { runTools } = await app.load("toolsift");
  const adapter = await app.load("toolsift/openai");
  const its = sift ?? (await siftOf(app, settings));
  const { execute, ran } = host(answer);
  const report = await runTools(its.session("chat"), { ...adapter[make](client, given, options), execute, ...others });
  return { ...report, app, sift: its, ran };
}

/** A call of a script. */
export const call = (name, args = {}, more = {}) => ({ name, args, ...more });
