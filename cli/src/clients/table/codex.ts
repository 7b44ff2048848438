/**
 * Codex (command line, editor extension and desktop app share the file). Sure: `codex-rs/config/src/mcp_types.rs` of
 * openai/codex lists the keys, and `CODEX_HOME` is documented. The project's file counts in trusted projects only. Codex
 * replaces no variables in values; `bearer_token_env_var` and `env_http_headers` name environment variables instead and
 * become `${env:NAME}` headers. A process gets few variables of the environment, so nothing but the process tells that Codex
 * started it.
 */

import type { Client } from "../types.js";

export const codex: Client = {
  id: "codex",
  title: "Codex",
  sources: [
    { scope: "project", paths: ["{project}/.codex/config.toml"], format: "toml", at: ["mcp_servers"] },
    { scope: "user", paths: ["{CODEX_HOME}/config.toml", "{home}/.codex/config.toml"], format: "toml", at: ["mcp_servers"] },
  ],
  form: {
    command: "string",
    env: ["env"],
    url: ["url"],
    headers: ["http_headers"],
    off: "enabled",
    variables: [],
    ignored: [
      ...[
        "startup_timeout_sec",
        "startup_timeout_ms",
        "tool_timeout_sec",
        "required",
        "supports_parallel_tool_calls",
        "name",
      ],
      ...["default_tools_approval_mode", "tools", "scopes", "oauth_resource"],
    ],
    bound: ["env_vars", "enabled_tools", "disabled_tools", "experimental_environment", "oauth", "bearer_token"],
  },
  cmd: true,
  processes: ["codex"],
  variables: [],
};
