/** Plays vectors of Hermes' tool_search, tool_describe and tool_call: the profile `bridge`. */

import { condition, isFrom, register } from "./catalog.mjs";
import { Facts, NotUnderstood, isObject, only, parsed, sameSet, shape } from "./facts.mjs";

/** Where a tool comes from, as the vectors describe it and as our answers say it. */
const TOOLSET = "mcp-<server> | category | plugin";
/** Decimals of the scores in the vectors. */
const DECIMALS = 9;

/** The options of the profile with a configuration of Hermes. */
const bridgeWith = (config) => ({ profile: { name: "bridge", config } });

export function hermes(vector) {
  const { ToolSift, config, tools } = vector;
  only(config, ["core", "toolset", "tool_search", "session_scope", "unregistered"], "config");
  if (config.toolset !== undefined && config.toolset !== TOOLSET) throw new NotUnderstood(`toolset ${config.toolset}`);
  const sifts = [];
  const open = (options, entries = [], deferral) => {
    const sift = new ToolSift({ profile: "bridge", ...options });
    sifts.push(sift);
    register(sift, entries, deferral);
    return sift;
  };
  const deferral = deferralOf(config);
  const own = bridgeWith(config.tool_search);
  const bridge = (name) => (call) => {
    only(call, ["tool", "args"], "the call");
    const sift = open(own, tools, deferral);
    const session = sift.session("one", scopeOf(config, tools));
    const outcome = session.call(name, call.args);
    const sameInBatch = () => session.callAll([{ name, args: call.args }])[0];
    return answer(outcome, { sift, tools, session, sameInBatch });
  };

  const steps = {
    tool_search: bridge("tool_search"),
    tool_describe: bridge("tool_describe"),
    tool_call: bridge("tool_call"),
    parse_config: ({ raw, ...rest }) => {
      only(rest, ["op"], "the call");
      return settings(open(bridgeWith(raw)).settings, open(bridgeWith(undecided(raw))).settings);
    },
    should_activate: ({ deferrable_tokens: tokens, context_length: length, ...rest }) => {
      only(rest, ["op"], "the call");
      const options = { ...own, ...window(length), countTokens: () => tokens };
      const entries = tokens > 0 ? [{ name: "one", description: "" }] : [];
      return new Facts({
        activate: open(options, entries, () => "automatic")
          .session("s")
          .assemble().active,
      });
    },
    estimate_tokens: ({ tools: wanted, ...rest }) => {
      only(rest, ["op"], "the call");
      const counted = wanted === "all" ? tools : wanted.map((name) => tools.find((tool) => tool.name === name));
      const session = open({ activation: "off" }, counted, () => "automatic").session("s");
      const { deferrable, tools: sent } = session.assemble({ format: "openai" });
      // Characters are code points here, where JavaScript would count UTF-16 units.
      const chars = sent.reduce((sum, tool) => sum + [...JSON.stringify(tool)].length, 0);
      return new Facts({ tokens: deferrable.tokens, chars });
    },
    assemble: ({ context_length: length, only: kept, append_tools: appended = [], ...rest }) => {
      only(rest, ["op"], "the call");
      const taken = kept === undefined ? tools : tools.filter(({ name }) => kept.includes(name));
      // Tools that the registry does not know stay where they are.
      const strangers = appended.map((name) => ({ name, description: "", deferrable: "never" }));
      const options = { ...own, ...window(length) };
      const all = [...taken, ...strangers];
      const policy = (entry) => (strangers.includes(entry) ? "never" : deferral(entry));
      const session = open(options, all, policy).session("one", scopeOf(config, all));
      return request(session.assemble());
    },
  };
  return { steps, sifts };
}

function deferralOf({ core, unregistered = [] }) {
  const isCore = core === undefined ? () => false : condition(core);
  return (entry) => (isCore(entry) || unregistered.includes(entry.name) ? "never" : "automatic");
}

function scopeOf({ session_scope: pattern }, tools) {
  if (pattern === undefined) return {};
  if (!/^[^*]+\*$/.test(pattern)) throw new NotUnderstood(`session_scope ${pattern}`);
  const names = tools.map(({ name }) => name).filter((name) => name.startsWith(pattern.slice(0, -1)));
  return { scope: { tools: names } };
}

/** A window that is unknown, or none, is not said. */
const window = (length) => (length > 0 ? { contextWindow: length } : {});

/** The same configuration with the switch at `auto`. Ours keeps the share only where it decides. */
const undecided = (raw) => (isObject(raw) ? { ...raw, enabled: "auto" } : {});

function settings({ activation, search }, { activation: { contextShare } }) {
  return new Facts({
    enabled: typeof activation === "string" ? activation : "auto",
    threshold_pct: rounded(100 * contextShare),
    search_default_limit: search.hits,
    max_search_limit: search.maxHits,
  });
}

function request({ active, deferrable, tools }) {
  const description = tools.find(({ name }) => name === "tool_search")?.description ?? "";
  return new Facts({
    activated: active,
    names_in_order: tools.map(({ name }) => name),
    deferred_count: deferrable.tools,
    deferred_tokens: deferrable.tokens,
    threshold_tokens: deferrable.thresholdTokens,
    search_description_contains: (wanted) => (description.includes(wanted) ? wanted : description),
  });
}

function answer(outcome, { sift, tools, session, sameInBatch }) {
  if (outcome.kind === "dispatch") {
    const { name, arguments: passed } = outcome;
    const alike = JSON.stringify(sameInBatch()) === JSON.stringify(outcome);
    return new Facts({ dispatch: alike ? { name, arguments: passed } : "otherwise in a batch", error_kind: null });
  }
  const { content, isError, errorCode } = outcome;
  const said = parsed(content) ?? {};
  const entry = (name) => tools.find((tool) => tool.name === name);
  const [first = said] = said.matches ?? [];
  const description = entry(first.name)?.description ?? "";
  return new Facts(
    {
      dispatch: null,
      error_kind: isError ? errorCode : null,
      shape: shape(content),
      error_mentions: (wanted) => wanted.filter((text) => isError && said.error?.includes(text)),
      query: said.query,
      total_available: said.total_available,
      matches: said.matches?.map(({ name }) => name),
      scores: () => searched(sift, session, said).scores,
      stage: () => searched(sift, session, said).stage,
      keys: sameSet(Object.keys(said)),
      match_keys: sameSet(Object.keys(first)),
      name: first.name,
      source: first.source,
      source_name: first.source_name,
      parameters: isFrom(tools, said.name, said.parameters) ? "<catalog>" : said.parameters,
      description_is_full: said.description === description,
      description_is_prefix: first.description !== undefined && description.startsWith(first.description),
      description_chars: [...(first.description ?? "")].length,
      full_description_chars: [...description].length,
    },
    { because: said.error },
  );
}

/** The same search as the host would make it, which tells scores. */
function searched(sift, session, { query, matches }) {
  const { hits, stage } = sift.search(query, { limit: Math.max(matches.length, 1), session: session.id });
  const score = ({ name }) => hits.find((hit) => hit.name === name)?.score;
  const scores = matches.map((match) => rounded(score(match)));
  return { scores, stage: stage === "substring" ? "name_substring" : stage };
}

const rounded = (number) => (number === undefined ? null : Number(number.toFixed(DECIMALS)));
