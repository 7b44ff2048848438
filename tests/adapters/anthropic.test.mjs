import { contract } from "./lib/contract.mjs";
import { anthropicClient, anthropicPlain } from "./lib/drives/anthropic.mjs";

const variants = [{ stream: false }, { stream: true }];
contract(anthropicPlain, { variants });
contract(anthropicClient, { variants });
