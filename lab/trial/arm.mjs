/**
 * Makes an arm of a trial, a compared setup, from its name: `everything`, `ai-sdk` (its own `toolSearch`), or a profile with
 * `+words`, `+prefetch` and options of `ToolSift`, such as `sift+words+disclosure=names`.
 */

import { at } from "../../scripts/lib/paths.mjs";
import { MEASURED } from "../lib/prompt-cost.mjs";
import { Problem } from "../../scripts/lib/run.mjs";
import { aiSdkHost } from "./ai-sdk.mjs";
import { byServer, labelOf } from "./catalog.mjs";

const EVERYTHING = "everything";
const AI_SDK = "ai-sdk";
const WORDS = "words";
/** The option that loads tools for the user's message before the first request. */
const PREFETCH = "prefetch";
const FLAGS = [WORDS, PREFETCH];

/**
 * The arm of a name, checked: `{ name, open }`. `open(entries, words)` is awaited for its stage: the `names` of tools by
 * label, the whole `tools`, and `host(id, text)` for each conversation. A host's `assemble(format)` is what the next request
 * has, and its `call(name, args)` what a call comes to: `is` says whether a tool "ran", it was a "search", "help" (another
 * discovery tool), or "refused".
 */
export function armOf(ToolSift, name) {
  const [base, ...settings] = name.split("+");
  const profiles = ToolSift.profiles().map((row) => row.name);
  const sent = [EVERYTHING, AI_SDK, ...profiles];
  if (!sent.includes(base)) throw new Problem(`there is no arm ${base}; there are ${sent.join(", ")}`);
  const [hasWords, isAhead] = FLAGS.map((flag) => settings.includes(flag));
  const options = Object.fromEntries(settings.filter((one) => !FLAGS.includes(one)).map((one) => optionOf(name, one)));
  if (!profiles.includes(base) && settings.length > 0) throw new Problem(`the arm ${base} has no settings: ${name}`);
  const own = base === EVERYTHING ? { activation: "off" } : { profile: base, ...MEASURED, ...options };
  return {
    name,
    open: async (entries, words) => {
      const stage = namesOf(ToolSift, entries);
      if (base === AI_SDK) return { ...stage, host: () => aiSdkHost(stage.tools) };
      const sift = await openSift(ToolSift, own, entries, hasWords ? (words ?? "packs") : undefined);
      const [finder] = base === EVERYTHING ? [] : sift.settings.surface;
      const host = (id, text) => {
        const session = sift.session(id);
        if (isAhead) session.prefetch(text);
        return siftHost(session, finder);
      };
      return { ...stage, host };
    },
  };
}

function optionOf(name, setting) {
  const [key, value] = setting.split(/=(.*)/s);
  if (value === undefined)
    throw new Problem(`the arm ${name}: ${setting} is neither ${FLAGS.join(" nor ")} nor of the form option=value`);
  try {
    return [key, JSON.parse(value)];
  } catch {
    return [key, value];
  }
}

/**
 * Returns the tools as a model sees them if all are sent, `{ name, description, inputSchema }`, and their names by label. A
 * tool has the same name in every arm.
 */
function namesOf(ToolSift, entries) {
  const sift = register(new ToolSift({ activation: "off", limits: { tools: entries.length } }), entries);
  try {
    const names = new Map(
      sift.tools().map((info) => [labelOf({ server: info.server, tool: { name: info.originalName } }), info.name]),
    );
    return { names, tools: sift.session("all").assemble({ format: "mcp" }).tools };
  } finally {
    sift.dispose();
  }
}

async function openSift(ToolSift, options, entries, words) {
  let enrichment = words;
  if (words === "packs") {
    const { packsFor } = await import(at("pkg", "dist", "packs.js"));
    enrichment = (await packsFor(entries.map(({ tool }) => tool))).entries;
  }
  return register(new ToolSift({ ...options, limits: { tools: entries.length } }), entries, enrichment);
}

function register(sift, entries, enrichment) {
  for (const { server, tools } of byServer(entries)) {
    sift.register(tools, { names: "alias", ...(server !== null && { server }), ...(enrichment && { enrichment }) });
  }
  return sift;
}

/** Returns the host for a conversation with a profile. */
const siftHost = (session, finder) => ({
  assemble: (format) => {
    const { tools, systemPrompt } = session.assemble({ format });
    return { tools, prompt: systemPrompt };
  },
  call: (name, args) => {
    const outcome = session.call(name, args);
    if (outcome.kind === "dispatch") return { is: "ran", name: outcome.modelName };
    if (outcome.kind === "refused") return { is: "refused", code: outcome.error.code, content: outcome.error.message };
    return { is: name === finder ? "search" : "help", content: outcome.content, revealed: outcome.revealed };
  },
});
