/** Runs one conversation about one task: requests and replies alternate until the model answers with text only. */

import { commonPrefix, Meter } from "../conversation/meter.mjs";
import { RATES } from "../conversation/rates.mjs";
import { definitionsOf, nameOf, WIRES } from "../conversation/wire.mjs";
import { charactersOf } from "../simulate/line.mjs";
import { readReply } from "./wire.mjs";

/** The most requests of a conversation. */
export const ROUNDS = 16;

/** The program's own system prompt, before the text that an arm adds. */
const HOST = `\
You are an assistant with tools. Do what the user asks by calling tools, and answer in a few words when all of it is done. \
This is a rehearsal: what tools answer stands in for real answers. Where a call needs a value that a real answer would have \
given, make up a plausible one and go on.`;

/** The answer of every tool. Nothing is executed, so that no arm profits from real answers. */
const ANSWER = '{"ok":true,"id":"r-1","items":[{"id":"r-1","name":"first"},{"id":"r-2","name":"second"}]}';

/**
 * Plays a task; `ask(body)` returns a promise of the model's reply. Returns the `steps`, one for each request; the number of
 * tools whose whole definition the model has `seen`; the `right` tools among them (`loaded`); and whether the conversation
 * `ended` with an answer. A step has the cost of the request and the calls in the reply.
 */
export async function converse({ host, stage, api, model, text, right, ask, rates = RATES }) {
  const wire = WIRES[api.format];
  const meter = new Meter(api.format, rates);
  const whole = new Map(definitionsOf(wire.tools(stage.tools)).map((one) => [nameOf(one), JSON.stringify(one)]));
  const schemas = new Map(stage.tools.map(({ name, inputSchema }) => [name, JSON.stringify(inputSchema)]));
  const messages = [wire.user(text)];
  const seen = new Set();
  const steps = [];
  for (let ended = false; !ended && steps.length < ROUNDS; ) {
    const { tools, prompt } = host.assemble(api.format);
    const sent = new Set();
    for (const definition of definitionsOf(tools)) {
      const name = nameOf(definition);
      sent.add(name);
      if (whole.get(name) === JSON.stringify(definition)) seen.add(name);
    }
    const system = prompt === "" ? HOST : `${HOST}\n\n${prompt}`;
    const reply = readReply(await ask(api.body(model, tools, system, messages)));
    ended = reply.calls.length === 0;
    const calls = reply.calls.map((call, at) => ({
      id: `call_${steps.length + 1}_${at + 1}`,
      name: call.name,
      args: call.arguments ?? {},
    }));
    const output = ended ? [wire.answer(reply.text)] : api.calls(reply.text, calls);
    meter.send({ tools, system, messages: [...messages], output });
    const results = [];
    const made = [];
    for (const call of calls) {
      const came = await host.call(call.name, call.args);
      const content = came.content ?? ANSWER;
      results.push({ ...call, content });
      made.push(recorded(call, came, { content, sent, whole }));
      for (const name of namesIn(content, schemas)) if (content.includes(schemas.get(name))) seen.add(name);
    }
    messages.push(...output, ...(ended ? [] : wire.results(results)));
    const { tokens, cached, output: out } = meter.rows.at(-1);
    const shared = steps.length === 0 && { shared: sharedWith(stage, JSON.stringify(wire.body(tools, system, []))) };
    steps.push({ tokens, cached, output: out, ...shared, ...(reply.text && { text: reply.text }), calls: made });
  }
  const [last] = steps.slice(-1);
  return { steps, seen: seen.size, loaded: right.filter((name) => seen.has(name)), ended: last.calls.length === 0 };
}

/**
 * Returns the tokens at the beginning that all first requests have in common. They are cached after another conversation.
 */
function sharedWith(stage, text) {
  stage.first ??= text;
  return Math.floor(charactersOf(commonPrefix(stage.first, text)) / 4);
}

/** Returns a call for the recording, without the tool's arguments and answer, because nothing reads these. */
function recorded({ name, args }, { is, code, name: ran = name, revealed = [] }, { content, sent, whole }) {
  if (is === "ran") return { is, name: ran };
  if (is === "refused") return { is, name, code, known: whole.has(name), sent: sent.has(name), ...asked(name, args, whole) };
  const found = [...new Set([...revealed, ...namesIn(content, whole)])];
  return { is, name, args, found, ...(revealed.length > 0 && { revealed }), ...asked(name, args, whole) };
}

/** Returns the names that the model passed to a discovery tool and that no tool has. */
function asked(name, args, whole) {
  if (whole.has(name)) return {};
  const selected = /^select:(.*)/s.exec(typeof args?.query === "string" ? args.query : "")?.[1].split(",") ?? [];
  const names = [...selected, ...[args?.tool_names ?? []].flat(), ...[args?.name ?? []].flat()];
  const strange = names.map((one) => String(one).trim()).filter((one) => one !== "" && !whole.has(one));
  return strange.length > 0 ? { strange } : {};
}

/** Returns the tools that an answer shows, in JSON entries or at the beginning of lines. */
function namesIn(content, known) {
  const entries = [...content.matchAll(/"name": ?"([^"]+)"/g)].map(([, name]) => name);
  const lines = [...content.matchAll(/^- ([^(\n]*)\(/gm)].flatMap(([, head]) => head.split(/[^\w.-]+/));
  return [...entries, ...lines].filter((name) => known.has(name));
}
