/** Hides all parts of an address except its origin: path and query of a hosted server's address may contain keys. */

/** The minimum length of a hidden part, in characters: a shorter part is a word such as `mcp`, and no key. */
const KEY_CHARS = 8;

/** Replaces an address in a text by its origin, and hides parts of its path and query elsewhere in the text. */
export function withoutAddress(text: string, url: URL): string {
  const { origin, pathname, search } = url;
  const below = pathname.replace(/\/+$/, "");
  const parts = [...below.split("/"), ...[...url.searchParams].flat(), ...search.slice(1).split(/[&=]/)];
  const keys = [...parts, ...parts.map(decoded)].filter(({ length }) => length >= KEY_CHARS);
  const hidden = new Map(keys.map((key) => [key, "…"]));
  for (const part of [`${pathname}${search}`, pathname, below]) if (part.length > 1) hidden.set(part, "/…");
  for (const part of [url.href, `${origin}${pathname}${search}`, `${origin}${pathname}`, `${origin}${below}`])
    hidden.set(part, origin);
  // Longer parts first, because they contain the shorter ones.
  const known = [...hidden].sort(([one], [other]) => other.length - one.length);
  return known.reduce((said, [part, shown]) => said.replaceAll(part, shown), text);
}

/** Wraps a transport of the SDK so that its errors contain only the origin of its address. */
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
