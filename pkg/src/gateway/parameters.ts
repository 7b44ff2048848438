/** Shortens the schema of a tool's parameters to what a model needs for a call. */

const OWN = /"\$ref":("#\/\$defs\/[^"]*")/g;
const ANY = /"\$(?:ref|dynamicRef|recursiveRef|id|anchor|dynamicAnchor)":/g;

/**
 * The schema without the name of its dialect and without definitions that nothing refers to: some servers give every tool
 * all definitions that any of them needs. Where a reference is of another kind, all definitions stay.
 */
export function parametersOf(schema: unknown): unknown {
  const { $schema: _, $defs, ...rest } = Object(schema) as Record<string, unknown>;
  if (typeof $defs !== "object" || $defs === null) return rest;
  const used = usedBy(JSON.stringify(rest), $defs as Record<string, unknown>);
  if (used === undefined) return { ...rest, $defs };
  const kept = Object.entries($defs).filter(([name]) => used.has(name));
  return kept.length === 0 ? rest : { ...rest, $defs: Object.fromEntries(kept) };
}

/** The names of the definitions that a text needs, and those that they need; undefined where that cannot be told. */
function usedBy(text: string, defs: Record<string, unknown>): Set<string> | undefined {
  const used = new Set<string>();
  for (const open = [text]; open.length > 0; ) {
    const one = open.pop()!;
    const own = [...one.matchAll(OWN)];
    if (own.length !== [...one.matchAll(ANY)].length) return undefined;
    for (const [, pointer] of own) {
      const name = keyOf(JSON.parse(pointer!) as string);
      if (used.has(name)) continue;
      if (!Object.hasOwn(defs, name)) return undefined;
      used.add(name);
      open.push(JSON.stringify(defs[name]));
    }
  }
  return used;
}

/** The key after `#/$defs/` in a JSON pointer, which may go on below it. */
function keyOf(pointer: string): string {
  const [, , key = ""] = pointer.split("/");
  return key.replaceAll("~1", "/").replaceAll("~0", "~");
}
