/** Finds texts that hide something, address the model, or carry a name that looks like another's. */

import { inspect } from "../../trust/inspect.js";
import { lookAlikes } from "../../trust/names.js";
import type { Check, Examined, Tool } from "./check.js";
import { counted } from "./text.js";
import type { Finding } from "./types.js";

/** Words for the search that a finding shows. */
const SHOWN = 4;

export const suspicious: Check = {
  name: "suspicious",
  title: "suspicious texts and names",
  *run({ tools, words }: Examined): Iterable<Finding> {
    for (const tool of tools) yield* inspected(tool);
    yield* names(tools);
    for (const { server, tool, texts } of words) {
      const shown = texts.slice(0, SHOWN).map((text) => JSON.stringify(text.slice(0, 80)));
      const more = texts.length > SHOWN ? ", …" : "";
      const message = `its server adds ${counted(texts.length, "text")} for the search: ${shown.join(", ")}${more}`;
      yield {
        check: "suspicious",
        level: "note",
        server,
        tool,
        message,
        advice: "Read them: nobody sees them but the search.",
      };
    }
  },
};

const ADVICE = {
  "hidden-text": "Take the characters out: a person who reads the text does not see them, and a model does.",
  control: "Take the characters out: terminals act on them.",
  "addresses-model": "Describe what the tool does; orders to the model make clients and gateways distrust it.",
  "look-alike": "Write each word in one script.",
} as const;

function* inspected({ server, originalName, title, description, inputSchema, annotations }: Tool): Iterable<Finding> {
  const found = inspect({ name: originalName, ...(title !== null && { title }), description, inputSchema, annotations });
  for (const { kind, where, detail } of found) {
    const message = `in its ${where}: ${detail}`;
    yield { check: "suspicious", level: "warning", server, tool: originalName, message, advice: ADVICE[kind] };
  }
}

/** Servers, and tools of all servers, whose names look alike. */
function* names(tools: readonly Tool[]): Iterable<Finding> {
  for (const { name, like, reason } of lookAlikes(new Set(tools.map(({ server }) => server)))) {
    if (like === undefined) continue;
    const advice = "Make sure that it is the server that you mean, and rename one of them.";
    yield { check: "suspicious", level: "warning", server: name, tool: null, message: reason, advice };
  }
  const servers = new Map(tools.map(({ originalName, server }) => [originalName, server]));
  for (const { name, like, reason } of lookAlikes(servers.keys())) {
    if (like === undefined) continue;
    const advice = `Make sure that it is not meant to be taken for ${JSON.stringify(like)}.`;
    yield { check: "suspicious", level: "warning", server: servers.get(name)!, tool: name, message: reason, advice };
  }
}
