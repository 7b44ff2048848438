/** Does the adapter for Mastra keep the contract, and leave to Mastra what is Mastra's? */

import { contract } from "./lib/contract.mjs";
import { mastra } from "./lib/drives/mastra.mjs";

contract(mastra, { variants: [{ stream: false }, { stream: true }] });
