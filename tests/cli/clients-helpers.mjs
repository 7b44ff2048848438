/**
 * The user of a simulated machine, with an empty home folder that is removed after the test, and example files of clients.
 */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export function somebody(t, { platform = "linux", env = {} } = {}) {
  const home = mkdtempSync(join(tmpdir(), "toolsift-clients-"));
  t.onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const place = { platform, home, cwd: join(home, "project"), env: { TOOLSIFT_HOME: join(home, "state"), ...env } };
  mkdirSync(place.cwd);
  return {
    home,
    place,
    path: (name) => join(home, name),
    write(name, content) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), content);
      return join(home, name);
    },
    read: (name) => readFileSync(join(home, name), "utf8"),
    has: (name) => existsSync(join(home, name)),
  };
}

/** Every client: its file for the user, and a text with a process `gh` and a remote server `web` in its spelling. */
export const SAMPLES = {
  "claude-desktop": {
    file: ".config/Claude/claude_desktop_config.json",
    text: `{
  "theme": "dark",
  "mcpServers": {
    "gh": { "command": "npx", "args": ["-y", "gh"], "env": { "TOKEN": "s3cret-token" } },
    "web": { "url": "https://example.test/mcp", "headers": { "X-Key": "k3y-of-web" } }
  }
}
`,
  },
  "claude-code": {
    file: ".claude.json",
    text: `{
  "numStartups": 3,
  "mcpServers": {
    "gh": { "type": "stdio", "command": "npx", "args": ["-y", "gh"], "env": { "TOKEN": "s3cret-token" } },
    "web": { "type": "http", "url": "https://example.test/mcp", "headers": { "X-Key": "k3y-of-web" } }
  },
  "projects": { "/p": { "mcpServers": {} } }
}
`,
  },
  cursor: {
    file: ".cursor/mcp.json",
    text: `{
  // all of mine
  "mcpServers": {
    "gh": { "command": "npx", "args": ["-y", "gh"], "env": { "TOKEN": "s3cret-token" } }, // work
    "web": { "url": "https://example.test/mcp", "headers": { "X-Key": "k3y-of-web" } },
  },
}
`,
  },
  vscode: {
    file: ".config/Code/User/mcp.json",
    text: `{
\t"inputs": [],
\t"servers": {
\t\t"gh": { "type": "stdio", "command": "npx", "args": ["-y", "gh"], "env": { "TOKEN": "s3cret-token" } },
\t\t/* remote */ "web": { "type": "http", "url": "https://example.test/mcp", "headers": { "X-Key": "k3y-of-web" } }
\t}
}
`,
  },
  windsurf: {
    file: ".codeium/windsurf/mcp_config.json",
    text:
      '{"mcpServers":{"gh":{"command":"npx","args":["-y","gh"],"env":{"TOKEN":"s3cret-token"}},' +
      '"web":{"serverUrl":"https://example.test/mcp","headers":{"X-Key":"k3y-of-web"}}}}',
  },
  codex: {
    file: ".codex/config.toml",
    text: `# mine
model = "gpt"

[mcp_servers.gh]
command = "npx" # runs it
args = [
  "-y",
  "gh",
]

[mcp_servers.gh.env]
TOKEN = "s3cret-token"

# the profile
[profiles.work]
model = "o"

[mcp_servers.web]
url = "https://example.test/mcp"
http_headers = { "X-Key" = "k3y-of-web" }
`,
  },
  opencode: {
    file: ".config/opencode/opencode.json",
    text: `{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    "gh": { "type": "local", "command": ["npx", "-y", "gh"], "environment": { "TOKEN": "s3cret-token" } },
    "web": { "type": "remote", "url": "https://example.test/mcp", "headers": { "X-Key": "k3y-of-web" } }
  }
}
`,
  },
  zed: {
    file: ".config/zed/settings.json",
    text: `// Zed settings
{
  "theme": "One",
  "context_servers": {
    "gh": { "source": "custom", "command": "npx", "args": ["-y", "gh"], "env": { "TOKEN": "s3cret-token" } },
    "web": { "url": "https://example.test/mcp", "headers": { "X-Key": "k3y-of-web" } }
  }
}
`,
  },
};

/** What the samples say in the common form. */
export const COMMON = {
  gh: { command: "npx", args: ["-y", "gh"], env: { TOKEN: "s3cret-token" } },
  web: { url: "https://example.test/mcp", headers: { "X-Key": "k3y-of-web" } },
};

/** Plain data without prototypes, for comparisons. */
export const plain = (value) => JSON.parse(JSON.stringify(value));

/** Servers by name; `type` is left out, since some clients must write it. */
export const byName = (servers) =>
  Object.fromEntries(servers.map(({ name, entry: { type, ...entry } }) => [name, plain(entry)]));
