/** Options as they are once those that are undefined were taken as missing. */

/** `O` where a key that is there has a value. */
export type Defined<O> = { [K in keyof O]: Exclude<O[K], undefined> };
