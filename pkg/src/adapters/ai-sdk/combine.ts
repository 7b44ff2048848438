/** Combines the settings of a host's whole call with what a conversation adds: both hold, in whichever order they stand. */

import type { ToolSet } from "ai";
import { callable } from "../../base/checks.js";
import { refuseClash } from "../../door/clash.js";
import type { Session } from "../../index.js";
import type { CallSettings } from "./settings.js";
import type { SiftedTools } from "./sifted.js";
import type { Conversation, ConversationOptions } from "./types.js";

type Any = Record<string, any>;

/** The settings that are combined, under the names of either version. */
const COMBINED = /^(tools|stopWhen|(experimental_)?(prepareStep|activeTools|repairToolCall))$/;

/** Combines settings with the conversation of a session. */
export function combine(
  sifted: SiftedTools<any>,
  session: Session,
  settings: CallSettings,
  watch: ConversationOptions<any>,
): Any {
  const { prepareCall, ...given } = settings as Any;
  const call = { ...part(given, false), ...conversationOf(sifted, session, given, watch) };
  callable("prepareCall", prepareCall, true);
  const isAgent = prepareCall !== undefined || (given["prompt"] === undefined && given["messages"] === undefined);
  if (!isAgent) return call;
  // An agent may serve several conversations at once.
  const prepare = async (callOptions: Any) => {
    const own = { ...part(callOptions, false), ...part(given, true) };
    const prepared: Any = (await prepareCall?.(own)) ?? own;
    return { ...part(prepared, false), ...conversationOf(sifted, session, prepared, watch) };
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
  const either = (name: string) => given[name] ?? given[`experimental_${name}`];
  const prepareStep = either("prepareStep");
  callable("prepareStep", prepareStep, true);
  const forced = typeof toolChoice === "object" && toolChoice !== null ? { toolChoice } : {};
  const options = {
    ...watch,
    // A tool that `toolChoice` forces is loaded.
    prepareStep: async (stepOptions: Any) => ({ ...forced, ...(await prepareStep?.(stepOptions)) }),
    stopWhen: given["stopWhen"],
    activeTools: either("activeTools"),
    repairToolCall: either("repairToolCall"),
    // Before ai 7, a step does not receive the system prompt.
    system: system ?? instructions,
  };
  return sifted.beside(session, options as ConversationOptions<any>, besideOf(sifted.shared, session, tools));
}

/** The host's tools of this call, but for those that the catalog has from the same host. */
function besideOf({ tools }: SiftedTools<any>["shared"], session: Session, given: ToolSet = {}): ToolSet {
  const entries = Object.entries(given);
  refuseClash(session, entries, Object.values(tools));
  return Object.fromEntries(entries.filter(([name, tool]) => tools[name] !== tool));
}

/** The settings that are combined, or the others. */
function part(settings: Any, isCombined: boolean): Any {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => COMBINED.test(key) === isCombined));
}
