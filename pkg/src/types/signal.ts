/** The signal that ends work. */

/** The platform's `AbortSignal`; `unknown` if the program's types have none. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer S } } ? S : unknown;
