/** A map of what was used last: where there is more than it may hold, the entry goes that was used the longest ago. */
export class Recent<K, V> extends Map<K, V> {
  /** @param gone receives each value that had to go */
  constructor(
    readonly most: number,
    readonly gone: (value: V) => void = () => {},
  ) {
    super();
  }

  /** Keeps a value, as the one that was used last. */
  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    for (const [oldest, its] of this) {
      if (this.size <= this.most) break;
      this.delete(oldest);
      this.gone(its);
    }
    return this;
  }
}
