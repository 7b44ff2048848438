/** The same query, over the same tools, in each profile: each is really driven, from its first request to a call. */
import { ToolSift, type Outcome, type ProfileInfo, type Session, type Size } from "toolsift";
import type { JsonRecord } from "./json.ts";
import { tokensOf } from "./numbers.ts";
import { namedIn } from "./rows.ts";
import { defaultSettings, optionsOf, type Surroundings } from "./settings.ts";
import type { Source } from "./source.ts";
import { callOf, draftOf } from "./steps.ts";
import { namesValue, surfaceOf, type Surface } from "./surface.ts";
import { wouldAct } from "./waiting.ts";
import { wireTools } from "./wire.ts";

/** One profile's side of it. */
export interface Column {
  profile: ProfileInfo;
  /** Whether it holds these tools back by itself, or only because the page has it do so. */
  byItself: boolean;
  /** The first request. */
  first: Size;
  /** Names that the query returns. */
  found: string[];
  /** What the model is told instead, where the search was refused. */
  refused: string | null;
  /** The calls it takes until the host runs the first hit, that one last; null where nothing was found. */
  steps: string[] | null;
  /** Tokens of the answers that the model reads on the way. */
  answers: number;
  /** The request after that call. */
  after: Size;
}

export function compare(sources: readonly Source[], around: Surroundings, query: string): Column[] {
  return ToolSift.profiles().map((profile) => {
    const sift = new ToolSift(optionsOf(defaultSettings(profile.name, around)));
    try {
      for (const { server, tools, names } of sources) sift.register(tools, { server, names });
      return drive(sift, profile, around, query);
    } finally {
      sift.dispose();
    }
  });
}

function drive(sift: ToolSift, profile: ProfileInfo, around: Surroundings, query: string): Column {
  const session = sift.session();
  const { format, contextWindow } = around;
  const opening = session.assemble({ format });
  const surface = surfaceOf(profile, wireTools(opening.tools));
  const run = { steps: [] as string[], answers: 0 };
  const call = (tool: string, args: JsonRecord): Outcome => {
    const outcome = session.call(tool, args);
    run.steps.push(tool);
    if (outcome.kind === "result") run.answers += tokensOf(outcome.content);
    return outcome;
  };

  const { search } = surface;
  const answer = search?.query ? call(search.name, { [search.query.name]: query }) : null;
  const result = answer?.kind === "result" ? answer : null;
  const found = result && !result.isError ? namedIn(result.content).rows : [];
  const hit = found[0];
  const reached = hit !== undefined && reach(session, surface, hit.name, call);
  const last = run.steps.at(-1);
  // A call that is handed on is one of the tool that it names.
  if (hit && last !== undefined && last !== hit.name) run.steps.splice(-1, 1, `${last}(${hit.name})`);
  return {
    profile,
    byItself: wouldAct(profile, opening, contextWindow),
    first: opening.size,
    found: found.map((row) => row.name),
    refused: result?.isError ? result.content : null,
    steps: reached ? run.steps : null,
    answers: run.answers,
    after: session.assemble({ format }).size,
  };
}

/** From the name of a hit to the call that the host runs. */
function reach(
  session: Session,
  surface: Surface,
  name: string,
  call: (tool: string, args: JsonRecord) => Outcome,
): boolean {
  const { load, describe } = surface;
  const stateOf = () => session.tools().find((tool) => tool.name === name);
  if (load?.names && stateOf()?.state === "deferred") {
    call(load.name, { [load.names.name]: namesValue(load.names, [name]) });
  } else if (describe?.names) {
    call(describe.name, { [describe.names.name]: name });
  }
  const info = stateOf();
  if (!info) return false;
  const { tool, args } = callOf(draftOf(info, surface, {}), {}, surface);
  return call(tool, args).kind === "dispatch";
}
