import type { ComponentType, FunctionComponent } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** A component whose code is fetched when it is first drawn, or before that by `fetch`. */
export type Later = FunctionComponent & { fetch: () => Promise<void> };

export function later(load: () => Promise<ComponentType>): Later {
  let loaded: ComponentType | null = null;
  const fetch = async () => void (loaded ??= await load());
  const Shown = () => {
    const [, setReady] = useState(loaded !== null);
    useLayoutEffect(() => {
      if (loaded === null) void fetch().then(() => setReady(true));
    }, []);
    const Component = loaded;
    return Component === null ? <p class="hint">Loading…</p> : <Component />;
  };
  return Object.assign(Shown, { fetch });
}
