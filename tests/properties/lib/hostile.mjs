/** Unexpected plain data from models, servers, files and networks, to use in the place of an expected value. */

import fc from "fast-check";

function deep() {
  let one = {};
  for (let at = 0; at < 5_000; at++) one = { one };
  return one;
}

/** Values by what they are. Each is made anew, so that no run sees what another has done to it. */
const HOSTILE = {
  undefined: () => undefined,
  null: () => null,
  NaN: () => NaN,
  "-1": () => -1,
  0.5: () => 0.5,
  "1e308": () => 1e308,
  "2 ** 53": () => 2 ** 53,
  true: () => true,
  "no text": () => "",
  blanks: () => " \n\t",
  __proto__: () => "__proto__",
  constructor: () => "constructor",
  "half a surrogate pair": () => "\ud800",
  "a null character": () => "a\0b",
  "a long text": () => "x".repeat(70_000),
  "other scripts": () => "日本語\u202e🏴‍☠️\u0301",
  "a pattern": () => "(a*)*b[[:x",
  JSON: () => '{"name":"good","arguments":{}}',
  "broken JSON": () => '{"name":',
  "no object": () => "[1]",
  "an empty object": () => ({}),
  "an object with an own __proto__": () => JSON.parse('{"__proto__":{"name":"good"},"constructor":1,"toString":2}'),
  "a deep object": deep,
  "an empty list": () => [],
  "a list of nothing": () => [null],
  "a list of lists": () => [[[]]],
  "a list of texts": () => ["good", ""],
  "a list of objects": () => [{}, { name: "good" }],
  "a long list": () => new Array(20_001).fill("good"),
};

/** What is done to the value of a place. Each gets the object that holds it, its key and its value. */
const CHANGES = {
  "left out": (holder, key) => void (Array.isArray(holder) ? holder.splice(Number(key), 1) : delete holder[key]),
  "in a list": (holder, key, value) => void (holder[key] = [value]),
  "twice in a list": (holder, key, value) => void (holder[key] = [value, value]),
  "in an object": (holder, key, value) => void (holder[key] = { value }),
  "as text": (holder, key, value) => void (holder[key] = typeof value === "function" ? "f" : (JSON.stringify(value) ?? "x")),
};

const ANYTHING = fc.jsonValue({ maxDepth: 2, stringUnit: "binary" });

/** An edit of some arguments: which place, and what becomes of it. It is plain data, so that a failure can be read. */
export const edit = fc.record({
  place: fc.nat({ max: 0xffff }),
  change: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...Object.keys(HOSTILE)).map((name) => ({ value: name })) },
    { weight: 3, arbitrary: fc.constantFrom(...Object.keys(CHANGES)).map((name) => ({ is: name })) },
    { weight: 1, arbitrary: ANYTHING.map((value) => ({ any: value })) },
  ),
});

/** Deeper places are those of what is repeated, such as a long conversation. */
const DEPTH = 12;

/** Where a value stands: the object that holds it, and its key. Objects of classes are one value. */
function placesIn(holder, depth = DEPTH, found = []) {
  for (const key of Object.keys(holder)) {
    const value = holder[key];
    if (Object.getOwnPropertyDescriptor(holder, key).writable) found.push([holder, key]);
    if (depth > 0 && isPlain(value)) placesIn(value, depth - 1, found);
  }
  return found;
}

function isPlain(value) {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

/** Makes the edits, one after the other. Every third edit is of a whole argument. */
export function edited(args, edits) {
  for (const { place, change } of edits) {
    const places = place % 3 === 0 ? Object.keys(args).map((key) => [args, key]) : placesIn(args);
    if (places.length === 0) continue;
    const [holder, key] = places[place % places.length];
    if ("value" in change) holder[key] = HOSTILE[change.value]();
    else if ("any" in change) holder[key] = change.any;
    else CHANGES[change.is](holder, key, holder[key]);
  }
  return args;
}
