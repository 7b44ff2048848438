/** What runs everywhere? The package, imported by its name. */

import { ToolSift } from "toolsift";
import { offer } from "./offer.mts";

offer(ToolSift);
