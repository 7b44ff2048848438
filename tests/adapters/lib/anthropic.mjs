/** Helpers for the tests of Anthropic's adapter: a run in one line, and its results. */

import { appWith } from "./app.mjs";
import { script } from "./calls.mjs";
import { anthropicPlain, converse } from "./drives/anthropic.mjs";
import { agentOver, siftOf } from "./tools.mjs";

export { add, call } from "./calls.mjs";

/** The application with the SDK. */
export const application = () => appWith(anthropicPlain.versions[0]);

/** A drive of some options, for a model that does just what its script says. */
export const over = (road) => ({ converse: (options) => converse({ road, ...options }) });

/** One run over a road; `steps` are calls, or a script. */
export const run = async (drive, steps, options = {}) =>
  agentOver(drive, await application(), { script: typeof steps === "function" ? steps : script(...steps), ...options });

/** A script of whole replies, as the vendor takes them. */
export const replies =
  (...all) =>
  (_, step) =>
    all[step - 1] ?? { text: "All done." };

/** What the messages alone say was revealed. */
export async function rebuilt({ messages }) {
  const session = (await siftOf(await application())).session("again");
  session.fromMessages(JSON.parse(JSON.stringify(messages)), { format: "anthropic" });
  return session.revealed;
}

/** All answers of a conversation. */
export const results = ({ messages }) =>
  messages.flatMap(({ content }) => content).filter(({ type }) => type === "tool_result");
