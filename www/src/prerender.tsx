/** Makes the static parts of the page for the build: its first play, its HTML, and its picture. */
import { renderToString } from "preact-render-to-string";
import { begin } from "./app/state.ts";
import { Engine } from "./core/engine.ts";
import type { List, Opening } from "./core/types.ts";
import { pictureOf } from "./model/picture.ts";
import { App } from "./view/app.tsx";
import { REQUEST } from "./view/ask.tsx";

export interface Made {
  opening: Opening;
  html: string;
  picture: string;
}

/** Makes these parts. `font` is the font family of the picture's text. */
export function make(lists: List[], font: string): Made {
  const engine = new Engine();
  const catalog = engine.open(lists, false);
  const opening = { catalog, play: engine.play(REQUEST) };
  begin(opening);
  return { opening, html: renderToString(<App />), picture: pictureOf(opening, font) };
}
