/** What does every file of these tests need? A browser and the served page, both closed at the end. */

import { after, before } from "node:test";
import { startBrowser } from "./browser.mjs";
import { serveSite } from "./site.mjs";

let stage;

/**
 * The stage: its `browser`, the `tabs` that tests have left in it, its `site`, and `bare`, the same page with the example
 * catalog. They are there when the first test begins. Files in one process share it.
 */
export function onStage() {
  if (stage) return stage;
  stage = { tabs: new Map() };
  before(async () => {
    stage.browser = await startBrowser();
    stage.site = await serveSite();
    stage.bare = await serveSite({ captured: false });
  });
  after(async () => {
    await stage.browser?.close();
    await stage.site?.close();
    await stage.bare?.close();
  });
  return stage;
}
