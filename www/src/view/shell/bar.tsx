import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { documentsLink, LINKS } from "../../app/links.ts";
import { useStore } from "../../app/use-store.ts";
import { fitsAddress, VIEWS } from "../../model/address.ts";
import { VIEW_NAMES } from "../../model/everything.ts";
import { NBSP, plural } from "../../model/numbers.ts";
import { OwnTools } from "../catalog/own-tools.tsx";
import { HeadlineInBar } from "../lib/figure.tsx";
import { Menu } from "./menu.tsx";
import { ProfilePanel } from "./profile-panel.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";

const MAC = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? "");

/** What stays in sight in every view: the catalog, the profile, the running bill, and the way to the other views. */
export function Bar() {
  const store = useStore();
  const { sources, tools, inForce } = store.snapshot;
  const views = useRef<HTMLElement>(null);
  // On a phone the views do not fit beside each other: the current one is brought into sight.
  useLayoutEffect(() => {
    const link = views.current?.querySelector<HTMLElement>("[aria-current]");
    if (link && views.current) views.current.scrollLeft = link.offsetLeft - views.current.offsetLeft - 40;
  }, [store.view]);
  const toggle = (menu: "profile" | "share") => (shown: boolean) => store.openMenu(shown ? menu : null);
  return (
    <header class="bar">
      <div class="bar-line">
        <a class="wordmark" href={store.address("overview")} aria-label="toolsift: overview">
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path class="sand" d="M1 1h5v5H1zM7.5 1h5v5h-5zM14 1h5v5h-5zM1 7.5h5v5H1zM14 7.5h5v5h-5z" />
            <path class="gold" d="M7.5 7.5h5v5h-5zM7.5 14h5v5h-5z" />
          </svg>
          <span>toolsift</span>
        </a>
        <Menu
          name="catalog"
          title="The catalog: use your own tools"
          label={
            <>
              <span class="menu-main">{plural(tools.length, "tool")}</span>
              <span class="menu-more">
                {NBSP}· {plural(sources.length, "server")}
              </span>
            </>
          }
          open={store.bringing}
          onToggle={(shown) => store.openTools(shown)}
        >
          <OwnTools />
        </Menu>
        <Menu
          name="profile"
          title="The profile and its settings"
          label={
            <>
              <span class="menu-more">Profile:{NBSP}</span>
              <span class="mono menu-main">{inForce.profile}</span>
            </>
          }
          open={store.menu === "profile"}
          onToggle={toggle("profile")}
        >
          <ProfilePanel />
        </Menu>
        <HeadlineInBar />
        <span class="bar-end">
          <button
            type="button"
            class="menu-button seek"
            title="Go to anything on this page"
            aria-keyshortcuts="Meta+K Control+K"
            onClick={() => store.seek(true)}
          >
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <path d="M7 2a5 5 0 1 0 0 10A5 5 0 0 0 7 2zM10.6 10.6 14 14" />
            </svg>
            <span class="visually-hidden">Go to anything on this page</span>
            <kbd aria-hidden="true">{MAC ? "⌘K" : "Ctrl K"}</kbd>
          </button>
          <Menu
            name="share"
            title="A link to this view"
            label="Share"
            open={store.menu === "share"}
            onToggle={toggle("share")}
          >
            <SharePanel />
          </Menu>
          <AboutLinks class="bar-links" label="About toolsift" />
          <ThemeToggle />
        </span>
      </div>
      <nav ref={views} class="views" aria-label="Views">
        {VIEWS.map((view) => (
          <a key={view} href={store.address(view)} aria-current={view === store.view ? "page" : undefined}>
            {VIEW_NAMES[view]}
          </a>
        ))}
      </nav>
    </header>
  );
}

/** The ways to the repository, the documents and the package. */
export function AboutLinks({ class: name, label }: { class: string; label: string }) {
  const docs = documentsLink();
  return (
    <nav class={name} aria-label={label}>
      {LINKS.repository && <a href={LINKS.repository}>Code</a>}
      {docs && <a href={docs}>Docs</a>}
      <a href={LINKS.package}>npm</a>
    </nav>
  );
}

/** The link to what is shown, with what it holds and what it lacks, before it is copied. */
function SharePanel() {
  const store = useStore();
  const { script } = store.snapshot.current;
  const [result, setResult] = useState<string | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      setResult("Copied");
      store.say("The link is copied.");
    } catch {
      setResult("Not allowed here");
    }
    setTimeout(() => setResult(null), 2000);
  };
  const lacks = [
    store.ownTools > 0 && `your ${plural(store.ownTools, "tool")}: who opens it sees the page’s own tools`,
    script.length > 0 && !fitsAddress(script) && `the conversation of ${plural(script.length, "step")}, which is too long`,
  ].filter((one) => one !== false);
  return (
    <div class="share">
      <p>
        The link holds the view, the settings, the prices{script.length > 0 && fitsAddress(script) && ", the conversation"}{" "}
        and the query.
      </p>
      {lacks.length > 0 && (
        <p class="share-lacks">
          <b>Not in it:</b> {lacks.join("; ")}.
        </p>
      )}
      <button type="button" class="button primary" onClick={() => void copy()}>
        {result ?? "Copy the link"}
      </button>
    </div>
  );
}
