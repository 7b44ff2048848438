/** Does the proxy keep the contract over Anthropic's Messages API, with Anthropic's SDK? */

import { contract } from "./lib/contract.mjs";
import { anthropic } from "./lib/clients/anthropic.mjs";

contract(anthropic);
