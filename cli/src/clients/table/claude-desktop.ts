/**
 * Claude Desktop. Sure for macOS and Windows (its documentation and the MCP quickstart name these files). There is no
 * official build for Linux; the unofficial ones use the folder that is named here. The client accepts processes only; remote
 * servers are added as connectors in its settings, which are kept on Anthropic's servers and cannot be read here.
 */

import type { Client } from "../types.js";
import { COMMON } from "./forms.js";

export const claudeDesktop: Client = {
  id: "claude-desktop",
  title: "Claude Desktop",
  sources: [{ scope: "user", paths: ["{config}/Claude/claude_desktop_config.json"], format: "json", at: ["mcpServers"] }],
  form: COMMON,
  processesOnly: true,
  cmd: false,
  processes: ["claude desktop", "claude-desktop"],
  variables: [],
};
