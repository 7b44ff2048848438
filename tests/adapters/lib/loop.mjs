/** Helpers for the tests of `runTools`: a session with two loaded tools, and a run whose model makes some calls once. */

import { appWith } from "./app.mjs";
import { siftOf } from "./tools.mjs";

export const READ = { name: "read_graph", id: "1" };

/** Runs a model that makes these calls in its first reply, and is done then. */
export async function run(calls, options) {
  const app = await appWith();
  const { runTools } = await app.load("toolsift");
  const session = (await siftOf(app)).session("chat");
  session.reveal(["read_graph", "create_issue"]);
  const seen = [];
  const send = (request) => {
    seen.push(request);
    return { calls: request.step === 1 ? calls : [], said: request.step };
  };
  const report = await runTools(session, { send, execute: () => "done", ...options });
  return { report, seen, session };
}
