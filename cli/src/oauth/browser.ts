/** Opens a page in the user's browser, without a shell. */

import { spawn } from "node:child_process";

/** Returns true if there is a desktop on which a browser can open. */
export function hasDisplay(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): boolean {
  if (env["TOOLSIFT_NO_BROWSER"]) return false;
  if (env["SSH_CONNECTION"] && !env["DISPLAY"]) return false;
  if (platform === "win32" || platform === "darwin") return true;
  return Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"] || env["WSL_DISTRO_NAME"]);
}

/** Returns the program that opens a URL on a platform, and its arguments. */
export function opener(url: URL, platform: NodeJS.Platform = process.platform): [string, string[]] {
  if (platform === "darwin") return ["open", [url.href]];
  // Not `cmd /c start`: cmd would read `&` and `%` in the URL.
  if (platform === "win32") return ["rundll32.exe", ["url.dll,FileProtocolHandler", url.href]];
  return ["xdg-open", [url.href]];
}

/**
 * Opens a page in the user's browser.
 *
 * @returns true if the program that opens it has started; the caller shows the URL in any case
 */
export async function openBrowser(url: URL): Promise<boolean> {
  if (url.protocol !== "https:" && url.protocol !== "http:") return false;
  const [command, args] = opener(url);
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "ignore", detached: true, shell: false, windowsHide: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
