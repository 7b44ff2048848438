/**
 * Generates catalogs that are similar to those of public MCP servers: in the size of tools, the size of their parts, the
 * frequency of words and the nesting of schemas. The same number of tools always gives the same catalog, byte for byte, on
 * every machine.
 */

import { randomFrom } from "../../eval/random.mjs";
import { writerOf } from "./writer.mjs";

/** Public tools have 161 tokens in the median and 272 on average: a logarithmic normal distribution of this width. */
const MEDIAN_TOKENS = 161;
const WIDTH = 1.02;
/** The largest public tool has 3,333 tokens, the smallest are a name and a sentence. */
const MOST_TOKENS = 3_400;
const LEAST_TOKENS = 25;
/** The average number of JSON characters per token, with the tokenizer of a real model. */
export const CHARACTERS_PER_TOKEN = 4.48;
/** The share of the description in the characters of a tool. Most other characters are in the schema. */
const DESCRIPTION_SHARE = 0.35;
/** 44 public servers have 845 tools; larger catalogs have more servers and larger ones. */
const SERVERS_POWER = 0.55;
const NESTING = 4;

/** Yields catalogs `{ server, tools }` with `count` tools in total. */
export function* madeUpCatalogs(count) {
  const servers = Math.min(count, Math.max(2, Math.round(count ** SERVERS_POWER)));
  for (let number = 0; number < servers; number++) {
    const random = randomFrom(`server ${number}`);
    const writer = writerOf(number, random);
    const [from, to] = [number, number + 1].map((at) => Math.floor((count * at) / servers));
    yield { server: `${writer.product}-${writer.noun()}-${number}`, tools: toolsOf(writer, to - from) };
  }
}

const STYLES = [
  (words) => words.join("_"),
  (words) => words.join("_"),
  (words) => words.join("-"),
  ([first, ...others]) => first + others.map((word) => word[0].toUpperCase() + word.slice(1)).join(""),
];

function toolsOf(writer, count) {
  const style = writer.any(STYLES);
  const names = new Set();
  return Array.from({ length: count }, () => {
    const words = nameFor(writer, names.size);
    while (names.has(style(words))) words.push(writer.noun());
    const name = style(words).slice(0, 40);
    // A shortened name can already be in use.
    const unique = names.has(name) ? `${name}_${names.size}` : name;
    names.add(unique);
    return toolOf(writer, unique, words);
  });
}

/** Makes a name from a verb and one or two nouns. Two nouns are more frequent if many names are in use. */
function nameFor(writer, taken) {
  const short = [writer.verb(), writer.noun()];
  return writer.random() < 0.3 + taken / 400 ? [...short, writer.noun()] : short;
}

function toolOf(writer, name, words) {
  const { random } = writer;
  const wanted = CHARACTERS_PER_TOKEN * tokensOf(random);
  const description = `${words.join(" ")} ${writer.text(wanted * DESCRIPTION_SHARE * (0.5 + random()))}`;
  const empty = { type: "object", properties: {} };
  const left = wanted - name.length - description.length - JSON.stringify(empty).length;
  const inputSchema = withProperties(writer, left, 0);
  return { name, description, inputSchema, ...(random() < 0.3 && { annotations: { readOnlyHint: random() < 0.6 } }) };
}

/** Draws a number of tokens from the log-normal distribution, with the Box–Muller method. */
function tokensOf(random) {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.min(MOST_TOKENS, Math.max(LEAST_TOKENS, MEDIAN_TOKENS * Math.exp(WIDTH * normal)));
}

/** Returns the schema of an object whose properties have about `characters` characters. */
function withProperties(writer, characters, depth) {
  const properties = {};
  const required = [];
  for (let left = characters; left > 30; ) {
    const name = propertyName(writer, properties);
    properties[name] = propertyOf(writer, left, depth);
    left -= JSON.stringify(properties[name]).length + name.length + 4;
    if (writer.random() < 0.4) {
      required.push(name);
      left -= name.length + 3;
    }
  }
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

function propertyName(writer, taken) {
  let name = writer.noun();
  while (Object.hasOwn(taken, name)) name += `_${writer.noun()}`;
  return name;
}

function propertyOf(writer, left, depth) {
  const { random } = writer;
  // Most parameters have a short description, and a few a long one.
  const description = writer.text(Math.min(Math.max(left - 45, 0), 15 + 110 * random() ** 2 + (random() < 0.05 ? 300 : 0)));
  const kind = random();
  if (kind < 0.08 && depth < NESTING && left > 300) {
    return { ...withProperties(writer, Math.min(left / 2, 900), depth + 1), description };
  }
  if (kind < 0.13 && depth < NESTING && left > 400) {
    return { type: "array", items: withProperties(writer, Math.min(left / 2, 700), depth + 1), description };
  }
  if (kind < 0.25 && left > 120) {
    const values = Array.from({ length: 2 + Math.floor(6 * random() ** 2) }, () => writer.noun());
    return { type: "string", enum: [...new Set(values)], description };
  }
  if (kind < 0.32) return { type: "array", items: { type: "string" }, description };
  if (kind < 0.45) return { type: "integer", minimum: 1, default: 1 + Math.floor(random() * 100), description };
  if (kind < 0.58) return { type: "boolean", description };
  return { type: "string", description };
}
