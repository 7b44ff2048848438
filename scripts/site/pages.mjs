/**
 * Collects the pages of the site: the README, docs/ and the examples. Links between them lead to pages of the site. Another
 * file, such as an example's source, becomes a page if a page links to it.
 */

import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { at } from "../lib/paths.mjs";
import { Problem } from "../lib/run.mjs";

const read = (path) => readFileSync(at(path), "utf8");

/** The order of the sidebar. Pages of a folder that are not listed here come last, sorted by name. */
const ORDER = {
  docs: "guide python rust gateway mcp-clients mcp-trust mcp-sign-in proxy cli profiles search skills enrichment packs sessions history deploy runtimes limits trouble reference stability architecture".split(
    " ",
  ),
  "docs/adapters":
    "README one-call ai-sdk ai-sdk-middleware mastra openai openai-agents anthropic google langchain mcp your-own".split(
      " ",
    ),
};
const EXAMPLES = ["adapters", "proxy", "worker", "cloudflare-agent", "claude-agent-sdk", "subagents", "skills"].map(
  (name) => `examples/${name}/README.md`,
);
const OTHERS = ["CHANGELOG.md", "lab/REPORT.md", "CONTRIBUTING.md", ...EXAMPLES];

/** The languages of source files by extension, for syntax highlighting. */
const LANGUAGES = { mjs: "js", js: "js", ts: "ts", json: "json", jsonc: "jsonc", rs: "rust", sh: "sh" };

/** Returns the Markdown files in a folder of the repository, in the order of the sidebar. */
function pagesOf(folder) {
  const names = readdirSync(at(folder)).filter((name) => name.endsWith(".md"));
  const place = (name) => {
    const at = ORDER[folder].indexOf(name.slice(0, -".md".length));
    return at < 0 ? ORDER[folder].length : at;
  };
  return names.sort((a, b) => place(a) - place(b) || a.localeCompare(b)).map((name) => `${folder}/${name}`);
}

/** Returns the path of a page on the site. README.md becomes the page of its folder. */
const placeOf = (path) =>
  path.replace(/README\.md$/, "index.md").replace(/^(CHANGELOG|CONTRIBUTING)/, (name) => name.toLowerCase());

/** Returns the title of a page for the sidebar. */
const titleOf = (path) => (path.endsWith("README.md") ? "Overview" : headingOf(path));

/** Returns the first heading of a page, up to a colon and without Markdown marks. */
function headingOf(path) {
  const [, heading] = /^# (.*)$/m.exec(read(path)) ?? [undefined, path];
  return heading.replaceAll("`", "").replace(/:.*/, "");
}

/** Empties a folder and writes all pages, `sidebar.json` and `llms.txt` into it. Throws a `Problem` for a broken link. */
export function writePages(folder) {
  rmSync(folder, { recursive: true, force: true });
  const pages = ["README.md", ...Object.keys(ORDER).flatMap(pagesOf), ...OTHERS];
  const queue = [...pages];
  const sources = new Set();
  const write = (place, text) => {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    writeFileSync(join(folder, place), text);
  };
  for (const page of queue) {
    const place = placeOf(page);
    const linked = (target) => {
      const [path, anchor] = target.split("#");
      const goal = posix.join(posix.dirname(page), path);
      if (!existsSync(at(goal))) throw new Problem(`${page} links to ${target}, which does not exist`);
      const file = statSync(at(goal)).isDirectory() ? posix.join(goal, "README.md") : goal;
      if (!existsSync(at(file))) throw new Problem(`${page} links to the folder ${target}, which has no README.md`);
      if (file.endsWith(".svg")) {
        write(file, read(file));
        return posix.relative(posix.dirname(place), file);
      }
      if (file.endsWith(".md") && !queue.includes(file)) queue.push(file);
      if (!file.endsWith(".md")) sources.add(file);
      const to = file.endsWith(".md") ? placeOf(file) : `source/${file}.md`;
      return `${posix.relative(posix.dirname(place), to)}${anchor === undefined ? "" : `#${anchor}`}`;
    };
    write(place, withLinks(read(page), linked));
  }
  for (const file of sources) write(`source/${file}.md`, sourcePage(file));
  cpSync(at("www", "public", "icon.svg"), join(folder, "public", "icon.svg"));
  write("sidebar.json", JSON.stringify(sidebar(), null, 2));
  write("public/llms.txt", llms(pages.slice(1)));
}

/**
 * Returns llms.txt, the list of pages for models (llmstxt.org): each page with its first sentences, and links from the
 * site's root.
 */
function llms(pages) {
  const line = (path) => `- [${headingOf(path)}](${placeOf(path).replace(/md$/, "html")}): ${openingOf(path)}`;
  return `# toolsift\n\n> ${openingOf("README.md")}\n\n## Pages\n\n${pages.map(line).join("\n")}\n`;
}

/** Returns the first two sentences of a page, without links. */
function openingOf(path) {
  const paragraph = /^# .*\n+((?:.+\n)+)/m.exec(read(path))?.[1] ?? "";
  const text = paragraph
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();
  return /^(?:.*?[.:](?= |$)){1,2}/.exec(text)?.[0].replace(/:$/, ".") ?? text;
}

/** Replaces every relative link in Markdown. Code stays unchanged. */
function withLinks(text, linked) {
  return text
    .split(/(^```.*?^```$)/ms)
    .map((part) => {
      if (part.startsWith("```")) return part;
      return part.replaceAll(/\]\((?!https?:|#)([^)\s]+)\)/g, (_, target) => `](${linked(target)})`);
    })
    .join("");
}

/** Returns a source file as a page. */
function sourcePage(file) {
  const language = LANGUAGES[file.split(".").at(-1)] ?? "text";
  const fence = "`".repeat(4);
  const matter = "---\nsearch: false\noutline: false\n---";
  return `${matter}\n\n# ${posix.basename(file)}\n\n\`${file}\`\n\n${fence}${language}\n${read(file)}${fence}\n`;
}

/** Returns the groups of the sidebar, in the form of VitePress. */
function sidebar() {
  const item = (path) => ({ text: titleOf(path), link: `/${placeOf(path).replace(/(index)?\.md$/, "")}` });
  const examples = [
    { text: "For each SDK", link: "/examples/adapters/" },
    { text: "Skills", link: "/examples/skills/" },
    { text: "An edge function", link: "/examples/worker/" },
    { text: "An agent of Cloudflare", link: "/examples/cloudflare-agent/" },
    { text: "Claude's Agent SDK", link: "/examples/claude-agent-sdk/" },
  ];
  return [
    { text: "Documents", items: [{ text: "Start", link: "/" }, ...pagesOf("docs").map(item)] },
    { text: "Adapters", items: pagesOf("docs/adapters").map(item) },
    { text: "Examples", items: examples },
    {
      text: "More",
      items: [
        { text: "API reference", link: "/reference/" },
        { text: "Report", link: "/lab/REPORT" },
        { text: "Changelog", link: "/changelog" },
        { text: "Contributing", link: "/contributing" },
      ],
    },
  ];
}
