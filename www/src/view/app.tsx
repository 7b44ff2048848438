import type { ComponentType } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useStore } from "../app/use-store.ts";
import type { View } from "../model/address.ts";
import { TokenUnit } from "./lib/token-unit.tsx";
import { later, type Later } from "./lib/later.tsx";
import { Overview } from "./overview/overview.tsx";
import { VIEW_NAMES } from "../model/everything.ts";
import { AboutLinks, Bar } from "./shell/bar.tsx";
import { DropArea } from "./shell/drop-area.tsx";
import { SceneView } from "./scene/scene.tsx";
import { Notices } from "./shell/notices.tsx";

/** The views behind the first screen: none of them holds up its first paint. */
const LATER: Record<Exclude<View, "overview">, Later> = {
  conversation: later(async () => (await import("./conversation/conversation.tsx")).ConversationView),
  compare: later(async () => (await import("./compare/compare.tsx")).Compare),
  search: later(async () => (await import("./search-lab/search-lab.tsx")).SearchLab),
  catalog: later(async () => (await import("./catalog/catalog.tsx")).Catalog),
  use: later(async () => (await import("./use-it/use-it.tsx")).UseIt),
};

const SCREENS: Record<View, ComponentType> = { overview: Overview, ...LATER };

/** The code of the view that the page opens with. */
export async function fetchView(view: View): Promise<void> {
  if (view !== "overview") await LATER[view].fetch();
}

/** Has the other views at hand, so that the way to them takes no time. */
export function fetchViews(): void {
  const fetchAll = async () => {
    for (const part of [...Object.values(LATER), SeekLater]) await part.fetch();
  };
  const idle = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200));
  idle(() => void fetchAll());
}

/** The page: the bar, and one view below it. */
export function App() {
  const store = useStore();
  const { snapshot, view } = store;
  const main = useRef<HTMLElement>(null);
  const Screen = SCREENS[view];
  const first = useRef(true);
  useLayoutEffect(() => {
    document.title = view === "overview" ? TITLE : `${VIEW_NAMES[view]} – toolsift playground`;
    // Another view begins at its top, for the eye and for the keyboard.
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [view]);
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the view
      </a>
      <Bar />
      <main ref={main} id="main" tabIndex={-1} data-view={view}>
        <Notices />
        {view !== "overview" && <SceneStrip />}
        <Screen />
      </main>
      <footer class="foot">
        <p>
          toolsift {snapshot.version}, in this page as WebAssembly: nothing you bring leaves it. <TokenUnit />
        </p>
        <AboutLinks class="foot-links" label="About toolsift, at the end" />
      </footer>
      <DropArea />
      <Seeking />
      <p class="visually-hidden" role="status" data-testid="announcement">
        {store.said || snapshot.announcement}
      </p>
    </>
  );
}

/** The search for everything, by its keys or its button in the bar. */
function Seeking() {
  const store = useStore();
  useLayoutEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      store.seek(!store.seeking);
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [store]);
  return store.seeking ? <SeekLater /> : null;
}

const SeekLater = later(async () => (await import("./shell/seek.tsx")).Seek);

/** The scene in small: it stays in every view, and leads to the whole of it. */
function SceneStrip() {
  const store = useStore();
  return (
    <a class="scene-strip" href={store.address("overview")}>
      <SceneView strip />
    </a>
  );
}

const TITLE = "toolsift playground: carry every tool, pay for the few you use";
