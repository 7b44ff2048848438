/**
 * The playground. In reading order:
 *
 * - `model/`: pure functions and tables, used on both sides: reading lists, scripts, settings, the address, the bill.
 * - `core/`: what runs in the workers. `engine.ts` answers a `Snapshot` (`types.ts`) after every change of the tools and the
 *   settings (`shelf.ts`) or the conversations (`sessions.ts`); `bench.ts` does what takes long, in a second worker;
 *   `client.ts` is the one way to both. Only files of `core/` import the package's code; everything else imports its types.
 * - `app/`: `store.ts` is the state of the page (snapshot, view, query, prices, notices) and writes the address;
 *   `use-store.ts` gives it to components.
 * - `view/`: `shell/` is the bar, one folder for each view (`overview`, `conversation`, `compare`, `search-lab`, `catalog`,
 *   `use-it`), `settings/`, and `lib/` for what several of them draw.
 *
 * The overview stands in the HTML when the page is built (`prerender.tsx`), so that it is painted before the core has
 * started; what is rendered here takes its place.
 *
 * A view reads `useStore().snapshot` and calls `store.run((engine) => engine.operation(…))`. What is only read is asked of
 * `store.core.engine` (fast) or `store.core.bench()` (slow), and kept in the component.
 */
import { render } from "preact";
import { Store } from "./app/store.ts";
import { StoreContext } from "./app/use-store.ts";
import { startCore } from "./core/client.ts";
import { App, fetchView, fetchViews } from "./view/app.tsx";
import { Failure } from "./view/lib/failure.tsx";
import "./style/tokens.css";
import "./style/base.css";
import "./style/controls.css";
import "./style/page.css";
import "./style/shell.css";
import "./style/talk.css";
import "./style/bill.css";
import "./style/hero.css";
import "./style/console.css";
import "./style/reasons.css";
import "./style/request.css";
import "./style/chart.css";
import "./style/profiles.css";
import "./style/catalog.css";
import "./style/tool-list.css";
import "./style/doctor.css";
import "./style/host.css";
import "./style/search-lab.css";
import "./style/use-it.css";
import "./style/seek.css";

const root = document.getElementById("app") as HTMLElement;
try {
  const store = new Store(startCore(), location.hash);
  await Promise.all([store.start(), fetchView(store.view)]);
  root.replaceChildren();
  delete document.documentElement.dataset["wait"];
  render(
    <StoreContext.Provider value={store}>
      <App />
    </StoreContext.Provider>,
    root,
  );
  // For programs that look at the page: what they see may change by itself while this is there.
  const mark = () => document.documentElement.toggleAttribute("data-unfinished", store.snapshot.unfinished);
  store.subscribe(mark);
  mark();
  document.documentElement.dataset["ready"] = String(Math.round(performance.now()));
  fetchViews();
} catch (error) {
  root.replaceChildren();
  render(<Failure error={error} />, root);
}

// The page works without a network after the first visit.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  navigator.serviceWorker.register(new URL("sw.js", document.baseURI)).catch(() => {
    // Where a service worker is not allowed, the page needs the network, as any page does.
  });
}
