/**
 * Claude Code. Sure for the three scopes, their order (local, project, user), `CLAUDE_CONFIG_DIR` and `${NAME:-default}`:
 * the documentation names them (code.claude.com/docs/en/mcp). It also documents `cmd /c npx` for Windows.
 * `CLAUDE_PROJECT_DIR` and `CLAUDECODE` are in the environment of what it starts; the second is inherited by everything in
 * its shells as well, so the name of the process decides first.
 */

import type { Client } from "../types.js";
import { COMMON } from "./forms.js";

const USER = ["{CLAUDE_CONFIG_DIR}/.claude.json", "{home}/.claude.json"];

export const claudeCode: Client = {
  id: "claude-code",
  title: "Claude Code",
  sources: [
    { scope: "local", paths: USER, format: "json", at: ["projects", "{project}", "mcpServers"] },
    { scope: "project", paths: ["{project}/.mcp.json"], format: "json", at: ["mcpServers"] },
    { scope: "user", paths: USER, format: "json", at: ["mcpServers"] },
  ],
  sign: "{home}/.claude",
  form: {
    ...COMMON,
    types: { local: "stdio", remote: "http" },
    variables: ["bare"],
    ignored: ["timeout", "alwaysLoad"],
    bound: ["headersHelper", "oauth"],
  },
  cmd: true,
  processes: ["claude"],
  variables: ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_PROJECT_DIR"],
};
