/** A short conversation that plays itself: look for something, take what fits, call it; a few times over. */
import type { Conversation } from "./conversation.ts";
import { examplesFor } from "./examples.ts";
import { parseJson, type JsonRecord } from "./json.ts";
import type { Lab } from "./lab.ts";
import { isSent } from "./states.ts";
import { callOf, draftOf } from "./steps.ts";
import { namesValue } from "./surface.ts";

const ROUNDS = 3;

/** Loaded per round: what an agent typically takes of a handful of hits. */
const LOADED = 2;

/** `step` is awaited between two calls and says whether to go on. */
export async function playExample(lab: Lab, step: () => Promise<boolean>): Promise<void> {
  const untouched = lab.current.exchanges.length === 0;
  const conversation = untouched ? lab.current : lab.openConversation();
  const goOn = async () => (await step()) && lab.current === conversation;
  const { search } = lab.surface;
  if (!search?.query || !lab.current.assembly.active) {
    for (const { name } of conversation.tools.slice(0, ROUNDS)) {
      if (!(await goOn())) return;
      callTool(lab, conversation, name);
    }
    return;
  }
  for (const { query } of examplesFor(conversation, lab.rules).slice(0, ROUNDS)) {
    if (!(await goOn())) return;
    const { rows } = lab.call(search.name, { [search.query.name]: query }).named;
    const infos = rows.flatMap((row) => conversation.tools.find((tool) => tool.name === row.name) ?? []);
    const loaded = infos.find(isSent)?.name;
    const wanted = infos.filter((info) => !isSent(info)).slice(0, LOADED).map((info) => info.name);
    const first = loaded ?? wanted[0];
    const { load, describe } = lab.surface;
    if (load?.names && loaded === undefined && wanted.length > 0) {
      if (!(await goOn())) return;
      lab.call(load.name, { [load.names.name]: namesValue(load.names, wanted) });
    } else if (describe?.names && first !== undefined) {
      if (!(await goOn())) return;
      lab.call(describe.name, { [describe.names.name]: first });
    }
    if (first === undefined || !(await goOn())) return;
    callTool(lab, conversation, first);
  }
}

/** The tool itself, with the smallest arguments, on the way that the profile has for it. */
function callTool(lab: Lab, conversation: Conversation, name: string): void {
  const info = conversation.tools.find((tool) => tool.name === name);
  if (!info) return;
  const draft = draftOf(info, lab.surface, lab.definition(info)?.schema ?? {});
  const { tool, args } = callOf(draft, (parseJson(draft.args) ?? {}) as JsonRecord, lab.surface);
  lab.call(tool, args);
}
