/** Where is an adapter written out? The places that each one has beside its folder, in the order of CONTRIBUTING.md. */

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { parse } from "yaml";
import { at } from "../../scripts/lib/paths.mjs";
import { SETS } from "../../scripts/lib/peers/sets.mjs";

const read = (path) => readFileSync(at(path), "utf8");
const json = (path) => JSON.parse(read(path));
const exists = (path) => existsSync(at(path));
const modules = (path) => readdirSync(at(path)).filter((name) => name.endsWith(".mjs"));

/** The adapters are the folders of pkg/src/adapters, but for the one that they share. */
const FOLDERS = readdirSync(at("pkg", "src", "adapters"), { withFileTypes: true }).filter((one) => one.isDirectory());
export const ADAPTERS = FOLDERS.map(({ name }) => name)
  .filter((name) => name !== "lib")
  .sort();

/** The examples, with the servers that they share. */
export const EXAMPLES = modules("examples/adapters");

const PKG = json("pkg/package.json");
const { devDependencies: DEV } = json("package.json");
const DRIVES = "tests/adapters/lib/drives";
const TESTS = modules("tests/adapters");
const TRIED = Object.values(SETS).flatMap(({ tests }) => tests);
const PEERS = parse(read(".github/workflows/test.yml")).jobs.peers.strategy.matrix.peer;
const PACKED = /^const ADAPTERS = "([^"]*)"/m.exec(read("tests/package/contents.test.mjs"))[1].split("|");
const COVERED = modules("tests/properties/targets").flatMap((file) =>
  /^export const covers = \[([^\]]*)/m.exec(read(`tests/properties/targets/${file}`))[1].match(/[\w.-]+/g),
);
const WIRES = /^const WIRES = \{(.*?)^\};/ms.exec(read("tests/adapters/examples.test.mjs"))[1];

/** All source of an adapter as one text. */
function sourceOf(name) {
  const files = readdirSync(at("pkg", "src", "adapters", name)).filter((file) => file.endsWith(".ts"));
  return files.map((file) => read(`pkg/src/adapters/${name}/${file}`)).join("\n");
}

/** The packages that an adapter imports, also for their types alone. */
function sdksOf(name) {
  const paths = [...sourceOf(name).matchAll(/\bfrom "([^."][^"]*)"/g)].map(([, path]) => path);
  return [...new Set(paths.map((path) => /^(@[^/]+\/)?[^/]+/.exec(path)[0]))].sort();
}

/** The rows of the first table behind a line, as lists of cells. */
function rowsOf(path, line) {
  const [, table] = /^\|.*\n\|[ |:-]+\n((?:\|.*\n)*)/m.exec(read(path).split(line)[1] ?? "") ?? [undefined, ""];
  return table
    .split("\n")
    .filter(Boolean)
    .map((row) =>
      row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** Whether a row of a table has an adapter's entry in a cell. */
function hasRow(path, line, name, cell) {
  return rowsOf(path, line).some((cells) => cells[cell] === `\`toolsift/${name}\``);
}

/** The files of a folder that import an adapter. */
function importing(folder, files, name) {
  return files.filter((file) => read(`${folder}/${file}`).includes(`"toolsift/${name}"`));
}

/** The drives over an adapter. */
const drivesOf = (name) =>
  modules(DRIVES).filter((file) => read(`${DRIVES}/${file}`).includes(`adapter: "toolsift/${name}"`));

/** What is missing, where something is. */
const unless = (isThere, missing) => (isThere ? [] : [missing]);

const NO_SESSION = "its host has no session, so that the contract's conversations cannot be led over it";
const NO_MODEL = "it connects servers, and sends nothing to a model";

/**
 * The places of an adapter. `lacks` says what is missing in the file for an adapter, a text for each thing; `without` are
 * the adapters that have no such place, each with the reason.
 */
export const ADAPTER_PLACES = [
  {
    file: "package.json",
    lacks: (name) => sdksOf(name).flatMap((sdk) => unless(DEV[sdk], `no ${sdk} in devDependencies`)),
  },
  {
    file: "pkg/src/adapters",
    lacks: (name) => [
      ...unless(exists(`pkg/src/adapters/${name}/index.ts`), `no ${name}/index.ts`),
      ...unless(sdksOf(name).length > 0, `no file of ${name} imports an SDK`),
    ],
    without: { mcp: "it takes the clients of two SDKs by their methods" },
  },
  {
    file: "pkg/package.json",
    lacks: (name) => [
      ...["import", "require"].flatMap((how) => {
        const file = `./dist/${how === "require" ? "cjs/" : ""}adapters/${name}`;
        const { types, default: code } = PKG.exports[`./${name}`]?.[how] ?? {};
        const isThere = types === `${file}/index.d.ts` && code === `${file}.js`;
        return unless(isThere, `exports["./${name}"].${how} is not {"types":"${file}/index.d.ts","default":"${file}.js"}`);
      }),
      ...sdksOf(name).flatMap((sdk) => [
        ...unless(PKG.peerDependencies[sdk], `no ${sdk} in peerDependencies`),
        ...unless(PKG.peerDependenciesMeta[sdk]?.optional, `no optional ${sdk} in peerDependenciesMeta`),
      ]),
    ],
  },
  {
    file: "tests/package/contents.test.mjs",
    lacks: (name) => unless(PACKED.includes(name), `no ${name} in ADAPTERS`),
  },
  {
    file: DRIVES,
    lacks: (name) => unless(drivesOf(name).length > 0, `no drive has the adapter "toolsift/${name}"`),
    without: { "ai-sdk-middleware": NO_SESSION, mcp: NO_MODEL },
  },
  {
    file: "tests/adapters",
    lacks: (name) => unless(TESTS.includes(`${name}.test.mjs`), `no ${name}.test.mjs`),
  },
  {
    file: "tests/adapters/*.test.mjs",
    lacks: (name) => {
      const text = TESTS.includes(`${name}.test.mjs`) ? read(`tests/adapters/${name}.test.mjs`) : "";
      return unless(/^ *contract\(/m.test(text), `${name}.test.mjs does not call contract(…)`);
    },
    without: { "ai-sdk-middleware": NO_SESSION, mcp: NO_MODEL },
  },
  {
    file: "tests/adapters/*types.test.mjs",
    lacks: (name) => {
      const files = TESTS.filter((file) => file.endsWith("types.test.mjs"));
      const missing = `no program imports "toolsift/${name}": write ${name}-types.test.mjs`;
      return unless(importing("tests/adapters", files, name).length > 0, missing);
    },
    without: { mcp: "tests/adapters/mcp-host.test.mjs has its programs" },
  },
  {
    file: "tests/adapters/limits.test.mjs",
    lacks: (name) => {
      const text = read("tests/adapters/limits.test.mjs");
      const isDriven = drivesOf(name).some((file) => text.includes(`/drives/${file}"`));
      const isTried = isDriven || text.includes(`"toolsift/${name}"`);
      const isLimited = sourceOf(name).includes('/wire/limits.js"');
      return unless(!isLimited || isTried, `${name} imports wire/limits.ts, and nothing here sends it too many`);
    },
    without: {
      "ai-sdk-middleware": "tests/adapters/doorway-bounds.test.mjs goes beyond its limit",
      anthropic: "it takes any number of tools that are not deferred",
    },
  },
  {
    file: "tests/adapters/concurrent.test.mjs",
    lacks: (name) => {
      const isTried = read("tests/adapters/concurrent.test.mjs").includes(`load("${name}")`);
      const isExclusive = sourceOf(name).includes('/lib/exclusive.js"');
      return unless(!isExclusive || isTried, `no row of ROADS has two runs over one conversation of ${name}`);
    },
  },
  {
    file: "scripts/lib/peers/sets.mjs",
    lacks: (name) => [
      ...sdksOf(name).flatMap((sdk) => unless(SETS[sdk], `no row for ${sdk}`)),
      ...unless(TRIED.includes(`tests/adapters/${name}.test.mjs`), `no row runs tests/adapters/${name}.test.mjs`),
    ],
    without: { "ai-sdk-middleware": "the row of ai runs the tests of ai-sdk, whose models it wraps" },
  },
  {
    file: ".github/workflows/test.yml",
    lacks: (name) => sdksOf(name).flatMap((sdk) => unless(PEERS.includes(sdk), `no ${sdk} in the matrix of jobs.peers`)),
  },
  {
    file: "examples/adapters",
    lacks: (name) => {
      const isShown = importing("examples/adapters", EXAMPLES, name).length > 0;
      return unless(isShown, `no example imports "toolsift/${name}": write one, such as ${name}.mjs`);
    },
    without: { "ai-sdk-middleware": "its page shows the few lines that it takes" },
  },
  {
    file: "docs/adapters",
    lacks: (name) => unless(exists(`docs/adapters/${name}.md`), `no ${name}.md`),
  },
  {
    file: "docs/adapters/one-call.md",
    lacks: (name) => [
      ...unless(/\btoolsift\b/.test(read(`pkg/src/adapters/${name}/index.ts`)), `${name}/index.ts does not export toolsift`),
      ...unless(read("docs/adapters/one-call.md").includes(`"toolsift/${name}"`), `no program imports "toolsift/${name}"`),
    ],
    without: { "ai-sdk-middleware": "it wraps a model; toolsift/ai-sdk has the call", mcp: NO_MODEL },
  },
  {
    file: "docs/adapters/README.md",
    lacks: (name) => {
      const page = "docs/adapters/README.md";
      const row = `no row for toolsift/${name} in the`;
      return [
        ...unless(hasRow(page, "# Adapters\n", name, 1), `${row} first table`),
        ...unless(hasRow(page, "## What was tested\n", name, 0), `${row} second; tests/adapters/table.test.mjs prints it`),
      ];
    },
  },
  {
    file: "README.md",
    lacks: (name) => {
      const cells = rowsOf("README.md", "## Adapters\n").map((row) => row.at(-1));
      const isLinked = cells.some((cell) => cell.includes(`(docs/adapters/${name}.md)`));
      return unless(isLinked, `no row of the table of adapters links docs/adapters/${name}.md`);
    },
  },
  {
    file: "docs/reference.md",
    lacks: (name) => {
      const isThere = hasRow("docs/reference.md", "## Adapters\n", name, 0);
      return unless(isThere, `no row for toolsift/${name} under Adapters`);
    },
  },
  {
    file: "api",
    lacks: (name) => unless(exists(`api/${name}.api.md`), `no ${name}.api.md: npm run api -- --update --package`),
  },
  {
    file: "tests/properties/targets",
    lacks: (name) => unless(COVERED.includes(name), `no file has ${name} in covers, and targets for what it exports`),
  },
];

/** The code of an example, without the comment that it opens with. */
const codeOf = (file) => read(`examples/adapters/${file}`).replace(/^\/\*\*[^]*?\*\/\n+/, "");

const SHARED = { "servers.mjs": "the examples import it" };
/** Lines of code that an example may have. */
const MOST_LINES = 20;

/** The places of an example, in the same form. */
export const EXAMPLE_PLACES = [
  {
    file: "examples/adapters",
    lacks: (file) => {
      const { length } = codeOf(file)
        .split("\n")
        .filter((line) => line.trim() !== "");
      return unless(length <= MOST_LINES, `${file} has ${length} lines of code; at most ${MOST_LINES}`);
    },
    without: SHARED,
  },
  {
    file: "examples/adapters/README.md",
    lacks: (file) => {
      const isThere = read("examples/adapters/README.md").includes(`\n| [${file}](${file}) |`);
      return unless(isThere, `no row for ${file}`);
    },
    without: SHARED,
  },
  {
    file: "tests/adapters/examples.test.mjs",
    lacks: (file) => unless(WIRES.includes(`  "${file}": `), `no "${file}" in WIRES, which says whose API it speaks`),
    without: SHARED,
  },
  {
    file: "docs/adapters/*.md",
    lacks: (file) => {
      const pages = readdirSync(at("docs", "adapters")).map((page) => read(`docs/adapters/${page}`));
      const isShown = pages.some((page) => page.includes(`\`\`\`js\n${codeOf(file)}\`\`\``));
      return unless(isShown, `no js block of a page is ${file}, word for word without the first comment`);
    },
  },
];
