/**
 * Takes out of a wasm what Rust's library brings and nobody needs: the messages of panics, and a second way to write floats.
 *
 * No runtime shows a panic's message: the library writes it where the wasm has no output, and traps. Without readers, the
 * places in the source and the code that writes them are a fiftieth of the bytes. Floats are another one: the core writes them
 * as serde_json does, and the library's way stays only because an error of serde's could hold one.
 */

/**
 * The functions of Rust's library that end a panic: they write its message, and then trap. wasm-bindgen has demangled the names;
 * those of crates may have a hash behind them.
 */
const PANICS = new RegExp(
  [
    "panicking::|rust_begin_unwind|rust_panic|panic_already|panic_poisoned|panic_on_ord_violation",
    "slice_error_fail|slice_index_fail|len_mismatch_fail|assert_failed|unwrap_failed|expect_failed",
    "rust_oom|handle_alloc_error|alloc_error_hook|raw_vec::handle_error|::capacity_overflow",
  ].join("|"),
);

/** How the library writes a float, and how the core does; both take the address of a float and that of a formatter. */
const FLOAT = /^<f64 as core\S*::fmt::Display>::fmt/;
const OUR_FLOAT = /^<toolsift\S*::Float as core\S*::fmt::Display>::fmt/;

/** Section number of the data of a wasm. */
const DATA = 11;
/** Bytes of a `core::panic::Location`: address and length of the file's name, line, column. */
const PLACE = 16;
/** Characters of such a name. */
const MOST_NAME = 200;

/** The same wasm, which traps at once where a panic's message would be written, and writes all floats by the core's code. */
export async function withLessLibrary(wasm) {
  // Loaded here: the build is also read before the packages are installed.
  const { default: binaryen } = await import("binaryen");
  const module = binaryen.readBinary(withoutPlaces(wasm));
  try {
    const all = Array.from({ length: module.getNumFunctions() }, (_, at) => module.getFunctionByIndex(at));
    const own = all.map((one) => ({ one, ...binaryen.getFunctionInfo(one) })).filter((one) => one.module === "");
    for (const { one, name } of own) if (PANICS.test(name)) binaryen.Function.setBody(one, module.unreachable());
    const [float, ours] = [FLOAT, OUR_FLOAT].map((which) => own.filter(({ name }) => which.test(name)));
    if (float.length !== 1 || ours.length !== 1) throw new Error("the build does not know the names of what writes floats");
    const { i32 } = binaryen;
    const same = [0, 1].map((at) => module.local.get(at, i32));
    binaryen.Function.setBody(float[0].one, module.call(ours[0].name, same, i32));
    // The order of the functions is that of their names.
    binaryen.setDebugInfo(true);
    return module.emitBinary();
  } finally {
    module.dispose();
  }
}

/** The same wasm with zeros for all places in the source, and for the names of the files: only the functions above read them. */
function withoutPlaces(wasm) {
  const bytes = Uint8Array.from(wasm);
  const segments = dataOf(bytes);
  const textAt = (address, length) => {
    const segment = segments.find(({ from, data }) => address >= from && address + length <= from + data.length);
    return segment?.data.subarray(address - segment.from, address - segment.from + length);
  };
  const names = new Set();
  for (const { from, data } of segments) {
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    // The first address of a multiple of four, as the parts of a place have.
    for (let at = -from & 3; at + PLACE <= data.length; at += 4) {
      const [address, length] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
      const name = length > MOST_NAME ? undefined : textAt(address, length);
      if (name === undefined || !Buffer.from(name).toString("latin1").endsWith(".rs")) continue;
      names.add(name);
      data.fill(0, at, at + PLACE);
    }
  }
  for (const name of names) name.fill(0);
  return bytes;
}

/** The segments of data of a wasm: the address of each, and its bytes. */
function dataOf(bytes) {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  };
  while (at < bytes.length) {
    const section = bytes[at++];
    const end = number() + at;
    if (section === DATA) return Array.from({ length: number() }, segment);
    at = end;
  }
  return [];

  function segment() {
    // An active segment of the first memory: 0, `i32.const`, the address, `end`.
    if (number() !== 0 || bytes[at++] !== 0x41) throw new Error("the wasm has data of a kind that the build does not know");
    // The address is signed, and is small.
    const from = number();
    at += 1;
    const length = number();
    at += length;
    return { from, data: bytes.subarray(at - length, at) };
  }
}
