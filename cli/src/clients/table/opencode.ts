/**
 * opencode. Sure for both forms: version 2 keeps servers under `mcp.servers` (opencode.ai/v2/docs/mcp-servers), version 1
 * directly under `mcp` (opencode.ai/v1/docs/mcp-servers). Version 2 reads both, and `mcp.servers` wins; so a file without
 * servers gets the form of version 1, which every version reads. The folder `~/.config/opencode` is documented for all
 * systems. `{env:NAME}` is replaced in values; `{file:PATH}` is too, and toolsift leaves such a server where it is.
 */

import type { Client, Source } from "../types.js";

const PROJECT = {
  scope: "project",
  paths: ["{project}/opencode.json"],
  alternatives: ["{project}/opencode.jsonc", "{project}/.opencode/opencode.json", "{project}/.opencode/opencode.jsonc"],
  format: "json",
} as const satisfies Partial<Source>;

const USER = {
  scope: "user",
  paths: ["{OPENCODE_CONFIG}", "{XDG_CONFIG_HOME}/opencode/opencode.json", "{home}/.config/opencode/opencode.json"],
  alternatives: ["{XDG_CONFIG_HOME}/opencode/opencode.jsonc", "{home}/.config/opencode/opencode.jsonc"],
  format: "json",
} as const satisfies Partial<Source>;

const V2 = { at: ["mcp", "servers"], off: "disabled" } as const;
const V1 = { at: ["mcp"], skip: ["servers", "timeout"] };

export const opencode: Client = {
  id: "opencode",
  title: "opencode",
  sources: [
    { ...PROJECT, ...V2 },
    { ...PROJECT, ...V1 },
    { ...USER, ...V2 },
    { ...USER, ...V1 },
  ],
  form: {
    command: "array",
    env: ["environment"],
    url: ["url"],
    headers: ["headers"],
    types: { local: "local", remote: "remote" },
    off: "enabled",
    variables: ["braces"],
    ignored: ["timeout", "codemode"],
    bound: ["oauth"],
  },
  cmd: false,
  processes: ["opencode"],
  variables: [],
};
