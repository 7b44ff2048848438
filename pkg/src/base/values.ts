/** Describes values for messages, and cuts texts. */

/** Whether a value is a list, of any type: `Array.isArray` does not know read-only lists. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** What a value is, for a message. */
export function kind(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return isPromise(value) ? "a promise; await it" : "an object";
  return `${typeof value} ${String(value).slice(0, 80)}`;
}

/** The value of a JSON text; undefined for any other text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is a promise, or awaited as one. */
export function isPromise(value: unknown): boolean {
  return typeof (Object(value) as { then?: unknown }).then === "function";
}

/** What something that was thrown says, whichever realm or server it comes from. */
export function reasonOf(cause: unknown): string {
  if (typeof cause === "string" && cause !== "") return cause;
  const { message, name } = Object(cause) as { message?: unknown; name?: unknown };
  const reason = [message, name].find((text) => typeof text === "string" && text !== "");
  return typeof cause === "object" && reason !== undefined ? (reason as string) : kind(cause);
}

/** Does work that nobody waits for. What it throws, at once or later, is ignored: an unhandled rejection ends a process. */
export function aside(work: () => unknown): void {
  void (async () => {
    try {
      await work();
    } catch {}
  })();
}

/** The first characters of a text; `end` stands behind those of a longer one. */
export function cut(text: string, most: number, end = ""): string {
  if (text.length <= most) return text;
  // Half of a surrogate pair would make the whole prompt one that vendors refuse.
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, "")}${end}`;
}
