/**
 * Zed. Sure for `context_servers` with `command`, `args`, `env` or `url`, `headers` (zed.dev/docs/ai/mcp), and for the files
 * on macOS and Linux; `%APPDATA%\Zed` on Windows comes from Zed's source. An entry without a command belongs to an
 * extension, and an older one has an object as `command`: both stay where they are.
 */

import type { Client } from "../types.js";

export const zed: Client = {
  id: "zed",
  title: "Zed",
  sources: [
    { scope: "project", paths: ["{project}/.zed/settings.json"], format: "json", at: ["context_servers"] },
    {
      scope: "user",
      paths: [
        { win32: "{config}/Zed/settings.json" },
        "{XDG_CONFIG_HOME}/zed/settings.json",
        "{home}/.config/zed/settings.json",
      ],
      format: "json",
      at: ["context_servers"],
    },
  ],
  form: {
    command: "string",
    env: ["env"],
    url: ["url"],
    headers: ["headers"],
    off: "enabled",
    variables: [],
    ignored: ["source", "timeout"],
    bound: ["settings", "oauth", "remote"],
  },
  cmd: true,
  processes: ["zed", "zed-editor", "zeditor"],
  variables: [],
};
