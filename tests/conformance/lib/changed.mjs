/** Vectors with another expectation than the recorded one, each of which has to fail. */

/** What is checked of nothing at all where a search finds nothing: changed, it still holds. */
const OF_EACH_MATCH = new Set(["match_has", "item_keys", "every_name_contains"]);
/** What vectors tell their readers only. */
const INFORMATIVE = new Set(["note", "reference_order_nonbinding", "source_stub_bytes_without_name"]);

/** What holds expectations itself. */
const NESTED = new Set(["summary", "stub_rule", "dispatch"]);

/** Every way in which one expectation of a vector can be changed: `{ kind, vector }`. */
export function changesOf(vector) {
  const { call, expected, system } = vector;
  if (call.op !== "sequence") return changed(expected).map(({ key, value }) => change(call, key, value));
  return call.steps.flatMap((step, at) =>
    changed(expected.steps[at]).map(({ key, value }) => change(step, key, { steps: expected.steps.with(at, value) })),
  );

  function change(step, key, value) {
    const word = step.do ?? step.tool ?? step.op ?? Object.keys(step)[0];
    return { kind: `${system} ${word}: ${key}`, vector: { ...vector, expected: value } };
  }
}

/** The expectations that differ from these in one key, also inside of one. */
function changed(expected) {
  const isEmpty = (expected.matches ?? expected.tools ?? expected.must_include)?.length === 0;
  const keys = Object.keys(expected).filter((key) => !INFORMATIVE.has(key) && !(isEmpty && OF_EACH_MATCH.has(key)));
  return keys.flatMap((key) => {
    const value = expected[key];
    if (!NESTED.has(key)) return [{ key, value: { ...expected, [key]: other(value) } }];
    if (value === null) return [{ key, value: { ...expected, [key]: {} } }];
    const inner = changed(value).map((one) => ({ key: `${key}.${one.key}`, value: { ...expected, [key]: one.value } }));
    return [{ key, value: { ...expected, [key]: null } }, ...inner];
  });
}

/** Another value, where one can be told from it: the wording of an error is free, but that it is one is not. */
function other(value) {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value === 0 ? -1 : -value;
  if (value === "query is required") return null;
  if (typeof value === "string") return `${value} changed`;
  if (Array.isArray(value)) return [...value, typeof value[0] === "object" ? { name: "no_such_tool" } : "no_such_tool"];
  if (value === null) return "something";
  return { ...value, no_such_key: true };
}
