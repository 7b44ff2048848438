import { contract } from "./lib/contract.mjs";
import { langchain } from "./lib/drives/langchain.mjs";
import { langgraph } from "./lib/drives/langgraph.mjs";

contract(langchain, { variants: [{ stream: false }, { stream: true }] });
contract(langgraph, { variants: [{ stream: false }, { stream: true }] });
