/** Reads a wasm file: its sections and its functions by name and size, and as much of the format as that takes. */

const CUSTOM = 0;
const IMPORT = 2;
const EXPORT = 7;
const CODE = 10;
const DATA = 11;

/** Reads the format's numbers and strings one after the other. */
class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  get done() {
    return this.at >= this.bytes.length;
  }

  byte() {
    return this.bytes[this.at++];
  }

  /** An unsigned LEB128 number. */
  number() {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = this.byte();
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  }

  take(length) {
    return this.bytes.subarray(this.at, (this.at += length));
  }

  text() {
    return this.take(this.number()).toString("utf8");
  }

  /** The bounds of a table or a memory. */
  limits() {
    const bounded = this.byte() & 1;
    this.number();
    if (bounded) this.number();
  }

  /** Reads a vector's items one by one. */
  *items() {
    for (let left = this.number(); left > 0; left--) yield this;
  }
}

/** The sections of a file: `{ id, name, content }`, where only custom ones have a name. */
function sections(bytes) {
  const reader = new Reader(bytes);
  reader.take(8);
  const found = [];
  while (!reader.done) {
    const id = reader.byte();
    const inside = new Reader(reader.take(reader.number()));
    const name = id === CUSTOM ? inside.text() : "";
    found.push({ id, name, content: inside.take(inside.bytes.length - inside.at) });
  }
  return found;
}

/** What follows the two names of an import, by its kind: a function, a table, a memory, a global, a tag. */
const SKIP_IMPORT = [
  (reader) => reader.number(),
  (reader) => (reader.byte(), reader.limits()),
  (reader) => reader.limits(),
  (reader) => reader.take(2),
  (reader) => (reader.byte(), reader.number()),
];

/** How many functions the file imports; their numbers come before those of its own. */
function importedFunctions(content) {
  let count = 0;
  for (const reader of new Reader(content).items()) {
    reader.text();
    reader.text();
    const kind = reader.byte();
    SKIP_IMPORT[kind](reader);
    if (kind === 0) count++;
  }
  return count;
}

/** The names of functions by number, from the section that debuggers use. */
function functionNames(content) {
  const names = new Map();
  const reader = new Reader(content);
  while (!reader.done) {
    const kind = reader.byte();
    const part = new Reader(reader.take(reader.number()));
    if (kind !== 1) continue;
    for (const one of part.items()) names.set(one.number(), one.text());
  }
  return names;
}

/** The names under which functions are exported. */
function exportedNames(content) {
  const names = new Set();
  for (const reader of new Reader(content).items()) {
    const name = reader.text();
    if (reader.byte() === 0) names.add(name);
    reader.number();
  }
  return names;
}

/**
 * A file's own functions as `{ name, bytes, exported }`, the bytes of its code and data sections, and those of
 * everything else that a build without names would also have.
 */
export function readWasm(bytes) {
  const all = sections(bytes);
  const find = (id, name = "") => all.find((one) => one.id === id && one.name === name)?.content ?? Buffer.of(0);
  const names = functionNames(find(CUSTOM, "name"));
  const exported = exportedNames(find(EXPORT));
  const functions = [];
  let index = importedFunctions(find(IMPORT));
  for (const reader of new Reader(find(CODE)).items()) {
    const length = reader.number();
    reader.take(length);
    const name = names.get(index++) ?? "";
    functions.push({ name, bytes: length, exported: exported.has(name) });
  }
  const size = (keep) => all.filter(keep).reduce((sum, { content }) => sum + content.length, 0);
  return {
    functions,
    code: find(CODE).length,
    data: find(DATA).length,
    rest: size(({ id }) => ![CUSTOM, CODE, DATA].includes(id)),
  };
}
