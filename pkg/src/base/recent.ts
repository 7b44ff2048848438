/** What the values of a map weigh together at the most. The value that was used last stays, whatever it weighs. */
interface Weight<V> {
  most: number;
  of(value: V): number;
}

/** An LRU map. */
export class Recent<K, V> extends Map<K, V> {
  #weight = 0;

  /** @param gone receives each value that had to go */
  constructor(
    readonly most: number,
    readonly gone: (value: V) => void = () => {},
    readonly weight?: Weight<V>,
  ) {
    super();
  }

  /** Keeps a value, as the one that was used last. */
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
