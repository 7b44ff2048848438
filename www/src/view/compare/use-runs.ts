import { useLayoutEffect, useState } from "preact/hooks";
import type { ToolSiftOptions } from "toolsift";
import type { Store } from "../../app/store.ts";
import type { ConversationView } from "../../core/types.ts";
import type { Step } from "../../model/script.ts";
import { defaultSettings, type ProfileTable, type Settings, type Surroundings } from "../../model/settings.ts";

/** What is compared: settings under a name. */
export interface Variant {
  name: string;
  settings: Settings;
  /** Options that the page has no settings for. */
  more?: ToolSiftOptions;
}

/** The option with which the tool list never changes. */
export const CONSTANT = { surface: "constant" } as const;

/** Every profile as the page opens it, and `sift` with a list that never changes. */
export function plainVariants(profiles: ProfileTable, around: Surroundings): Variant[] {
  return profiles.all.flatMap(({ name }): Variant[] => {
    const settings = defaultSettings(profiles, name, around);
    const plain = { name, settings };
    return name === "sift" ? [plain, { name: "sift, constant", settings, more: CONSTANT }] : [plain];
  });
}

/** One variant's side of it: the conversation that was played, or why it could not be. */
export type Run = ConversationView | { refused: string };

/** Results of earlier comparisons, so that going to another view and back costs nothing. */
const kept = new Map<string, Run>();
const MOST_KEPT = 60;

/** Plays a script under every variant, one after the other, in the second worker; each shows as soon as it is there. */
export function useRuns(store: Store, script: readonly Step[], variants: readonly Variant[]): ReadonlyMap<string, Run> {
  const { edition } = store.snapshot;
  const [, setDone] = useState(0);
  const keyOf = (variant: Variant) => JSON.stringify([edition, script, variant.settings, variant.more]);
  const wanted = variants.map(keyOf).join("\n");
  useLayoutEffect(() => {
    let stale = false;
    const work = async () => {
      for (const variant of variants) {
        if (stale || kept.has(keyOf(variant))) continue;
        const run = await played(store, edition, script, variant);
        if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value as string);
        kept.set(keyOf(variant), run);
        if (!stale) setDone((done) => done + 1);
      }
    };
    void work();
    return () => void (stale = true);
  }, [wanted]);
  return new Map(
    variants.flatMap((variant): [string, Run][] => {
      const run = kept.get(keyOf(variant));
      return run === undefined ? [] : [[variant.name, run]];
    }),
  );
}

async function played(store: Store, edition: number, script: readonly Step[], { settings, more }: Variant): Promise<Run> {
  try {
    return await store.core.bench().play(edition, [...script], settings, more);
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}
