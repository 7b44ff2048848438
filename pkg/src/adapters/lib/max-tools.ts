/** The shape of `MaxTools`, apart from the limits: a vendor's client has no shapes, and would ship them. */

import { type Shape, wholeOf } from "../../shape.js";
import type { MaxTools } from "../../wire/limits.js";

export const MAX_TOOLS: Shape<MaxTools> = { maxTools: wholeOf(1, 100_000) };
