/**
 * Reads events of every door: those of the loop and of the adapters (`search`, `reveal`, `dispatch`), and those of the gateway
 * (`search`, `describe`, `call`). What an event lacks or has in another type teaches nothing.
 */

import type { Called } from "./sessions.js";

/** The parts of an event that a learner uses. */
export type Use =
  | { kind: "searched"; session: string; query: string; shown: string[]; step: number | undefined }
  | { kind: "shown"; session: string; names: string[] }
  | ({ kind: "called"; session: string } & Called);

/** Names that are read of one event. */
const NAMES = 64;
const ID_CHARS = 256;

/** Reads an event; undefined if a learner cannot use it. */
export function useOf(event: unknown): Use | undefined {
  const fields = Object(event) as Record<string, unknown>;
  const session = textOf(fields["session"]);
  if (session === undefined) return undefined;
  const step = typeof fields["step"] === "number" ? fields["step"] : undefined;
  switch (fields["type"]) {
    case "search": {
      const query = fields["query"];
      const revealed = namesOf(fields["revealed"]);
      // A discovery tool without a query loads what the search before it has shown.
      if (typeof query !== "string") return { kind: "shown", session, names: revealed };
      // Exact names are no words of a person's.
      if (/^\s*select:/i.test(query)) return { kind: "shown", session, names: revealed };
      return { kind: "searched", session, query, shown: [...revealed, ...namesOf(fields["found"])], step };
    }
    case "reveal":
      return { kind: "shown", session, names: namesOf(fields["revealed"]) };
    case "describe":
      return { kind: "shown", session, names: namesOf(fields["names"]) };
    case "dispatch": {
      const [shownAs, name] = [textOf(fields["tool"]), textOf(fields["name"])];
      if (shownAs === undefined || name === undefined || fields["isError"] !== false) return undefined;
      return { kind: "called", session, shownAs, tool: { server: textOf(fields["server"]) ?? null, name }, step };
    }
    case "call": {
      const [shownAs, name] = [textOf(fields["name"]), textOf(fields["tool"])];
      if (shownAs === undefined || name === undefined || fields["outcome"] !== "ok") return undefined;
      return { kind: "called", session, shownAs, tool: { server: textOf(fields["server"]) ?? null, name }, step: undefined };
    }
    default:
      return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= ID_CHARS ? value : undefined;
}

function namesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.slice(0, NAMES).filter((one) => textOf(one) !== undefined) : [];
}
