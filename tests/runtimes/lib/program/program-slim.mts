/** The same with the entry without wasm, which streams the file that lies beside it. */

import { init, ToolSift } from "toolsift/slim";
import { offer } from "./offer.mts";

await init();
offer(ToolSift);
