/**
 * Windsurf. Sure for the editor's file and `serverUrl`. Its plugins for other editors use `~/.codeium/mcp_config.json`
 * (docs.windsurf.com and docs.devin.ai, "Cascade"), which is read where the first does not exist. There is no file for a
 * project. `${env:NAME}` is documented for the command, arguments, environment, URL and headers.
 */

import type { Client } from "../types.js";
import { COMMON } from "./forms.js";

export const windsurf: Client = {
  id: "windsurf",
  title: "Windsurf",
  sources: [
    {
      scope: "user",
      paths: ["{home}/.codeium/windsurf/mcp_config.json"],
      alternatives: ["{home}/.codeium/mcp_config.json"],
      format: "json",
      at: ["mcpServers"],
    },
  ],
  form: { ...COMMON, url: ["serverUrl", "url"], variables: ["env"], ignored: ["disabledTools", "alwaysAllow"] },
  cmd: false,
  processes: ["windsurf"],
  variables: [],
};
