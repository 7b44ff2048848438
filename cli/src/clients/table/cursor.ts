/**
 * Cursor. Sure for both files and for `${env:NAME}`, `${userHome}` and `${workspaceFolder}` (cursor.com/docs/mcp). The
 * documentation names no key that switches a server off; `disabled` is what others write there. `CURSOR_TRACE_ID` is set in
 * its terminals; that it reaches servers is not documented.
 */

import type { Client } from "../types.js";
import { COMMON } from "./forms.js";

export const cursor: Client = {
  id: "cursor",
  title: "Cursor",
  sources: [
    { scope: "project", paths: ["{project}/.cursor/mcp.json"], format: "json", at: ["mcpServers"] },
    { scope: "user", paths: ["{home}/.cursor/mcp.json"], format: "json", at: ["mcpServers"] },
  ],
  form: { ...COMMON, variables: ["env", "folders"], ignored: ["autoApprove", "alwaysAllow"], bound: ["envFile", "auth"] },
  cmd: false,
  processes: ["cursor"],
  variables: ["CURSOR_TRACE_ID"],
};
