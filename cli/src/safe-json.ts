/** Writes JSON that is safe to show on a terminal. */

/** Characters that JSON leaves as they are, and that a terminal hides or acts upon. */
const UNSHOWN = /[\p{Default_Ignorable_Code_Point}\u007F-\u009F\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON as `JSON.stringify` writes it, with control and invisible characters as `\u` escapes. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(UNSHOWN, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );
}
