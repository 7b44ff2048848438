/** A short conversation that plays itself: look for something, load what fits, call it; a few times over. */
import { sampleArguments } from "./arguments.ts";
import { examplesFor } from "./examples.ts";
import type { Lab } from "./lab.ts";
import { loaderOf, namesValue, searcherOf } from "./surface.ts";

const ROUNDS = 3;

/** Loaded per round: what an agent typically takes of a handful of hits. */
const LOADED = 2;

/** `step` is awaited between two calls and says whether to go on. */
export async function playExample(lab: Lab, step: () => Promise<boolean>): Promise<void> {
  const untouched = lab.current.exchanges.length === 0;
  const conversation = untouched ? lab.current : lab.openConversation();
  const goOn = async () => (await step()) && lab.current === conversation;
  for (const { query } of examplesFor(conversation).slice(0, ROUNDS)) {
    const searcher = searcherOf(lab.surface);
    if (!searcher?.query || !(await goOn())) return;
    const { rows } = lab.call(searcher.name, { [searcher.query.name]: query });

    const loader = loaderOf(lab.surface);
    const stateOf = new Map(conversation.tools.map((tool) => [tool.name, tool.state]));
    const wanted = rows.map((row) => row.name).filter((name) => stateOf.get(name) === "deferred").slice(0, LOADED);
    if (loader?.names && wanted.length > 0) {
      if (!(await goOn())) return;
      lab.call(loader.name, { [loader.names.name]: namesValue(loader.names, wanted) });
    }

    const tool = conversation.sent.find((row) => row.name === (wanted[0] ?? rows[0]?.name));
    if (tool) {
      if (!(await goOn())) return;
      lab.call(tool.name, sampleArguments(tool.schema));
    }
  }
}
