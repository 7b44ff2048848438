/** The type of a signal that ends work. */

/** The platform's `AbortSignal`; `unknown` if the program's types do not have it. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer S } } ? S : unknown;
