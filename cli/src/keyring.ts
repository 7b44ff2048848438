/**
 * Secrets in the keyring of the system, by the program that the system has for it. A secret goes through standard input and
 * output, and never stands in the arguments of a process, which all users of the machine can read.
 */

import { spawn } from "node:child_process";
import { Failure, misuse } from "./failure.js";
import { oneLine } from "./output/escape.js";

/** How one system keeps secrets. */
interface Keyring {
  /** Where people can install it. */
  missing: string;
  read(name: string): Run;
  write(name: string, secret: string): Run;
  remove(name: string): Run;
}

interface Run {
  command: string;
  args: string[];
  input?: string;
  env?: Record<string, string>;
}

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Matches a valid name. It also stands in a configuration. */
const NAME = /^[A-Za-z0-9_][\w.-]{0,99}$/;
/** A secret; keyrings take far more. */
const MOST_BYTES = 65_536;
/** A keyring that is locked asks its user. */
const PATIENCE_MS = 120_000;
const SERVICE = "toolsift";

const security = (line: string): Run => ({ command: "security", args: ["-i"], input: `${line}\n` });
const secretTool = (...args: string[]): Run => ({ command: "secret-tool", args });

/** Windows keeps web credentials for programs, which its own PowerShell reaches. */
function powershell(script: string, name: string, input = ""): Run {
  const vault = "[void][Windows.Security.Credentials.PasswordVault,Windows.Security.Credentials,ContentType=WindowsRuntime]";
  const utf8 = "[Console]::InputEncoding = [Console]::OutputEncoding = New-Object System.Text.UTF8Encoding $false";
  const whole = [
    "$ErrorActionPreference = 'Stop'",
    utf8,
    vault,
    "$v = New-Object Windows.Security.Credentials.PasswordVault",
    script,
  ].join("\n");
  const encoded = Buffer.from(whole, "utf16le").toString("base64");
  const args = ["-NoProfile", "-NonInteractive", "-EncodedCommand", encoded];
  return { command: "powershell.exe", args, input, env: { TOOLSIFT_SECRET_NAME: name } };
}

const KEYRINGS: Readonly<Record<string, Keyring>> = {
  darwin: {
    missing: "macOS has it as /usr/bin/security",
    read: (name) => ({ command: "security", args: ["find-generic-password", "-s", SERVICE, "-a", name, "-w"] }),
    // As hexadecimal digits, since its lines have quotes of their own.
    write: (name, secret) =>
      security(`add-generic-password -U -s ${SERVICE} -a ${name} -X ${Buffer.from(secret).toString("hex")}`),
    remove: (name) => ({ command: "security", args: ["delete-generic-password", "-s", SERVICE, "-a", name] }),
  },
  linux: {
    missing:
      "it is in the package libsecret-tools or libsecret, and needs a keyring such as GNOME Keyring, KWallet or KeePassXC",
    read: (name) => secretTool("lookup", "service", SERVICE, "account", name),
    write: (name, secret) => ({
      ...secretTool("store", `--label=toolsift: ${name}`, "service", SERVICE, "account", name),
      input: secret,
    }),
    remove: (name) => secretTool("clear", "service", SERVICE, "account", name),
  },
  win32: {
    missing: "Windows has it as Windows PowerShell",
    read: (name) =>
      powershell(
        `$c = $v.Retrieve('${SERVICE}', $env:TOOLSIFT_SECRET_NAME); $c.RetrievePassword(); [Console]::Out.Write($c.Password)`,
        name,
      ),
    write: (name, secret) =>
      powershell(
        `$v.Add((New-Object Windows.Security.Credentials.PasswordCredential('${SERVICE}', $env:TOOLSIFT_SECRET_NAME, [Console]::In.ReadToEnd())))`,
        name,
        secret,
      ),
    remove: (name) => powershell(`$v.Remove($v.Retrieve('${SERVICE}', $env:TOOLSIFT_SECRET_NAME))`, name),
  },
};

/** A secret. @throws Failure that says why there is none */
export async function readSecret(name: string, platform: string = process.platform): Promise<string> {
  const { code, stdout, stderr } = await run(keyringOf(platform).read(checked(name)), platform);
  const secret = stdout.replace(/\r?\n$/, "");
  if (code === 0 && secret !== "") return secret;
  // The programs tell a name that is not there in words of their own, or by nothing.
  throw new Failure(
    `the system's keyring gave no secret ${name}${because(stderr)}; set it with: npx toolsift mcp secret set ${name}`,
  );
}

/** Keeps a secret, in the place of an earlier one of its name. @throws Failure */
export async function writeSecret(name: string, secret: string, platform: string = process.platform): Promise<void> {
  checked(name);
  const bytes = Buffer.byteLength(secret);
  if (secret === "" || bytes > MOST_BYTES || /[\0\r\n]/.test(secret)) {
    throw misuse(
      `a secret is one line of 1 to ${MOST_BYTES} bytes; this one has ${bytes}${/[\r\n]/.test(secret) ? " on several lines" : ""}`,
    );
  }
  const { code, stderr } = await run(keyringOf(platform).write(name, secret), platform);
  // What the program says may repeat what it was given.
  const reason = stderr.includes(secret) || stderr.includes(Buffer.from(secret).toString("hex")) ? "" : stderr;
  if (code !== 0) throw new Failure(`the system's keyring did not take ${name}${because(reason)}`);
  const kept = await readSecret(name, platform).catch(() => undefined);
  if (kept !== secret) throw new Failure(`the system's keyring did not keep ${name}${because(reason)}`);
}

/** Removes a secret. @throws Failure where there is none */
export async function removeSecret(name: string, platform: string = process.platform): Promise<void> {
  const { code, stderr } = await run(keyringOf(platform).remove(checked(name)), platform);
  if (code !== 0) throw new Failure(`the system's keyring has no secret ${name}${because(stderr)}`);
}

function checked(name: string): string {
  if (NAME.test(name)) return name;
  throw misuse(`a secret's name has 1 to 100 letters, digits, "_", "-" and "."; got ${JSON.stringify(name.slice(0, 120))}`);
}

function keyringOf(platform: string): Keyring {
  const keyring = KEYRINGS[platform] ?? KEYRINGS["linux"];
  return keyring!;
}

const because = (stderr: string): string => (stderr.trim() === "" ? "" : ` (${oneLine(stderr.trim().slice(0, 300))})`);

function run({ command, args, input = "", env }: Run, platform: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: "pipe", windowsHide: true });
    const late = setTimeout(() => child.kill(), PATIENCE_MS);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    // It may have ended before it read.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.on("error", ({ message, code }: NodeJS.ErrnoException) => {
      clearTimeout(late);
      const isMissing = code === "ENOENT";
      reject(
        new Failure(
          isMissing
            ? `the system's keyring cannot be reached: there is no ${command}; ${keyringOf(platform).missing}`
            : message,
        ),
      );
    });
    child.on("close", (code) => {
      clearTimeout(late);
      resolve({ code, stdout, stderr });
    });
  });
}
