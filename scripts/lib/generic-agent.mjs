/**
 * The tools of a generic agent, written for measuring: files, a shell, the web, time, a todo list, storage, sessions and
 * helpers; 18 of them, so that with the search tool itself an agent carries 19.
 */

const text = (description, more) => ({ type: "string", description, ...more });
const count = (description, minimum, maximum) => ({ type: "integer", description, minimum, maximum });
const flag = (description, standard) => ({ type: "boolean", description, default: standard });
const list = (description, items = { type: "string" }) => ({ type: "array", description, items });

const tool = (name, description, properties, required = []) => ({
  name,
  description,
  inputSchema: { type: "object", properties, required, additionalProperties: false },
});

const path = (what) => text(`${what}, relative to the workspace or absolute inside it`);

export const GENERIC_AGENT = [
  tool(
    "read_file",
    "Reads a text file of the workspace, whole or in part, with line numbers.",
    {
      path: path("The file"),
      offset: count("First line to read, from 1", 1, 10_000_000),
      limit: count("Lines to read; the rest is left out and counted", 1, 5_000),
      encoding: text("How bytes become text", { enum: ["utf-8", "latin-1", "utf-16"] }),
    },
    ["path"],
  ),
  tool(
    "write_file",
    "Writes a text file, creating it and its folders where they are missing.",
    {
      path: path("The file"),
      content: text("The whole new content"),
      overwrite: flag("Whether a file that exists may be replaced", true),
      mode: text("Permissions in octal, such as 0644", { pattern: "^0?[0-7]{3}$" }),
    },
    ["path", "content"],
  ),
  tool(
    "edit_file",
    "Replaces exact passages of a file, all or nothing.",
    {
      path: path("The file"),
      edits: list("Replacements, made one after the other", {
        type: "object",
        properties: {
          old: text("The passage as it stands, with enough around it to be the only one"),
          new: text("What takes its place; empty to delete it"),
          all: flag("Replace every occurrence instead of exactly one", false),
        },
        required: ["old", "new"],
      }),
      dry_run: flag("Only show the difference", false),
    },
    ["path", "edits"],
  ),
  tool(
    "list_directory",
    "Lists a folder with kinds, sizes and times of change.",
    {
      path: path("The folder"),
      depth: count("Levels of folders to go into", 1, 10),
      pattern: text("Only names that fit, such as *.md"),
      hidden: flag("Whether names that begin with a dot are listed", false),
      sort: text("By what", { enum: ["name", "size", "modified"] }),
    },
    ["path"],
  ),
  tool(
    "grep_files",
    "Searches the text of files with a regular expression.",
    {
      pattern: text("The expression, in RE2 syntax"),
      path: path("The file or folder to search"),
      include: list("Only files whose names fit one of these, such as *.ts"),
      ignore_case: flag("Whether upper and lower case are the same", false),
      context: count("Lines to show around each match", 0, 20),
      limit: count("Matches at the most", 1, 1_000),
    },
    ["pattern"],
  ),
  tool(
    "delete_path",
    "Deletes a file or a folder of the workspace.",
    {
      path: path("What to delete"),
      recursive: flag("Needed for folders that are not empty", false),
      reason: text("Why, for the log that the user reads"),
    },
    ["path"],
  ),
  tool(
    "bash",
    "Runs a command in a shell of the sandbox and returns what it printed.",
    {
      command: text("The command line"),
      cwd: path("The folder to run it in"),
      env: { type: "object", description: "Further environment variables", additionalProperties: { type: "string" } },
      timeout: count("Seconds until it is ended", 1, 600),
      background: flag("Return at once and go on running", false),
    },
    ["command"],
  ),
  tool(
    "web_fetch",
    "Fetches a page over HTTP and converts it.",
    {
      url: text("The address", { format: "uri" }),
      method: text("The HTTP method", { enum: ["GET", "HEAD", "POST"] }),
      headers: { type: "object", description: "Request headers", additionalProperties: { type: "string" } },
      body: text("Request body, for POST"),
      as: text("The form of the result", { enum: ["markdown", "text", "html", "json"] }),
      limit: count("Characters at the most", 100, 200_000),
    },
    ["url"],
  ),
  tool(
    "web_search",
    "Searches the web and returns titles, addresses and excerpts.",
    {
      query: text("What to search for"),
      results: count("Results at the most", 1, 20),
      site: text("Only this host"),
      since: text("Only pages newer than this day", { format: "date" }),
      language: text("Two letters, such as en"),
    },
    ["query"],
  ),
  tool("get_current_time", "Tells the date and the time.", {
    timezone: text("An IANA name, such as Europe/Oslo; UTC if left out"),
    format: text("The form", { enum: ["iso", "unix", "long"] }),
  }),
  tool(
    "write_todos",
    "Replaces the list of things to do.",
    {
      todos: list("The whole list, in order", {
        type: "object",
        properties: {
          content: text("What is to be done"),
          status: text("Where it stands", { enum: ["pending", "in_progress", "done", "dropped"] }),
          priority: text("How much it matters", { enum: ["low", "normal", "high"] }),
        },
        required: ["content", "status"],
      }),
    },
    ["todos"],
  ),
  tool(
    "storage_put",
    "Keeps a value beyond the conversation.",
    {
      namespace: text("A group of keys, such as the project's name"),
      key: text("The key", { maxLength: 256 }),
      value: { description: "Any JSON value" },
      ttl: count("Seconds to keep it; for ever if left out", 1, 31_536_000),
      if_absent: flag("Leave a value that is there", false),
    },
    ["namespace", "key", "value"],
  ),
  tool(
    "storage_get",
    "Reads values that were kept.",
    {
      namespace: text("A group of keys, such as the project's name"),
      keys: list("The keys"),
      default: { description: "What to return for keys that are missing" },
    },
    ["namespace", "keys"],
  ),
  tool(
    "storage_list",
    "Lists the keys of a namespace.",
    {
      namespace: text("A group of keys, such as the project's name"),
      prefix: text("Only keys that begin so"),
      cursor: text("Where the page before ended"),
      limit: count("Keys at the most", 1, 1_000),
    },
    ["namespace"],
  ),
  tool("session_info", "Tells about the running conversation: its files, its cost, its limits.", {
    include: list("What to tell", { type: "string", enum: ["files", "usage", "limits", "participants"] }),
    since: text("Only what changed after this time", { format: "date-time" }),
  }),
  tool(
    "session_rename",
    "Gives the conversation a title and labels.",
    {
      title: text("The title", { minLength: 1, maxLength: 120 }),
      labels: list("Labels, replacing those that are there"),
      pinned: flag("Whether it stays on top of the list", false),
    },
    ["title"],
  ),
  tool(
    "spawn_subagent",
    "Starts a helper on a task of its own.",
    {
      task: text("Everything that the helper must know: it sees nothing else"),
      name: text("A short name for it", { pattern: "^[a-z0-9-]{1,40}$" }),
      model: text("How capable it must be", { enum: ["small", "standard", "large"] }),
      tools: list("Names of the tools that it may use; all if left out"),
      budget: count("Tokens that it may spend", 1_000, 1_000_000),
    },
    ["task"],
  ),
  tool(
    "wait_for_subagent",
    "Waits for helpers and returns what they report.",
    {
      names: list("The helpers"),
      mode: text("Until one is done or until all are", { enum: ["any", "all"] }),
      timeout: count("Seconds to wait at the most", 1, 3_600),
    },
    ["names"],
  ),
];
