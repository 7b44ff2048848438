import { render } from "preact";
import { settingsFrom } from "./model/address.ts";
import { Lab } from "./model/lab.ts";
import { defaultSettings } from "./model/settings.ts";
import { openingCatalog } from "./model/source.ts";
import { App } from "./view/app.tsx";
import { Failure } from "./view/failure.tsx";
import "./style/tokens.css";
import "./style/base.css";
import "./style/controls.css";
import "./style/page.css";
import "./style/hero.css";
import "./style/console.css";
import "./style/reasons.css";
import "./style/request.css";
import "./style/chart.css";
import "./style/profiles.css";
import "./style/catalog.css";
import "./style/host.css";

const root = document.getElementById("app") as HTMLElement;
try {
  const lab = new Lab(await openingCatalog(), defaultSettings());
  if (location.hash.length > 1) lab.adopt(settingsFrom(location.hash));
  root.replaceChildren();
  render(<App lab={lab} />, root);
} catch (error) {
  root.replaceChildren();
  render(<Failure error={error} />, root);
}
