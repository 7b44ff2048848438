/** Finds texts that are missing, empty of meaning, too long or suspicious. */

import { grouped } from "../grouped.js";
import { bare, count, listed, concerned, wordsOfName, counted } from "./text.js";
import type { Check, Examined, Found, Tool } from "./check.js";
import { inspect } from "../../trust/inspect.js";
import { lookAlikes } from "../../trust/names.js";

/** The number of characters at which some clients, such as Claude Code, cut a description. */
const MOST_CHARS = 2_048;
/** A server is reported if at least this number, and at least this share, of its parameters have no description. */
const UNDESCRIBED = { parameters: 5, share: 0.5 };

export const texts: Check = {
  name: "texts",
  title: "empty and overlong texts",
  *run({ tools }: Examined): Iterable<Found> {
    const servers = [...grouped(tools, (tool) => tool.server)];
    for (const { level, message, advice, concerns } of KINDS) {
      for (const [server, all] of servers) {
        const own = all.filter(concerns);
        if (own.length > 0) yield { level, server, ...concerned(own), message, advice };
      }
    }
    for (const [server, own] of servers) yield* parameters(server, own);
  },
};

/** The problems that a description can have. */
const KINDS: (Pick<Found, "level" | "message" | "advice"> & { concerns: (tool: Tool) => boolean })[] = [
  {
    level: "warning",
    message: "no description",
    advice: "Say in a sentence what the tool does and when to use it.",
    concerns: ({ description }) => description.trim() === "",
  },
  {
    level: "note",
    message: "the description only repeats the name",
    advice: "Say what the tool acts on, and what it returns.",
    concerns: saysNothing,
  },
  {
    level: "note",
    message: `the description has more than ${count(MOST_CHARS)} characters; some clients cut it there`,
    advice: "Put what matters first, and move manuals into an answer or a resource.",
    concerns: ({ description }) => description.length > MOST_CHARS,
  },
];

/** Checks if a description has only the words of the name. */
function saysNothing({ description, originalName, opening }: Tool): boolean {
  if (opening === "" || description.length > 80) return false;
  const words = wordsOfName(description).toLowerCase().split(" ");
  const filler = new Set(["a", "an", "the", "this", "tool", "of", "to"]);
  const name = bare(originalName);
  return words.every((word) => filler.has(word) || name.includes(word));
}

function* parameters(server: string, tools: readonly Tool[]): Iterable<Found> {
  let all = 0;
  const bareNames: string[] = [];
  for (const { inputSchema, originalName } of tools) {
    for (const [name, schema] of Object.entries(Object(inputSchema["properties"]))) {
      all += 1;
      const { description } = Object(schema) as { description?: unknown };
      if (typeof description !== "string" || description.trim() === "") bareNames.push(`${originalName}.${name}`);
    }
  }
  if (bareNames.length < UNDESCRIBED.parameters || bareNames.length < UNDESCRIBED.share * all) return;
  yield {
    level: "note",
    server,
    tool: null,
    message: `${bareNames.length} of ${all} parameters have no description: ${listed(bareNames)}`,
    advice: "Describe each parameter: its form, an example, what leaving it out means.",
  };
}

/** The maximum number of search words in a finding. */
const SHOWN = 4;

export const suspicious: Check = {
  name: "suspicious",
  title: "suspicious texts and names",
  *run({ tools, words }: Examined): Iterable<Found> {
    for (const tool of tools) yield* inspected(tool);
    yield* names(tools);
    for (const { server, tool, texts } of words) {
      const shown = texts.slice(0, SHOWN).map((text) => JSON.stringify(text.slice(0, 80)));
      const more = texts.length > SHOWN ? ", …" : "";
      const message = `its server adds ${counted(texts.length, "text")} for the search: ${shown.join(", ")}${more}`;
      yield {
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

function* inspected({ server, originalName, title, description, inputSchema, annotations }: Tool): Iterable<Found> {
  const found = inspect({ name: originalName, ...(title !== null && { title }), description, inputSchema, annotations });
  for (const { kind, where, detail } of found) {
    const message = `in its ${where}: ${detail}`;
    yield { level: "warning", server, tool: originalName, message, advice: ADVICE[kind] };
  }
}

/** Finds look-alike names of servers, and of the tools of all servers. */
function* names(tools: readonly Tool[]): Iterable<Found> {
  for (const { name, reason } of lookAlikes(tools.map(({ server }) => server))) {
    const advice = "Make sure that it is the server that you mean, and rename one of them.";
    yield { level: "warning", server: name, tool: null, message: reason, advice };
  }
  const servers = new Map(tools.map(({ originalName, server }) => [originalName, server]));
  for (const { name, like, reason } of lookAlikes(servers.keys())) {
    const advice = `Make sure that it is not meant to be taken for ${JSON.stringify(like)}.`;
    yield { level: "warning", server: servers.get(name)!, tool: name, message: reason, advice };
  }
}
