/** Limits the total weight of a map's values. The most recently used value stays, whatever its weight. */
interface Weight<V> {
  most: number;
  of(value: V): number;
}

/** A least-recently-used (LRU) map. */
export class Recent<K, V> extends Map<K, V> {
  #weight = 0;

  /** @param gone receives each evicted value */
  constructor(
    readonly most: number,
    readonly gone: (value: V) => void = () => {},
    readonly weight?: Weight<V>,
  ) {
    super();
  }

  /** Stores a value as the most recently used one. */
  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    this.#weight += this.weight?.of(value) ?? 0;
    for (const [oldest, its] of this) {
      if (this.size <= this.most && (this.#weight <= (this.weight?.most ?? 0) || this.size === 1)) break;
      this.delete(oldest);
      this.gone(its);
    }
    return this;
  }

  override delete(key: K): boolean {
    if (this.weight !== undefined && this.has(key)) this.#weight -= this.weight.of(this.get(key)!);
    return super.delete(key);
  }
}
