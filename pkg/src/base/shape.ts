/**
 * The shape of options: a check for each key of their type. The compiler checks that the shape has exactly the keys of the
 * type, whose comments document them. So no second list of keys exists in TypeScript. The core checks the catalog's options
 * again in `src/options/settings.rs`.
 */

import { requireMethods, callable, flag, known, oneOf, signalIn, whole } from "./checks.js";
import { ToolSiftError } from "./errors.js";
import { ownFields } from "./plain-data.js";
import type { Defined } from "../types/defined.js";
import { isList, kind } from "./values.js";

/** Refuses a value of the wrong kind. It is never called with undefined, because options may be left out. */
export type Check = (key: string, value: unknown) => void;

export type Shape<O> = { readonly [K in keyof O]-?: Check };

export const anything: Check = () => {};
export const aFunction: Check = (key, value) => callable(key, value);
export const anObject: Check = (key, value) => void ownFields(`options.${key}`, value);
export const aSignal: Check = (key, value) => signalIn(`options.${key}`, value);
export const trueOrFalse: Check = flag;
export const flagOr =
  (name: string): Check =>
  (key, value) => {
    if (typeof value === "boolean" || value === name) return;
    throw new ToolSiftError("option_invalid", `options.${key} is ${kind(value)}; it must be true, false or "${name}"`);
  };
export const wholeOf =
  (least: number, most: number): Check =>
  (key, value) =>
    void whole(key, value, least, most);
export const oneNameOf =
  (...names: string[]): Check =>
  (key, value) =>
    oneOf(key, value, names);
export const listOfNames: Check = (key, value) => {
  if (isList(value) && value.every((one) => typeof one === "string")) return;
  throw new ToolSiftError("option_invalid", `options.${key} is ${kind(value)}; it must be a list of names`);
};
/** Requires an object with some methods. `what` describes the object in the message. */
export const withMethods =
  (what: string, ...methods: string[]): Check =>
  (key, value) =>
    requireMethods(`options.${key}`, value, methods, what);

/**
 * Returns the options that have a value, each checked by its shape.
 *
 * @param what the place of the options for messages, such as `options.mcp`
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`
 */
export function shaped<O>(options: unknown, shape: Shape<O>, what = "options"): Defined<O> {
  const given = known(options, Object.keys(shape), what);
  const path = what.startsWith("options.") ? `${what.slice("options.".length)}.` : "";
  for (const [key, value] of Object.entries(given)) (shape as Record<string, Check>)[key]!(path + key, value);
  return given as Defined<O>;
}
