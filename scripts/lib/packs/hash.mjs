/**
 * Computes the hash of a tool's definition with 64-bit integers. The package has a faster version in
 * pkg/src/packs/definition-hash.ts, and the Rust library has its own in src/catalog/enrichment.rs. Tests check that all
 * three are equal.
 */

const STIR = 0x9e37_79b9_7f4a_7c15n;
const ALL = 0xffff_ffff_ffff_ffffn;

/** Returns the hash of a name and a description, as 16 hexadecimal digits. Runs of white space count as one space. */
export function definitionHash(name, description) {
  const words = description.split(/\p{White_Space}+/u).filter((word) => word !== "");
  const bytes = Buffer.from(`${name}\0${words.join(" ")}`);
  let hash = BigInt(bytes.length);
  const whole = bytes.length - (bytes.length % 8);
  for (let at = 0; at < whole; at += 8) hash = step(hash, bytes.readBigUInt64LE(at));
  const rest = Buffer.concat([bytes.subarray(whole), Buffer.alloc(8)]);
  return step(hash, rest.readBigUInt64LE(0)).toString(16).padStart(16, "0");
}

function step(hash, word) {
  const stirred = ((hash ^ word) * STIR) & ALL;
  return stirred ^ (stirred >> 32n);
}
