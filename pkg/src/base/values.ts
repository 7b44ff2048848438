/** Describes values for messages, and cuts texts. */

/** Checks if a value is a list. Unlike `Array.isArray`, its type also covers read-only lists. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Describes a value for a message. */
export function kind(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return isPromise(value) ? "a promise; await it" : "an object";
  return `${typeof value} ${String(value).slice(0, 80)}`;
}

/** Returns the value of a JSON text; undefined for any other text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Checks if a value is a promise, or can be awaited like one. */
export function isPromise(value: unknown): boolean {
  return typeof (Object(value) as { then?: unknown }).then === "function";
}

/** Returns the message of a thrown value, whichever realm or server it comes from. */
export function reasonOf(cause: unknown): string {
  if (typeof cause === "string" && cause !== "") return cause;
  const { message, name } = Object(cause) as { message?: unknown; name?: unknown };
  const reason = [message, name].find((text) => typeof text === "string" && text !== "");
  return typeof cause === "object" && reason !== undefined ? (reason as string) : kind(cause);
}

/** Runs work in the background. Its errors, thrown or rejected, are ignored: an unhandled rejection ends a process. */
export function aside(work: () => unknown): void {
  void (async () => {
    try {
      await work();
    } catch {}
  })();
}

/** Returns the first characters of a text. `end` is appended if the text is longer. */
export function cut(text: string, most: number, end = ""): string {
  if (text.length <= most) return text;
  // Half a surrogate pair in a prompt would make vendors refuse the whole prompt.
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, "")}${end}`;
}
