/**
 * The shape of options: a check for each key of their type. The compiler holds it to have exactly the keys of the type, which
 * documents them; so nothing lists them twice.
 */

import { callable, known, oneOf, whole } from "./checks.js";
import { flag } from "./flag.js";

/** Refuses a value of the wrong kind. Nothing is never checked: an option may be left out. */
export type Check = (key: string, value: unknown) => void;

export type Shape<O> = { readonly [K in keyof O]-?: Check };

export const anything: Check = () => {};
export const aFunction: Check = (key, value) => callable(key, value);
export const trueOrFalse: Check = flag;
export const wholeOf =
  (least: number, most: number): Check =>
  (key, value) =>
    void whole(key, value, least, most);
export const oneNameOf =
  (...names: string[]): Check =>
  (key, value) =>
    oneOf(key, value, names);

/**
 * The options that say something, each checked by its shape.
 *
 * @throws ToolSiftError `option_unknown`, `option_invalid`, `limit_out_of_range`
 */
export function shaped<O>(options: unknown, shape: Shape<O>, what?: string): O {
  const said = known(options, Object.keys(shape), what);
  for (const [key, value] of Object.entries(said)) (shape as Record<string, Check>)[key]!(key, value);
  return said as O;
}
