/** Plays vectors of mcpagent's Tool Search Mode: the profile `search-add`. */

import { register } from "./catalog.mjs";
import { Facts, NotUnderstood, including, only, parsed, sameSet, shape, sorted } from "./facts.mjs";

const DISCOVERY = ["search_tools", "add_tool", "show_all_tools"];
const OFFLOADING = ["search_large_output", "read_large_output", "query_large_output"];
/** Names that the system knows without being told; to ours they are the host's to say. */
const ALIASES = { write_workspace_file: "update_workspace_file", create_workspace_file: "update_workspace_file" };
/** Hits of the fuzzy step. */
const MOST_FUZZY = 5;
const NEXT_STAGE = "fuzzy, at most 5 results; if that is empty too: found 0, tools []";

export function mcpagent({ ToolSift, config, tools }) {
  only(config, ["pre_discovered", "selected_servers", "selected_tools", "virtual"], "config");
  const { pre_discovered: preDiscovered, selected_servers: servers, selected_tools: selected } = config;
  const selection = { servers, tools: selected };
  const sift = new ToolSift({ profile: "search-add", preDiscovered, selection, aliases: ALIASES });
  const first = (config.virtual ?? []).map((name) => ({ name, description: "" }));
  // Everything can be held back here, whatever a tool says of itself.
  for (const entries of [first, tools]) register(sift, entries, () => "automatic");
  const session = sift.session("s");

  const deferred = () => sift.search(".*", { session: session.id }).hits.map(({ name }) => name);
  const call =
    (name, facts) =>
    ({ args, ...rest }) => {
      only(rest, ["do", "tool"], "the call");
      return facts(session.call(name, args), args);
    };
  const plain = (facts) => (step) => {
    only(step, ["do"], "the step");
    return facts();
  };
  const steps = {
    search_tools: call("search_tools", (outcome, args) => found(outcome, { sift, session, args })),
    add_tool: call("add_tool", added),
    show_all_tools: call("show_all_tools", shown),
    deferred: plain(() => new Facts({ names: deferred() })),
    visible: plain(() => visible(session.assemble(), deferred())),
  };
  return { steps, sifts: [sift] };
}

function found({ content, isError, errorCode }, { sift, session, args }) {
  const said = parsed(content) ?? {};
  const lines = said.tools ?? [];
  const names = lines.map(({ name }) => name);
  const stage = () => stageOf(sift, session, { isError, errorCode, args });
  const matched = () => (stage() === "regex" ? said.found : 0);
  const isComplete = said.found === lines.length && lines.length <= MOST_FUZZY && typeof said.message === "string";
  const isAbout = (tool, part) => `${tool.name}\n${tool.description}`.toLowerCase().includes(part);
  return new Facts(
    {
      error_kind: errorCode,
      stage: (wanted) => (wanted === "regex_no_match" && ["fuzzy", "none"].includes(stage()) ? wanted : stage()),
      shape: shape(content),
      found: said.found,
      tools: said.tools && names,
      keys: sameSet(Object.keys(said)),
      item_keys: (wanted) => lines.map(Object.keys).find((keys) => sameSet(keys)(wanted) !== wanted) ?? wanted,
      regex_found: matched,
      seed_next_stage: (wanted) => {
        if (wanted !== NEXT_STAGE) throw new NotUnderstood(`seed_next_stage ${JSON.stringify(wanted)}`);
        return isComplete ? wanted : said;
      },
      max_results: (wanted) => (isComplete && lines.length <= wanted ? wanted : lines.length),
      must_include: including(names),
      first: names[0],
      any_name_contains: (part) => (lines.length > 0 && lines.every((line) => isAbout(line, part)) ? part : names),
    },
    { because: said.error, engine: () => (stage() === "invalid_regex" ? "rejects the pattern" : `${matched()} tools`) },
  );
}

/** Which step answered, in the words of the vectors. */
function stageOf(sift, session, { isError, errorCode, args }) {
  if (isError) return errorCode === "pattern_invalid" ? "invalid_regex" : errorCode;
  const { stage } = sift.search(parsed(args).query, { session: session.id });
  return stage === "pattern" ? "regex" : stage;
}

/** Lines of `Added: a, b`, each only where there is something to say. */
function added({ content, isError, errorCode }) {
  const listed = (heading) => {
    const line = content.split("\n").find((one) => one.startsWith(heading));
    return line === undefined ? [] : line.slice(heading.length).split(", ");
  };
  return new Facts(
    {
      error_kind: errorCode,
      added: listed("Added: "),
      already_available: listed("Already available: "),
      not_found: listed("Not found: "),
    },
    { because: isError ? content : undefined },
  );
}

function shown({ content, errorCode }) {
  const said = parsed(content) ?? {};
  return new Facts({ error_kind: errorCode, total: said.total, tools: said.tools });
}

function visible({ tools }, deferred) {
  const names = tools.map(({ name }) => name);
  const among = (list) => names.filter((name) => list.includes(name));
  const own = [...DISCOVERY, ...OFFLOADING];
  return new Facts({
    deferred_count: deferred.length,
    discovery: among(DISCOVERY),
    offloading: among(OFFLOADING),
    discovered: sorted(names.filter((name) => !own.includes(name))),
  });
}
