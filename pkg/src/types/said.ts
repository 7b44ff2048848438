/** Options as they are once those that are undefined were taken as missing. */

/** The same keys, of which none is there and undefined. */
export type Said<O> = { [K in keyof O]: Exclude<O[K], undefined> };
