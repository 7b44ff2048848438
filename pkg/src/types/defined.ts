/** The type of options after undefined values were removed. */

/** `O` without `undefined` as a value of a key. */
export type Defined<O> = { [K in keyof O]: Exclude<O[K], undefined> };
