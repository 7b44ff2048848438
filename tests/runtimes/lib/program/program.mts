/** The program that every runtime runs: the package, imported by its name. */

import { ToolSift } from "toolsift";
import { offer } from "./offer.mts";

offer(ToolSift);
