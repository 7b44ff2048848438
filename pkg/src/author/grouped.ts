/** Groups the items of a list by the key that `keyOf` returns, in order. Items without a key are left out. */
export function grouped<T, K>(list: readonly T[], keyOf: (one: T) => K | undefined): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of list) {
    const key = keyOf(one);
    if (key === undefined) continue;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(one);
  }
  return groups;
}
