/**
 * The playground, in reading order:
 *
 * - `model/`: pure functions: they read lists and configurations, lay out the map, and write links and the code to paste.
 * - `core/`: the code of the one worker. `engine.ts` plays a request as `toolsift()` would; `worker.ts` reads files and
 *   answers the page through `client.ts`. Only these files import the package's code; all others import its types only.
 * - `app/state.ts`: the state of the page as signals, and all actions of a visitor.
 * - `view/`: `app.tsx` is the page from top to bottom, with a file for each part.
 *
 * The build plays the first request and renders the page (`prerender.tsx`), so that it is complete before a script has run.
 * The core starts when the visitor does something.
 */
import { hydrate } from "preact";
import { begin, follow, wake } from "./app/state.ts";
import type { Opening } from "./core/types.ts";
import { App } from "./view/app.tsx";
import "./style/base.css";
import "./style/hero.css";
import "./style/bands.css";

const opening = JSON.parse(document.getElementById("opening")?.textContent ?? "") as Opening;
begin(opening);
hydrate(<App />, document.getElementById("app") as HTMLElement);
document.documentElement.dataset["ready"] = "";

const first = () => {
  for (const event of SIGNS) removeEventListener(event, first);
  wake();
};
const SIGNS = ["pointermove", "pointerdown", "keydown", "focusin", "dragover"];
for (const event of SIGNS) addEventListener(event, first);

// A link to a section of the page has no state.
const isLink = () => location.hash.includes("=");
if (isLink()) void follow(opening);
addEventListener("popstate", () => (isLink() || location.hash === "") && void follow(opening));
