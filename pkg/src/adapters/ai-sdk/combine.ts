/** Combines the settings of a host's whole call with what a conversation adds: both hold, in whichever order they stand. */

import type { ToolSet } from "ai";
import { callable } from "../../checks.js";
import { refuseClash } from "../../doorway/clash.js";
import type { Session } from "../../index.js";
import type { CallSettings } from "./settings.js";
import type { SiftedTools } from "./sifted.js";
import type { Conversation, ConversationOptions } from "./types.js";

type Any = Record<string, any>;

/** What of a host's settings is combined, under the names of either version. */
const COMBINED = [
  "tools",
  "prepareStep",
  "experimental_prepareStep",
  "stopWhen",
  "activeTools",
  "experimental_activeTools",
  "repairToolCall",
  "experimental_repairToolCall",
];

/** Combines settings with the conversation of a session. */
export function combine(
  sifted: SiftedTools<any>,
  session: Session,
  settings: CallSettings,
  watch: ConversationOptions<any>,
): Any {
  const { prepareCall, ...given } = settings as Any;
  const call = { ...without(given), ...conversationOf(sifted, session, given, watch) };
  callable("prepareCall", prepareCall, true);
  const isAgent = prepareCall !== undefined || (given["prompt"] === undefined && given["messages"] === undefined);
  if (!isAgent) return call;
  // An agent may answer several calls at once: each has a conversation of its own.
  const prepare = async (told: Any) => {
    const own = { ...without(told), ...only(given) };
    const prepared: Any = (await prepareCall?.(own)) ?? own;
    return { ...without(prepared), ...conversationOf(sifted, session, prepared, watch) };
  };
  return { ...call, prepareCall: prepare };
}

function conversationOf(
  sifted: SiftedTools<any>,
  session: Session,
  given: Any,
  watch: ConversationOptions<any>,
): Conversation<ToolSet> {
  const { tools, toolChoice, system, instructions } = given;
  const prepareStep = given["prepareStep"] ?? given["experimental_prepareStep"];
  callable("prepareStep", prepareStep, true);
  const forced = typeof toolChoice === "object" && toolChoice !== null ? { toolChoice } : {};
  const options = {
    ...watch,
    // A tool that the model is made to call is loaded.
    prepareStep: async (told: Any) => ({ ...forced, ...(await prepareStep?.(told)) }),
    stopWhen: given["stopWhen"],
    activeTools: given["activeTools"] ?? given["experimental_activeTools"],
    repairToolCall: given["repairToolCall"] ?? given["experimental_repairToolCall"],
    // Before ai 7, a step is not told what the system prompt is.
    system: system ?? instructions,
  };
  return sifted.beside(session, options as ConversationOptions<any>, besideOf(sifted.kit, session, tools));
}

/** The host's tools of this call, but for those that the catalog has from the same host. */
function besideOf({ tools }: SiftedTools<any>["kit"], session: Session, given: ToolSet = {}): ToolSet {
  const entries = Object.entries(given);
  refuseClash(session, entries, Object.values(tools));
  return Object.fromEntries(entries.filter(([name, tool]) => tools[name] !== tool));
}

function without(settings: Any): Any {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => !COMBINED.includes(key)));
}

function only(settings: Any): Any {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => COMBINED.includes(key)));
}
