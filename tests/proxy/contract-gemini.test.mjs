/** Does the proxy keep the contract over the Gemini API, with Google's SDK? */

import { contract } from "./lib/contract.mjs";
import { google } from "./lib/clients/google.mjs";

contract({ ...google, versions: google.versions.slice(0, 1) }, { doors: ["url"] });
contract({ ...google, versions: google.versions.slice(1) });
