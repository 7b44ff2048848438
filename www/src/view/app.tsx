import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useStore } from "../app/use-store.ts";
import type { View } from "../model/address.ts";
import { Catalog } from "./catalog/catalog.tsx";
import { Compare } from "./compare/compare.tsx";
import { ConversationView } from "./conversation/conversation.tsx";
import { Overview } from "./overview/overview.tsx";
import { SearchLab } from "./search-lab/search-lab.tsx";
import { Bar, VIEW_NAMES } from "./shell/bar.tsx";
import { DropArea } from "./shell/drop-area.tsx";
import { Notices } from "./shell/notices.tsx";
import { UseIt } from "./use-it/use-it.tsx";

const SCREENS: Record<View, ComponentType> = {
  overview: Overview,
  conversation: ConversationView,
  compare: Compare,
  search: SearchLab,
  catalog: Catalog,
  use: UseIt,
};

/** The page: the bar, and one view below it. */
export function App() {
  const store = useStore();
  const { snapshot, view } = store;
  const main = useRef<HTMLElement>(null);
  const Screen = SCREENS[view];
  const first = useRef(true);
  useEffect(() => {
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
        <Screen />
      </main>
      <footer class="foot">
        <p>
          toolsift {snapshot.version}, as WebAssembly in this page. Nothing you bring leaves it. Tokens are estimated as
          characters ÷ 4, in the chosen wire format.
        </p>
      </footer>
      <DropArea />
      <p class="visually-hidden" role="status" data-testid="announcement">
        {store.said || snapshot.announcement}
      </p>
    </>
  );
}

const TITLE = "toolsift playground: carry every tool, pay for the few you use";
