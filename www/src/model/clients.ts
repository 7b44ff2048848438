/** The configuration of MCP clients that puts toolsift's gateway in front of their servers. */
import type { ToolSiftOptions } from "toolsift";

/** A client, by the name that `npx toolsift mcp add` takes. */
export type ClientId = "claude-code" | "claude-desktop" | "cursor" | "vscode" | "windsurf" | "codex" | "opencode" | "zed";

interface ClientInfo {
  title: string;
  /** The user's file. */
  file: string;
  language: "json" | "toml";
  /** The text of the file, for the words of the gateway's command. */
  text: (command: string[]) => string;
}

const entry = ([command, ...args]: string[]) => ({ command, args });
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const common = (command: string[]) => json({ mcpServers: { toolsift: entry(command) } });

export const CLIENTS: Record<ClientId, ClientInfo> = {
  "claude-code": { title: "Claude Code", file: ".mcp.json", language: "json", text: common },
  "claude-desktop": { title: "Claude Desktop", file: "claude_desktop_config.json", language: "json", text: common },
  cursor: { title: "Cursor", file: "~/.cursor/mcp.json", language: "json", text: common },
  vscode: {
    title: "VS Code",
    file: ".vscode/mcp.json",
    language: "json",
    text: (command) => json({ servers: { toolsift: { type: "stdio", ...entry(command) } } }),
  },
  windsurf: { title: "Windsurf", file: "~/.codeium/windsurf/mcp_config.json", language: "json", text: common },
  codex: {
    title: "Codex",
    file: "~/.codex/config.toml",
    language: "toml",
    text: ([command, ...args]) =>
      `[mcp_servers.toolsift]\ncommand = ${JSON.stringify(command)}\nargs = [${args.map((arg) => JSON.stringify(arg)).join(", ")}]\n`,
  },
  opencode: {
    title: "opencode",
    file: "opencode.json",
    language: "json",
    text: (command) => json({ mcp: { toolsift: { type: "local", command } } }),
  },
  zed: {
    title: "Zed",
    file: "~/.config/zed/settings.json",
    language: "json",
    text: (command) => json({ context_servers: { toolsift: entry(command) } }),
  },
};

/** The words that start the gateway with these options, as far as it has a flag for them. */
export function gatewayCommand({ profile, activation }: ToolSiftOptions): string[] {
  const flags = profile === undefined ? [] : ["--profile", typeof profile === "string" ? profile : profile.name];
  const when =
    typeof activation === "string"
      ? activation
      : typeof activation === "object" && "tokens" in activation
        ? String(activation.tokens)
        : null;
  if (when !== null) flags.push("--activation", when);
  return ["npx", "-y", "toolsift", "mcp", "--config", "/path/to/servers.json", ...flags];
}

/** The one command that moves a client's own servers behind the gateway. */
export function addCommand(client: ClientId): string {
  return `npx toolsift mcp add ${client}`;
}

/** Options that the gateway has no flag for, so that the line does not carry them. */
export function notInGateway({ profile, activation, ...rest }: ToolSiftOptions): string[] {
  const missing = [...(typeof profile === "object" ? ["profile"] : []), ...Object.keys(rest)];
  const hasFlag = activation === undefined || typeof activation === "string" || "tokens" in activation;
  return hasFlag ? missing : ["activation", ...missing];
}
