/** Records the scene as an animated picture. The time of the page has to stand still: a recording shows every frame in time. */

import sharp from "sharp";
import { shotPath } from "./browser.mjs";

/** Milliseconds. */
const FRAME = 50;

/** Pixels around the figure, so that its borders are whole. */
const AROUND = 16;

/** `does` gets two functions: `run` lets that many milliseconds pass, and `hold` shows what is there for as many. */
export async function record(page, name, does) {
  const { x, y, width, height } = await page.locator(".hero-map").boundingBox();
  const clip = { x: x - AROUND, y: y - AROUND, width: width + 2 * AROUND, height: height + 2 * AROUND };
  const frames = [];
  const delay = [];
  const hold = async (time) => {
    frames.push(await page.screenshot({ clip }));
    delay.push(time);
  };
  const run = async (time) => {
    for (let past = 0; past < time; past += FRAME) {
      await page.clock.runFor(FRAME);
      await hold(FRAME);
    }
  };
  await does({ hold, run });
  await sharp(frames, { join: { animated: true } })
    .gif({ delay })
    .toFile(shotPath(`${name}.gif`));
}
