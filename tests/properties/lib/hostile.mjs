/** Values that nobody expects, and ways to put them in the place of an expected one. */

import fc from "fast-check";

/** What a getter or a function of the host throws here; it tells the host's errors from ours. */
export class HostError extends Error {
  name = "HostError";
  constructor() {
    super("boom");
  }
}

const boom = () => {
  throw new HostError();
};

const TRAPS = Object.getOwnPropertyNames(Reflect);

function revoked(target) {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function cyclic() {
  const one = { name: "good" };
  one.self = one;
  return one;
}

function deep() {
  let one = {};
  for (let at = 0; at < 5_000; at++) one = { one };
  return one;
}

class Odd {
  name = "good";
  get inputSchema() {
    return { type: "object" };
  }
}

/** Values by what they are. Each is made anew, so that no run sees what another has done to it. */
const HOSTILE = {
  undefined: () => undefined,
  null: () => null,
  NaN: () => NaN,
  "-0": () => -0,
  "-1": () => -1,
  "0.5": () => 0.5,
  "1e308": () => 1e308,
  Infinity: () => Infinity,
  "2 ** 53": () => 2 ** 53,
  true: () => true,
  false: () => false,
  "a big integer": () => 10n,
  "a symbol": () => Symbol("s"),
  "no text": () => "",
  blanks: () => " \n\t",
  "__proto__": () => "__proto__",
  constructor: () => "constructor",
  toString: () => "toString",
  then: () => "then",
  "half a surrogate pair": () => "\ud800",
  "the other half": () => "a\udc00b",
  "a null character": () => "a\0b",
  "a long text": () => "x".repeat(70_000),
  "other scripts": () => "日本語\u202e🏴‍☠️\u0301",
  "a pattern": () => "(a*)*b[[:x",
  JSON: () => '{"name":"good","arguments":{}}',
  "broken JSON": () => '{"name":',
  "no object": () => "[1]",
  "a function": () => () => 1,
  "a function that throws": () => boom,
  "a function that rejects": () => async () => boom(),
  "a class": () => class {},
  "a bad function": () => Object.assign(() => 1, { toString: boom }),
  "a date": () => new Date(0),
  "no date": () => new Date(NaN),
  "a pattern of JavaScript": () => /x/y,
  "an error": () => new Error("x"),
  "a map": () => new Map([["name", "good"]]),
  "a set": () => new Set(["good"]),
  "a weak map": () => new WeakMap(),
  bytes: () => new Uint8Array([1, 2, 3]),
  floats: () => Float64Array.of(NaN, 1),
  "a buffer": () => new ArrayBuffer(8),
  "a promise": () => Promise.resolve("good"),
  "what awaits badly": () => ({ get then() { return boom(); } }),
  "what awaits to a throw": () => ({ then: boom }),
  "what awaits to nothing": () => ({ then: (take) => take() }),
  "an empty object": () => ({}),
  "an object without a prototype": () => Object.create(null),
  "an object of a class": () => new Odd(),
  "an object with an own __proto__": () => JSON.parse('{"__proto__":{"name":"good"},"constructor":1,"toString":2}'),
  "an object that is written badly": () => ({ toJSON: boom }),
  "an object that is written as nothing": () => ({ toJSON: () => undefined }),
  "an object that is no primitive": () => ({ [Symbol.toPrimitive]: boom, toString: boom, valueOf: boom }),
  "an object with a bad tag": () => ({ get [Symbol.toStringTag]() { return boom(); } }),
  "an object with a length": () => ({ length: 2 ** 32, 0: "good" }),
  "an object that iterates badly": () => ({ [Symbol.iterator]: boom, [Symbol.asyncIterator]: boom }),
  "an object that iterates over nothing": () => ({ *[Symbol.iterator]() {} }),
  "a cyclic object": cyclic,
  "a cyclic list": () => {
    const list = [];
    list.push(list);
    return list;
  },
  "a deep object": deep,
  "a frozen object": () => Object.freeze({}),
  "an empty list": () => [],
  "a list of nothing": () => [null, undefined],
  "a list of lists": () => [[[]]],
  "a list of texts": () => ["good", ""],
  "a list of objects": () => [{}, { name: "good" }],
  "a list with holes": () => [, "good", ,],
  "a sparse list": (sparse) => new Array(sparse),
  "a long list": () => new Array(20_001).fill("good"),
  "a frozen list": () => Object.freeze([]),
  "a proxy that throws": () => new Proxy({}, Object.fromEntries(TRAPS.map((name) => [name, boom]))),
  "a list that throws": () => new Proxy([1], Object.fromEntries(TRAPS.map((name) => [name, boom]))),
  "a proxy that has everything": () => new Proxy({}, { get: () => "good", has: () => true }),
  "a revoked proxy": () => revoked({}),
  "a revoked list": () => revoked([]),
  "a revoked function": () => revoked(() => 1),
  "a document": () => new URL("http://localhost/"),
  "an aborted signal": () => AbortSignal.abort(new HostError()),
};

/** What is done to the value of a place, or to the place itself. Each gets the object that holds it, its key and its value. */
const CHANGES = {
  "left out": (holder, key) => void (Array.isArray(holder) ? holder.splice(Number(key), 1) : delete holder[key]),
  "a getter that throws": (holder, key) => define(holder, key, boom),
  "a getter that changes its mind": (holder, key, value) => {
    let reads = 0;
    define(holder, key, () => (reads++ === 0 ? value : Symbol("s")));
  },
  "not enumerable": (holder, key, value) => Object.defineProperty(holder, key, { value, enumerable: false, configurable: true }),
  "behind a proxy": (holder, key, value) => void (holder[key] = isObject(value) ? new Proxy(value, {}) : value),
  "behind a proxy that stops": (holder, key, value) => {
    let reads = 0;
    const get = (target, name, receiver) => (reads++ > 2 ? boom() : Reflect.get(target, name, receiver));
    holder[key] = isObject(value) ? new Proxy(value, { get }) : boom;
  },
  inherited: (holder, key, value) => void (holder[key] = isObject(value) ? Object.create(value) : Object(value)),
  "without a prototype": (holder, key, value) => void (holder[key] = Object.assign(Object.create(null), value)),
  "in a list": (holder, key, value) => void (holder[key] = [value]),
  "twice in a list": (holder, key, value) => void (holder[key] = [value, value]),
  "in an object": (holder, key, value) => void (holder[key] = { value }),
  frozen: (holder, key, value) => void Object.freeze(value),
  "with itself inside": (holder, key, value) => void (isObject(value) && (value.self = value)),
  "with odd keys": (holder, key, value) => {
    if (!isObject(value)) return;
    for (const name of ["__proto__", "constructor", "toString", "length", "then", "", "\ud800"]) {
      Object.defineProperty(value, name, { value: "good", enumerable: true, writable: true, configurable: true });
    }
  },
  "with a symbol": (holder, key, value) => void (isObject(value) && (value[Symbol("s")] = 1)),
  "as text": (holder, key, value) => void (holder[key] = typeof value === "function" ? "f" : (JSON.stringify(value) ?? "x")),
};

/** What only an object can hold; the arguments themselves are passed as they are. */
const OF_THE_PLACE = new Set(["left out", "a getter that throws", "a getter that changes its mind", "not enumerable"]);

const isObject = (value) => typeof value === "object" && value !== null && Object.isExtensible(value);

function define(holder, key, get) {
  Object.defineProperty(holder, key, { get, enumerable: true, configurable: true });
}

/** Any plain data and some that is less plain, beside the values with a name. */
const ANYTHING = fc.anything({
  maxDepth: 2,
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withNullPrototype: true,
  withObjectString: true,
  withSparseArray: true,
  withTypedArray: true,
  withUnicodeString: true,
  key: fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "then", "name", "type", "id", "length", "toString")),
});

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
    found.push([holder, key]);
    const value = holder[key];
    if (depth > 0 && isPlain(value)) placesIn(value, depth - 1, found);
  }
  return found;
}

function isPlain(value) {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

/**
 * Makes the edits, one after the other. Every third edit is of a whole argument. A sparse list is as long as `sparse` says.
 */
export function edited(args, edits, sparse = 1e9) {
  for (const { place, change } of edits) {
    let places;
    try {
      places = place % 3 === 0 ? Object.keys(args).map((key) => [args, key]) : placesIn(args);
    } catch {
      // An edit before this one has left something that cannot be walked.
      places = Object.keys(args).map((key) => [args, key]);
    }
    if (places.length === 0) continue;
    const [holder, key] = places[place % places.length];
    try {
      if ("value" in change) holder[key] = HOSTILE[change.value](sparse);
      else if ("any" in change) holder[key] = change.any;
      else if (holder === args && OF_THE_PLACE.has(change.is)) holder[key] = HOSTILE["a proxy that throws"]();
      else CHANGES[change.is](holder, key, holder[key]);
    } catch {
      // The place was taken by an edit before this one that cannot be changed.
    }
  }
  return args;
}
