/** Opens a door with own tools by their schemas. Loaded when `toolsift()` of such an SDK is called. */

import type { LoopDoorway } from "./loop-door.js";
import type { LoopOptions } from "./loop-options.js";
import { open } from "./open.js";
import { OwnTools } from "./own-tools.js";

/** Opens a door of a class. @throws ToolSiftError what `open` and the own tools throw */
export async function opened<D>(
  Door: new (...parts: ConstructorParameters<typeof LoopDoorway>) => D,
  options: LoopOptions<any>,
): Promise<D> {
  const { parts, own } = await open(options, ["tools"], (sift) => new OwnTools(sift, options.tools ?? {}));
  return new Door(parts, own, options);
}
