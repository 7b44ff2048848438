/** Shows of an address nothing but its origin: hosted servers carry keys in its path or its query. */

/** A shorter part of an address is a word such as `mcp`, and no key. */
const KEY_CHARS = 8;

/** A text with the origin in place of an address, and without what a server or a library repeats of its path and query. */
export function withoutAddress(text: string, url: URL): string {
  const { origin, pathname, search } = url;
  const below = pathname.replace(/\/+$/, "");
  const parts = [...below.split("/"), ...[...url.searchParams].flat(), ...search.slice(1).split(/[&=]/)];
  const keys = [...parts, ...parts.map(decoded)].filter(({ length }) => length >= KEY_CHARS);
  const hidden = new Map(keys.map((key) => [key, "…"]));
  for (const part of [`${pathname}${search}`, pathname, below]) if (part.length > 1) hidden.set(part, "/…");
  for (const part of [url.href, `${origin}${pathname}${search}`, `${origin}${pathname}`, `${origin}${below}`])
    hidden.set(part, origin);
  // What is longer holds what is shorter.
  const known = [...hidden].sort(([one], [other]) => other.length - one.length);
  return known.reduce((said, [part, shown]) => said.replaceAll(part, shown), text);
}

/** Lets a transport of the SDK throw errors that show of its address nothing but the origin. */
export function discreet<T extends object>(transport: T, url: URL): T {
  type Send = (...args: unknown[]) => Promise<unknown>;
  const send = (transport as unknown as { send: Send }).send.bind(transport);
  const discreetly = (...args: unknown[]) =>
    send(...args).catch((error: unknown) => {
      if (error instanceof Error) error.message = withoutAddress(error.message, url);
      throw error;
    });
  return Object.assign(transport, { send: discreetly });
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
