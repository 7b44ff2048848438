/**
 * VS Code. Sure for the form, `inputs` and the workspace's file (code.visualstudio.com, "MCP configuration reference"). The
 * user's file belongs to a profile; the path of the default profile is known from VS Code's folder for user data. Other
 * profiles and VS Code Insiders have their own and are not read. Servers in `settings.json` are the form before version
 * 1.102. VS Code finds `npx` on Windows by itself. It sets `VSCODE_*`, but so do its forks and its terminals, so no variable
 * decides.
 */

import type { Client } from "../types.js";

export const vscode: Client = {
  id: "vscode",
  title: "VS Code",
  sources: [
    { scope: "project", paths: ["{project}/.vscode/mcp.json"], format: "json", at: ["servers"] },
    { scope: "user", paths: ["{config}/Code/User/mcp.json"], format: "json", at: ["servers"] },
    { scope: "project", paths: ["{project}/.vscode/settings.json"], format: "json", at: ["mcp", "servers"], legacy: true },
    { scope: "user", paths: ["{config}/Code/User/settings.json"], format: "json", at: ["mcp", "servers"], legacy: true },
  ],
  form: {
    command: "string",
    env: ["env"],
    url: ["url"],
    headers: ["headers"],
    types: { local: "stdio", remote: "http" },
    off: "disabled",
    variables: ["env", "folders", "input"],
    ignored: ["dev", "gallery", "version"],
    bound: ["envFile", "sandbox", "sandboxEnabled", "oauth"],
  },
  cmd: false,
  processes: ["code", "visual studio code", "electron code"],
  variables: [],
};
