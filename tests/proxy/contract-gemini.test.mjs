/** Does the proxy keep the contract over the Gemini API, with Google's SDK? */

import { contract } from "./lib/contract.mjs";
import { google } from "./lib/clients/google.mjs";

contract(google);
