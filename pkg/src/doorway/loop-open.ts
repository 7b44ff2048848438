/** Opens a door with own tools by their schemas. Loaded when `toolsift()` of such an SDK is called. */

import { door } from "./door.js";
import type { LoopDoorway } from "./loop-door.js";
import type { LoopOptions } from "./loop-options.js";
import { anything } from "../shape.js";
import { OwnTools } from "./own-tools.js";

/** Opens a door of a class. @throws ToolSiftError what `door` and the own tools throw */
export function opened<D>(
  Door: new (...parts: ConstructorParameters<typeof LoopDoorway>) => D,
  options: LoopOptions<any>,
): Promise<D> {
  return door(Door, options, { tools: anything }, (sift, { tools = {} }) => new OwnTools(sift, tools));
}
