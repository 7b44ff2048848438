/**
 * Plays the conversations of tests/conversations with a client that does not know of the proxy. The requests to the vendor
 * follow the conversations, and the client's messages contain nothing of the search.
 */

import assert from "node:assert/strict";
import { test } from "vitest";
import { allOrLast, isFull } from "../../../scripts/lib/full.mjs";
import { DISCOVERY } from "../../adapters/lib/calls.mjs";
import { SERVERS, toolsOf } from "../../adapters/lib/tools.mjs";
import { answerOf, CONVERSATIONS, check, featuresOf, rankOf, scripted, surfaceOf } from "../../conversations/play.mjs";
import { lead, serveProxy, startVendor } from "./agents.mjs";

const HOSTS = "the client runs its tools and reads their answers itself";
/** What a proxy decides otherwise, by a conversation's name, a field, a setting or a tool. */
const WITHOUT = {
  answers: HOSTS,
  own: HOSTS,
  skills: "a request has tools, and no skills",
  maxAnswerChars: HOSTS,
  revealed: "a conversation begins with nothing",
  patience: "the proxy asks as often as `maxRounds` says",
  always: "the proxy asks as often as `maxRounds` says",
  forever: "the client's limit counts no rounds",
  rejects: "a client keeps nothing of a run that failed",
  profile: "its list never changes where the surface is constant",
  "with a constant list, a tool is called by the tool of its effect":
    "a client's tools have no annotations: each may destroy",
  "with a constant list, a call by the tool's own name and a call that fails are told, and a scope holds":
    "the client's history shows its tools by their own names, so that such calls run",
  limit: "the client's SDK knows no limit of its own",
  maxTools: "what the client sends in full is between it and its vendor",
  restarted: "a new proxy knows of a conversation what it has called, and no more",
  "a tool that the vendor would refuse under its parameters' names gets its own names back":
    "a client sends what its vendor takes",
  "arguments that are no JSON are refused, and go back as none to a vendor that reads them":
    "the client is handed its own calls as they are",
  "the user's own message is searched ahead of the first request, and what it clearly finds can be called at once":
    "each run is another client's, and one option is the whole proxy's",
};

/** The ways to the proxy: by its URL and by a `fetch`. In short, a client that streams takes the one, and another the other. */
const doorsOf = ({ stream }) => (isFull ? ["url", "fetch"] : [stream ? "url" : "fetch"]);

/** Plays them over every version and variant of a client, behind a URL, and the newest version with a `fetch` too. */
export function contract(client, { fetches = true, about = {}, skip } = {}) {
  for (const packages of allOrLast(client.versions)) {
    const isNewest = packages === client.versions.at(-1);
    for (const variant of client.variants) {
      for (const door of fetches && isNewest ? doorsOf(variant) : ["url"]) {
        const names = [...Object.values(packages), ...Object.entries(variant).map((pair) => pair.join(" ")), door];
        for (const conversation of CONVERSATIONS.filter(isPlayed)) {
          test(`${client.label} (${names.join(", ")}): ${conversation.name}`, { skip }, () =>
            play(conversation, client, { packages, door, ...variant, ...about }),
          );
        }
      }
    }
  }
}

const isPlayed = (conversation) => !featuresOf(conversation).some((feature) => Object.hasOwn(WITHOUT, feature));
const isSearch = (name) => DISCOVERY.includes(name);

/**
 * What is expected of a run: the servers of its tools are not known to the proxy, and a search beside a call has no answer
 * unless the vendor keeps the conversation.
 */
function expected({ events: _, system, steps, ...others }, replies, isKept) {
  const answered = ({ answers, ...step }, at) => {
    const calls = [replies[at - 1] ?? []].flat().flatMap(Object.keys);
    if (answers === undefined || calls.every(isSearch)) return { ...step, answers };
    const of = (isOurs) => answers.filter((__, nth) => isSearch(calls[nth]) === isOurs);
    return { ...step, answers: [...(isKept ? of(true) : []), ...of(false)] };
  };
  const said = system?.split("[\\s\\S]*- ")[0];
  return { ...others, ...(said && { system: said }), ...(steps && { steps: steps.map(answered) }) };
}

async function play({ runs, together, settings, servers = SERVERS, register = [] }, client, about) {
  const homes = new Map(servers.flatMap((server) => toolsOf(server).map((tool) => [tool, server])));
  for (const { server = null, ...tool } of register) homes.set(tool, server);
  const names = new Map([...homes].map(([{ name }, server]) => [name, server]));
  /** Which of several conversations at once is asked, by its first words. */
  const models = new Map();
  const vendor = await startVendor(client, (request) => {
    const { script, requests } = models.get(request.prompt);
    requests.push(request);
    return script(request, requests.length);
  });
  const served = together ? await serveProxy({ upstream: vendor.url, sift: settings }) : undefined;
  const one = async ({ id: _, scope, prompt = "Report it.", replies, rank, expect, ...others }) => {
    const requests = [];
    models.set(prompt, { script: scripted({ replies }), requests });
    const seen = [...homes].filter(([, server]) => scope?.servers.includes(server) ?? true);
    const events = [];
    const told = await lead(client, {
      ...{ ...about, ...others, prompt, upstream: vendor, tools: seen.map(([tool]) => tool) },
      ...(together && { door: "none", url: served.url }),
      options: { sift: settings, ...rankOf({ rank }), onEvent: (event) => void events.push(event) },
      answer: (name) => answerOf({}, { server: names.get(name), name }),
    });
    const ran = told.ran.map((call) => ({ ...call, server: names.get(call.name) }));
    const finish = told.finish === "steps" ? "steps" : "done";
    check(
      expected(expect, replies, about.kept !== undefined),
      { ...told, requests, ran, finish },
      { surface: surfaceOf(settings) },
    );
    const kept = JSON.stringify(told.messages);
    for (const name of DISCOVERY) assert.ok(!kept.includes(`"${name}"`), "the client sees no search");
    for (const { outcome, stream, full } of events.filter(({ type }) => type === "request"))
      assert.deepEqual([outcome, stream, full.tools], ["done", about.stream, seen.length]);
    assert.doesNotMatch(JSON.stringify(events), /none"/, "no key is told");
  };
  try {
    await Promise.all(runs.map(one));
  } finally {
    await served?.close();
    await vendor.close();
  }
}
