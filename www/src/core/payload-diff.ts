/** What one request has that the request before it had not, entry by entry. */
import { pretty } from "../model/json.ts";
import { wireTools } from "../model/wire.ts";
import type { Payload, PayloadDiff } from "./types.ts";

export function diffOf(before: Payload, after: Payload): PayloadDiff {
  const texts = ({ tools }: Payload) => new Map(wireTools(tools).map((tool) => [tool.name, pretty(tool.json)]));
  const [old, now] = [texts(before), texts(after)];
  const names = [...now.keys(), ...[...old.keys()].filter((name) => !now.has(name))];
  return {
    entries: names.map((name) => {
      const [was, is] = [old.get(name) ?? null, now.get(name) ?? null];
      const state = was === null ? "added" : is === null ? "removed" : was === is ? "same" : "changed";
      return { name, state, before: state === "same" ? null : was, after: state === "same" ? null : is };
    }),
    prompt: { before: before.systemPrompt, after: after.systemPrompt },
  };
}
