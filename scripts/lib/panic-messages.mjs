/**
 * Takes the messages of panics out of a wasm. No runtime shows them: Rust's library writes them where the wasm has no output,
 * and traps. Without readers, the places in the source and the code that writes them are a fiftieth of the bytes.
 */

/** The functions of Rust's library that end a panic: they write its message, and then trap. */
const PANICS = new RegExp(
  [
    "4core9panicking|panic_handler|panic_with_hook|rust_begin_unwind|rust_panic|panic_already",
    "slice_error_fail|slice_index_fail|len_mismatch_fail|assert_failed|unwrap_failed|expect_failed",
    "rust_oom|handle_alloc_error|alloc_error_hook|7raw_vec12handle_error|7raw_vec17capacity_overflow",
  ].join("|"),
);

/** Section number of the data of a wasm. */
const DATA = 11;
/** Bytes of a `core::panic::Location`: address and length of the file's name, line, column. */
const PLACE = 16;
/** Characters of such a name. */
const MOST_NAME = 200;

/** The same wasm, which traps at once where a panic's message would be written. */
export async function withoutPanicMessages(wasm) {
  // Loaded here: the build is also read before the packages are installed.
  const { default: binaryen } = await import("binaryen");
  const module = binaryen.readBinary(withoutPlaces(wasm));
  try {
    for (let at = 0; at < module.getNumFunctions(); at++) {
      const one = module.getFunctionByIndex(at);
      const { name, module: imported } = binaryen.getFunctionInfo(one);
      if (imported === "" && PANICS.test(name)) binaryen.Function.setBody(one, module.unreachable());
    }
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
