/** Plays a conversation: the turns of a user, the replies of a model under a profile, and every request. */

import { Model } from "./model.mjs";
import { definitionsOf, nameOf, WIRES } from "./wire.mjs";

/** The characters of a tool's result (300 tokens), and of the model's last text in a turn (60 tokens). */
export const RESULT = 1_200;
export const ANSWER = 240;

/** The program's own system prompt, before the text that tool search adds. */
const HOST = `\
You are the assistant of a small team that runs a web shop. Use the tools you have to do what you are asked, and do no more \
than that. Ask before you delete anything. When a tool fails, say so, and say what you tried. Answer in a few plain \
sentences, with the figures and names that the tools gave you, and never with ones that you made up.`;

const SENTENCE = "This is one of the lines that such a tool gives back, about as long as they are. ";
const filled = (length) => SENTENCE.repeat(Math.ceil(length / SENTENCE.length)).slice(0, length);

/** The result of every tool. */
export const TOOL_RESULT = filled(RESULT);

/**
 * Plays the turns of a script in a session, by the `way` of its profile. `send` is told every request: `{ turn, does,
 * tools, system, messages, output }`, where `does` says what the model answers with, and `output` is that answer as
 * messages. `definitions` has every tool's whole definition in this format as JSON text, and `schemas` its parameters, by
 * name. `before` is what the host does with the session before each turn. Answers how many needs were lost: tools that the
 * model did not get to call.
 */
export function play({ session, format, before = () => {}, ...rest }) {
  const host = { assemble: () => session.assemble({ format }), before: (turn) => before(session, turn) };
  const talk = conversation({ host, format, ...rest });
  let step = talk.next();
  while (!step.done) step = talk.next(step.value.map((call) => run(session, call)));
  return step.value;
}

/** Plays with a host whose calls are asynchronous: `call` returns a promise of `{ content, ran }`. */
export async function playWith({ host, ...rest }) {
  const talk = conversation({ host, ...rest });
  let step = talk.next();
  while (!step.done) {
    const results = [];
    for (const call of step.value) results.push(await host.call(call));
    step = talk.next(results);
  }
  return step.value;
}

/** Runs the conversation. It yields the calls of each request, and receives their results. */
function* conversation({ host, way, format, turns, definitions, schemas, send }) {
  const wire = WIRES[format];
  const model = new Model(way, schemas);
  const messages = [];
  let calls = 0;
  for (const [turn, said] of turns.entries()) {
    host.before?.(turn);
    messages.push(wire.user(said.user));
    model.begin(said);
    for (let does; does !== "answer"; ) {
      const { tools, systemPrompt } = host.assemble();
      const sent = new Map(definitionsOf(tools).map((one) => [nameOf(one), one]));
      const move = model.next((name) => sent.has(name) && JSON.stringify(sent.get(name)) === definitions.get(name));
      ({ does } = move);
      const made = move.calls.map((call) => ({ ...call, id: `call_${(calls += 1)}` }));
      const output = does === "answer" ? [wire.answer(filled(ANSWER))] : wire.calls(made);
      const system = systemPrompt === "" ? HOST : `${HOST}\n\n${systemPrompt}`;
      send({ turn, does, tools, system, messages: [...messages], output });
      messages.push(...output);
      if (does === "answer") continue;
      const came = yield made;
      const results = made.map((call, at) => ({ ...call, ...came[at] }));
      model.hear(does, results);
      messages.push(...wire.results(results));
    }
  }
  return model.lost;
}

/** Runs a call, and returns the result for the model. */
function run(session, { name, args }) {
  const outcome = session.call(name, args);
  if (outcome.kind === "dispatch") return { content: TOOL_RESULT, ran: true };
  return { content: outcome.kind === "result" ? outcome.content : outcome.error.message, ran: false };
}
