/** Plays vectors of Claude Code's ToolSearch, as far as its prompt describes it: the profile `select-load`. */

import { condition, policy, register } from "./catalog.mjs";
import { Facts, including, only, parsed, sameSet } from "./facts.mjs";

export function claudeCode({ ToolSift, config, tools }) {
  only(config, ["deferred"], "config");
  const sift = new ToolSift({ profile: "select-load" });
  const isDeferred = config.deferred === undefined ? (entry) => policy(entry) !== "never" : condition(config.deferred);
  register(sift, tools, (entry) => (isDeferred(entry) ? "always" : "never"));
  const session = sift.session("s");

  const search = ({ args, ...rest }) => {
    only(rest, ["tool"], "the call");
    return answer(session.call("ToolSearch", args), { sift, session, tools, args });
  };
  const callTool = ({ call_tool: name, ...rest }) => {
    only(rest, [], "the step");
    const outcome = session.call(name, {});
    const runs = outcome.kind === "dispatch" && outcome.name === name;
    const { code, message } = outcome.error ?? {};
    return new Facts({ runs, fails: code === "tool_not_revealed" ? "not loaded" : code }, { because: message });
  };
  const toolDefinition = (call) => {
    only(call, ["op"], "the call");
    return definition(session.assemble().tools.find(({ name }) => name === "ToolSearch"));
  };
  return { steps: { ToolSearch: search, call_tool: callTool, tool_definition: toolDefinition }, sifts: [sift] };
}

function answer({ content, isError }, { sift, session, tools, args }) {
  const said = parsed(content) ?? {};
  const names = said.matches?.map(({ name }) => name) ?? [];
  const loaded = said.loaded ?? [];
  const most = sift.settings.search.maxHits;
  const query = parsed(args)?.query;
  const isCallable = (name) => session.call(name, {}).kind === "dispatch";
  return new Facts(
    {
      // Only that it is an error is binding.
      error: (wanted) => (isError && wanted !== null ? wanted : said.error),
      kind: kindOf(sift, query),
      matches: said.matches && names,
      loaded: said.loaded,
      loaded_includes: including(loaded),
      max_results: Math.max(names.length, most),
      every_match_is_loaded: names.every((name) => loaded.includes(name)),
      every_match_is_callable_next: names.every(isCallable),
      must_include: including(names),
      every_name_contains: (part) => names.find((name) => !name.toLowerCase().includes(part)) ?? part,
      must_not_include_if_no_term_occurs: names.every((name) => holdsTerm(tools, name, query)),
    },
    { because: said.error },
  );
}

/** How the query was read. Where nothing was found the search does not say, and the query has to. */
function kindOf(sift, query) {
  if (typeof query !== "string" || query.trim() === "") return null;
  const { stage } = sift.search(query);
  const isSelect = stage === "none" ? /^select:/i.test(query.trim()) : stage === "select";
  return isSelect ? "select" : "keyword";
}

function holdsTerm(tools, name, query) {
  const { description, search_hint: hint = "" } = tools.find((tool) => tool.name === name);
  const text = `${name}\n${description}\n${hint}`.toLowerCase();
  const terms = query
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^\+/, ""));
  return terms.some((term) => term !== "" && text.includes(term));
}

function definition({ name, inputSchema }) {
  const { properties, required } = inputSchema;
  return new Facts({
    name,
    properties: sameSet(Object.keys(properties)),
    required: sameSet(required),
    query_type: properties.query?.type,
  });
}
