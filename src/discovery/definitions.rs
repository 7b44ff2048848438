//! Defines the discovery tools that the model sees: one list of tools per way of working.

use crate::assembly::Definition;
use crate::catalog::Effect;

use super::surface::{Action, Answer, SurfaceTool};

const fn tool(action: Action, name: &'static str, description: &'static str, parameters: &'static str) -> SurfaceTool {
    SurfaceTool { action, definition: Definition { name, description, parameters } }
}

/// Search by pattern, load by name, list all names.
pub const SEARCH_ADD_SHOW: &[SurfaceTool] = &[
    tool(
        Action::Search(Answer::Names),
        "search_tools",
        "Finds tools by a regular expression over their names and descriptions; upper and lower case are the same. A \
         search does not load anything: load what you need with add_tool.",
        r#"{"type":"object","properties":{"query":{"type":"string","description":"A word or a regular expression, such as weather, create_.*issue or file|folder"}},"required":["query"]}"#,
    ),
    tool(
        Action::Add,
        "add_tool",
        "Loads one or more tools by name, so that you can call them from your next step on. Use it after search_tools \
         has told you their names.",
        r#"{"type":"object","properties":{"tool_names":{"type":"array","items":{"type":"string"},"description":"Exact names, such as [\"read_file\", \"get_weather\"]"}},"required":["tool_names"]}"#,
    ),
    tool(
        Action::ShowAll,
        "show_all_tools",
        "Lists the names of all tools that can be added, without descriptions. To read what a tool does, search for \
         its name.",
        r#"{"type":"object","properties":{}}"#,
    ),
];

/// One search that answers with schemas.
pub const SEARCH_SCHEMAS: &[SurfaceTool] = &[tool(
    Action::Search(Answer::Schemas),
    "ToolSearch",
    "Gets the full definitions of deferred tools, which you need before you can call them: until then you know their \
     names only. Three forms of query: \"select:read_file,write_file\" gets exactly these tools; \"notebook jupyter\" \
     ranks by words; \"+slack send\" ranks only tools that have slack in their name, description or hint.",
    r#"{"type":"object","properties":{"query":{"type":"string","description":"select:<name>[,<name>], words, or words of which some begin with +"},"max_results":{"type":"integer","minimum":1,"maximum":25,"description":"Most matches for words; 5 if left out"}},"required":["query"]}"#,
)];

/// One search that loads what it finds.
pub const SEARCH_LOADS: &[SurfaceTool] = &[tool(
    Action::Search(Answer::Load),
    "ToolSearch",
    "Finds deferred tools and loads them. Deferred tools are listed by name only; calling one that you have not loaded \
     fails, so search first, always. With words (\"slack message\") the best matches, at most five, are loaded and can \
     be called at once: do not select them again. With + before a word (\"+linear create issue\") only tools that have \
     that word are considered, which is right when you know the server. With select: (\"select:<name>\") exactly that \
     tool is loaded; use it when you know the name. Tools that are not deferred need no search, and loading a tool \
     again does no harm.",
    r#"{"type":"object","properties":{"query":{"type":"string","description":"Words, words of which some begin with +, or select:<name>"}},"required":["query"]}"#,
)];

/// One search that restores the schemas of stubs.
pub const SEARCH_RESTORES: &[SurfaceTool] = &[tool(
    Action::Search(Answer::Restore),
    "tool_search",
    "Finds tools by words and loads their parameters. Call it before you use a tool whose parameters are not loaded; \
     the exact name of a tool finds that tool first.",
    r#"{"type":"object","properties":{"query":{"type":"string","description":"Words from a tool's name or description, or its exact name"}},"required":["query"],"additionalProperties":false}"#,
)];

/// Reads on in an answer that was cut. Every profile offers it from the first cut answer of a session on.
pub const READ_CUT_ANSWER: SurfaceTool = tool(
    Action::ReadOn,
    "read_cut_answer",
    "Reads on in an answer that was cut. The end of a cut answer says with which id and from where.",
    r#"{"type":"object","properties":{"id":{"type":"string","description":"The id at the end of the cut answer"},"from":{"type":"integer","minimum":0,"description":"The character to read on from"}},"required":["id","from"]}"#,
);

/// Reads files of skills. Every profile offers it if the session sees a skill with files.
pub const READ_SKILL: SurfaceTool = tool(
    Action::ReadSkill,
    "read_skill",
    "Reads a file that the text of a skill names.",
    r#"{"type":"object","properties":{"skill":{"type":"string","description":"The skill's exact name"},"path":{"type":"string","description":"The file within the skill's folder, as the text has it; leave it out for the text itself"}},"required":["skill"]}"#,
);

/// The parameters of a tool that calls other tools.
const A_CALL: &str = r#"{"type":"object","properties":{"name":{"type":"string","description":"The tool's exact name"},"arguments":{"type":"object","description":"The tool's arguments"}},"required":["name","arguments"]}"#;

/// Search, describe, and call through a bridge.
pub const BRIDGE: &[SurfaceTool] = &[
    tool(
        Action::Search(Answer::Bridge),
        "tool_search",
        "Searches {deferred} more tools that are available on demand. Find one here, read its parameters with \
         tool_describe, then run it with tool_call. Tools that you see directly need none of this.",
        r#"{"type":"object","properties":{"query":{"type":"string","description":"Words that say what you need"},"limit":{"type":"integer","description":"Most matches"}},"required":["query"]}"#,
    ),
    tool(
        Action::Describe,
        "tool_describe",
        "Shows the description and the parameters of one tool that tool_search found.",
        r#"{"type":"object","properties":{"name":{"type":"string","description":"The tool's exact name"}},"required":["name"]}"#,
    ),
    tool(
        Action::Forward(Effect::Destroy),
        "tool_call",
        "Runs one tool that tool_search found, with arguments that fit the parameters that tool_describe showed.",
        A_CALL,
    ),
];

/// Search that loads the tools that fit, load by name, and list names.
pub const SEARCH_OR_ADD: &[SurfaceTool] = &[
    tool(
        Action::Search(Answer::Ranked),
        "search_tools",
        "Finds tools that are not loaded yet and loads those that fit; others are listed. Say what you want to do, in plain \
         words; several things at once are fine. Also understood: exact names, +word (must have), -word (must not), \
         server:name. The same query again shows further matches.",
        r#"{"type":"object","properties":{"query":{"type":"string","description":"What you need, such as create a ticket, or read file and send email"}},"required":["query"]}"#,
    ),
    tool(
        Action::Add,
        "add_tool",
        "Loads tools by their exact names, so that you can call them from your next step on.",
        r#"{"type":"object","properties":{"tool_names":{"type":"array","items":{"type":"string"},"description":"Exact names"}},"required":["tool_names"]}"#,
    ),
    tool(
        Action::Browse,
        "show_all_tools",
        "Lists the names of all tools that can be loaded, or of one server's. Search is the better way to find one.",
        r#"{"type":"object","properties":{"server":{"type":"string","description":"Only this server's"}}}"#,
    ),
];

/// Search that answers with schemas, and a calling tool for each effect: a tool list that never changes.
pub const SEARCH_AND_CALL: &[SurfaceTool] = &[
    tool(
        Action::Search(Answer::Callable),
        "search_tools",
        "Finds tools that are not in your list. Say what you want to do, in plain words; several things at once are fine. The \
         answer has the parameters of those that fit, and which tool calls each; others are named. Also understood: exact \
         names, +word (must have), -word (must not), server:name. The same query again shows further matches.",
        r#"{"type":"object","properties":{"query":{"type":"string","description":"What you need, such as create a ticket, or read file and send email"}},"required":["query"]}"#,
    ),
    tool(
        Action::Forward(Effect::Read),
        "call_read_only_tool",
        "Calls a tool that search_tools found and that only reads.",
        A_CALL,
    ),
    tool(
        Action::Forward(Effect::Write),
        "call_tool",
        "Calls a tool that search_tools found and that adds or changes, but deletes nothing.",
        A_CALL,
    ),
    tool(
        Action::Forward(Effect::Destroy),
        "call_destructive_tool",
        "Calls a tool that search_tools found and that may delete or overwrite, or does not say what it does.",
        A_CALL,
    ),
];
