/** The environment of a local server: what programs and package managers need of this process, and nothing that is its own. */

import { host } from "./node.js";

/** Variables that every program may need: none that may hold a secret. */
const SAFE = {
  posix: ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"],
  win32: [
    ...["APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE"],
    ...["PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP"],
    ...["USERNAME", "USERPROFILE", "WINDIR"],
  ],
};
/** What package managers need to download a server: registries, proxies and certificates. */
const OF_PACKAGES = /^(?:npm_config_.*|https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_.*|uv_.*|pip_.*)$/i;
/** Settings that npm writes there for the one program that it runs: another npx would run that program again. */
const OF_ONE_RUN = /^npm_config_(?:package|call|local_prefix|workspaces?|include_workspace_root)$/i;

/** The variables that a server gets of this process. */
export function inherited(): Record<string, string> {
  const safe = host.platform === "win32" ? SAFE.win32 : SAFE.posix;
  const names = [...safe, ...all().filter((name) => OF_PACKAGES.test(name) && !OF_ONE_RUN.test(name))];
  // A value that begins so is a function of a shell.
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = host.env[name];
      return value === undefined || value.startsWith("()") ? [] : [[name, value]];
    }),
  );
}

/** The names of all variables; none where a runtime lets only single ones be read. */
function all(): string[] {
  try {
    return Object.keys(host.env);
  } catch {
    return [];
  }
}
