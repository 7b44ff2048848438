/** Plays vectors of nexo's ToolSearch: the profile `select`. */

import { condition, isFrom, register } from "./catalog.mjs";
import { Facts, only, parsed, sameSet, sorted } from "./facts.mjs";

/** Time stands still: vectors count calls within a minute. */
const NOW = { now: 0 };
/** Who calls where a step does not say. */
const AGENT = "a";

export function nexo({ ToolSift, config, tools }) {
  only(config, ["deferred", "rate_per_minute"], "config");
  const sift = new ToolSift({ profile: "select", searchesPerMinute: config.rate_per_minute });
  const isDeferred = config.deferred === undefined ? () => false : condition(config.deferred);
  // The profile holds back what asks for it.
  register(sift, tools, (entry) => (isDeferred(entry) ? "always" : "never"));

  const call = ({ args, agent = AGENT, ...rest }) => {
    only(rest, ["do", "tool"], "the call");
    return answer(sift.session(agent).call("ToolSearch", args, NOW), tools);
  };
  const toolsArray = (step) => {
    only(step, ["do"], "the step");
    return request(sift.session(AGENT).assemble(), tools);
  };
  return { steps: { ToolSearch: call, call, tools_array: toolsArray }, sifts: [sift] };
}

function answer({ content, isError, errorCode }, tools) {
  const said = parsed(content) ?? {};
  const matches = said.matches ?? [];
  const words = said.error?.split(/[\s,;:.]+/) ?? [];
  const named = (value) => (words.includes(String(value)) ? value : said.error);
  // Of what a match has, the schema and the description only count when they are the catalog's.
  const has = (match) =>
    Object.keys(match).filter(
      (key) => key !== "parameters" || match.name === "ToolSearch" || isFrom(tools, match.name, match.parameters),
    );
  return new Facts(
    {
      ok: !isError,
      error_kind: errorCode,
      limit: named,
      agent: named,
      query: said.query,
      query_kind: said.query_kind,
      total_deferred_tools: said.total_deferred_tools,
      // An expected match names the keys that matter: a selected tool has no score.
      matches: (wanted) => matches.map((match, i) => picked(match, wanted[i])),
      match_has: (wanted) => matches.map(has).find((keys) => sameSet(keys)(wanted) !== wanted) ?? wanted,
      missing: said.missing,
    },
    { because: said.error },
  );
}

function picked(match, wanted = { name: true }) {
  const keys = Object.keys(wanted).filter((key) => key in match);
  const isScored = "score" in wanted || !("score" in match);
  return Object.fromEntries([...keys, ...(isScored ? [] : ["score"])].map((key) => [key, match[key]]));
}

/** What goes to the model. */
function request({ tools: sent, systemPrompt }, tools) {
  const isFull = ({ name, inputSchema }) => name === "ToolSearch" || isFrom(tools, name, inputSchema);
  const [block, tag] = /<([\w-]+)>\n[^]*\n<\/\1>/.exec(systemPrompt) ?? [];
  const lines = block?.split("\n").filter((line) => line.startsWith("- ")) ?? [];
  const summary = new Facts({
    wrapped_in_tag: tag,
    mentions: (wanted) => (block.includes(wanted) ? wanted : block),
    lines_sorted: sorted(lines),
    line_count: lines.length,
    // It would not have come as far as here.
    must_not_panic: true,
  });
  return new Facts({
    full_schema_tools_sorted: sorted(sent.filter(isFull).map(({ name }) => name)),
    summary: block === undefined ? null : summary,
  });
}
