/** Plays a conversation: the user's turns, a model's answers under a profile, and every request on the way. */

import { Model } from "./model.mjs";
import { definitionsOf, nameOf, WIRES } from "./wire.mjs";

/** Characters of a tool's result, and of the model's own words at the end of a turn: 300 and 60 tokens. */
export const RESULT = 1_200;
export const ANSWER = 240;

/** What the host itself tells the model, before what tool search adds. */
const HOST = `\
You are the assistant of a small team that runs a web shop. Use the tools you have to do what you are asked, and do no more \
than that. Ask before you delete anything. When a tool fails, say so, and say what you tried. Answer in a few plain \
sentences, with the figures and names that the tools gave you, and never with ones that you made up.`;

const SENTENCE = "This is one of the lines that such a tool gives back, about as long as they are. ";
const filled = (length) => SENTENCE.repeat(Math.ceil(length / SENTENCE.length)).slice(0, length);

/**
 * Plays the turns of a script in a session, by the `way` of its profile. `send` is told every request: `{ turn, does,
 * tools, system, messages, output }`, where `does` says what the model answers with, and `output` is that answer as messages.
 * `definitions` has every tool's whole definition in this format as JSON text, and `schemas` its parameters, by name.
 * `before` is what the host does with the session before each turn. Answers how many needs were lost: tools that the
 * model did not get to call.
 */
export function play({ session, way, format, turns, definitions, schemas, send, before = () => {} }) {
  const wire = WIRES[format];
  const model = new Model(way, schemas);
  const messages = [];
  let calls = 0;
  for (const [turn, said] of turns.entries()) {
    before(session, turn);
    messages.push(wire.user(said.user));
    model.begin(said);
    for (let does; does !== "answer"; ) {
      const { tools, systemPrompt } = session.assemble({ format });
      const sent = new Map(definitionsOf(tools).map((one) => [nameOf(one), one]));
      const move = model.next((name) => sent.has(name) && JSON.stringify(sent.get(name)) === definitions.get(name));
      ({ does } = move);
      const made = move.calls.map((call) => ({ ...call, id: `call_${(calls += 1)}` }));
      const output = does === "answer" ? [wire.answer(filled(ANSWER))] : wire.calls(made);
      const system = systemPrompt === "" ? HOST : `${HOST}\n\n${systemPrompt}`;
      send({ turn, does, tools, system, messages: [...messages], output });
      messages.push(...output);
      if (does === "answer") continue;
      const results = made.map((call) => ({ ...call, ...run(session, call) }));
      model.hear(does, results);
      messages.push(...wire.results(results));
    }
  }
  return model.lost;
}

/** What a call comes to, as the host hands it back to the model. */
function run(session, { name, args }) {
  const outcome = session.call(name, args);
  if (outcome.kind === "dispatch") return { content: filled(RESULT), ran: true };
  return { content: outcome.kind === "result" ? outcome.content : outcome.error.message, ran: false };
}
