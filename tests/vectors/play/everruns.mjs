/** Plays vectors of everruns' tool_search: the profile `stub`. */

import { bytesOf, isFrom, policy, register } from "./catalog.mjs";
import { Facts, freeText, only, parsed, sameSet } from "./facts.mjs";

const SEARCH = "tool_search";
/** The published system stubs a tool also where the stub is the larger one; ours does not unless it is told to. */
const PROFILE = { profile: "stub", stubWhen: "always" };

export function everruns({ ToolSift, config, configText, tools, reading }) {
  only(config, ["capability", "ctor_threshold", "ctor_never_defer", "with_search_tool"], "config");
  const options = { ...PROFILE, ...optionsOf(ToolSift, config, configText) };
  const open = (more) => {
    const sift = new ToolSift({ ...options, ...more });
    register(sift, tools, reading === "seed" ? policy : policyOfSource);
    return sift;
  };
  const sift = open();
  const everything = open({ activation: "off" });
  const empty = new ToolSift(options);
  const hasSearch = config.with_search_tool !== false;

  const call = ({ args, session, visible, no_registry: noRegistry, no_visible: noVisible, ...rest }) => {
    only(rest, ["do", "tool"], "the call");
    const turn = noVisible ? { visible: null } : visible && { visible };
    const outcome = (noRegistry ? empty : sift).session(session ?? "s").call(SEARCH, args, turn);
    return answer(outcome, { ToolSift, sift, tools });
  };
  const assemble = ({ session, ...rest }) => {
    only(rest, ["do"], "the step");
    const sent = definitions(sift.session(session ?? "s")).filter(({ name }) => hasSearch || name !== SEARCH);
    return request(sent, definitions(everything.session("s")), tools);
  };
  const findable = tools.findLast((entry) => policy(entry) !== "never");
  let fresh = 0;
  const flood = ({ n, ...rest }) => {
    only(rest, ["do"], "the step");
    const revealsOne = () => {
      const { revealed } = sift.session(`flood ${fresh++}`).call(SEARCH, { query: findable.name });
      return revealed.length === 1;
    };
    return new Facts({ ok: Array.from({ length: n }, revealsOne).every(Boolean) });
  };
  return { steps: { tool_search: call, call, assemble, flood }, sifts: [sift, everything, empty] };
}

/** By its description `always` holds below the threshold too, and so it does here; its source makes no difference. */
const policyOfSource = (entry) => (policy(entry) === "never" ? "never" : "automatic");

/**
 * Our options for what the host passes (`capability`) and what the embedder set in code (`ctor_…`). A threshold of the
 * host's goes before the embedder's, where it is one: the package says whether it is.
 */
function optionsOf(ToolSift, config, { capability }) {
  const { ctor_threshold: inCode, ctor_never_defer: alwaysAvailable, with_search_tool: hasSearch } = config;
  const passed = capability ?? {};
  const sift = new ToolSift({ ...PROFILE, profile: { name: PROFILE.profile, config: passed } });
  const { tools } = sift.settings.activation;
  sift.dispose();
  const isPassed = passed.threshold === tools;
  const threshold = isPassed ? tools : (inCode ?? tools);
  // Ours counts its search tool, which is always there. Without it there is one tool less.
  const counted = hasSearch === false ? threshold + 1 : threshold;
  const own = counted === tools ? passed : { ...passed, threshold: counted };
  return { profile: { name: PROFILE.profile, config: own }, alwaysAvailable };
}

/** What is sent, in the form in which the system itself measures it. */
function definitions(session) {
  const { tools } = session.assemble({ format: "openai" });
  return tools.map(({ function: { name, description, parameters } }) => ({ name, description, parameters }));
}

function request(sent, full, tools) {
  const catalog = full.filter(({ name }) => name !== SEARCH);
  const isStub = ({ name, parameters }) => name !== SEARCH && !isFrom(tools, name, parameters);
  const stubs = sent.filter(isStub);
  const names = sent.map(({ name }) => name);
  const inOrder = [...tools.map(({ name }) => name), ...(names.includes(SEARCH) ? [SEARCH] : [])];
  const isRemoved = ({ name }) => stubs.some((stub) => stub.name === name);
  return new Facts({
    order: names.join("\n") === inOrder.join("\n") ? "unchanged" : names,
    tool_count: sent.length,
    stubbed: stubs.map(({ name }) => name),
    full: sent.filter((tool) => !isStub(tool)).map(({ name }) => name),
    catalog_full_list_bytes: sum(catalog),
    catalog_full_params_bytes: sum(catalog.map(({ parameters }) => parameters)),
    removed_params_bytes: sum(catalog.filter(isRemoved).map(({ parameters }) => parameters)),
    stub_rule: new Facts({
      type: (wanted) => stubs.find(({ parameters }) => parameters.type !== wanted)?.parameters ?? wanted,
      additionalProperties: (wanted) =>
        stubs.find(({ parameters }) => parameters.additionalProperties !== wanted)?.parameters ?? wanted,
      has_properties: stubs.some(({ parameters }) => "properties" in parameters),
      description_mentions: (wanted) => wanted.filter((text) => stubs.every((stub) => mentions(stub, text))),
    }),
  });
}

const sum = (values) => values.reduce((bytes, value) => bytes + bytesOf(value), 0);

const mentions = ({ name, parameters }, text) =>
  parameters.description?.includes(text === "the tool's own exact name" ? name : text);

function answer({ content, isError, errorCode }, { ToolSift, sift, tools }) {
  const said = parsed(content) ?? {};
  const found = said.tools ?? [];
  const names = found.map(({ name }) => name);
  const areFull = found.every(({ name, parameters }) => isFrom(tools, name, parameters));
  return new Facts(
    {
      ok: !isError,
      // The kinds have no fixed names; what they are about has.
      error_kind: (wanted) => {
        const isIt = (about) => wanted.includes(about) && errorCode?.includes(about);
        return ["registry", "visible"].some(isIt) ? wanted : errorCode;
      },
      query: said.query,
      tools: said.tools && names,
      scores: () => scores(sift, said.query, names),
      terms: () => terms(ToolSift, said.query),
      parameters: areFull ? "full" : "changed",
      tools_carry_full_parameters: areFull,
      // Where nothing was found, nothing is said of loading.
      loaded: said.loaded ?? [],
      message: freeText(said.message),
      available_tools: said.available_tools,
      keys: sameSet(Object.keys(said)),
    },
    { because: said.error },
  );
}

function scores(sift, query, names) {
  const { hits } = sift.search(query);
  return names.map((name) => hits.find((hit) => hit.name === name)?.score ?? null);
}

/** The words of a query as the package reads them: a tool that is described by the query has them all. */
function terms(ToolSift, query) {
  const sift = new ToolSift(PROFILE);
  sift.register([{ name: "-", description: query }], { names: "any" });
  const parts = sift.search(query, { reasons: true }).hits.flatMap((hit) => hit.parts);
  sift.dispose();
  return parts.filter(({ how }) => how !== "whole-query").map(({ term }) => term);
}
