//! Defines every limit of the core in one place, each with its reason.

/// Characters of a tool's name. OpenAI and Anthropic accept names of 1 to 64 of `a-z A-Z 0-9 _ -`; Google allows more.
pub const NAME_CHARS: usize = 64;
/// Characters of a tool's name if the host has switched the vendors' rule off.
pub const ANY_NAME_CHARS: usize = 256;
/// Bytes of a description. The longest of 845 public tools has 13,090 characters.
pub const DESCRIPTION_BYTES: usize = 64 * 1024;
/// Bytes of a schema. The largest of 845 public tools has about 13 KB.
pub const SCHEMA_BYTES: usize = 256 * 1024;
/// Levels of a schema. The deepest of 845 public tools has 20; JSON parsers often stop at 128.
pub const SCHEMA_DEPTH: usize = 64;
/// Characters of a title, category, hint, server or tag: these are short labels.
pub const LABEL_CHARS: usize = 512;
/// Tags of one tool.
pub const TAGS: usize = 64;
/// Texts of each kind in the enrichment of a tool. A model that writes six requests per language reaches it with 21
/// languages.
pub const ENRICHMENT_TEXTS: usize = 128;
/// Characters of a request or keyword of an enrichment. The longest of 726 tools enriched by a model has 110.
pub const ENRICHMENT_CHARS: usize = 256;
/// Search words of one tool that its server may write, queries and keywords together.
pub const SERVER_WORDS: usize = 32;
/// Characters of all these words together.
pub const SERVER_WORDS_CHARS: usize = 2_000;
/// Bytes of JSON in one `register` or `sync` call. 845 public tools are 1.9 MB.
pub const REGISTER_BYTES: usize = 64 * 1024 * 1024;
/// Bytes that a catalog keeps of its tools by default: names, descriptions, schemas, labels. This is 130 times as much
/// as 845 public tools take, and more than 100,000 tools of 2 KB. With the definitions written for vendors and the data
/// of the search, a catalog takes six to eight times as much of the 4 GB of wasm.
pub const CATALOG_BYTES: usize = 256 * 1024 * 1024;
/// Ceiling of the host's own limits on bytes. A catalog of twice the default may take most of the 4 GB that wasm can
/// address.
pub const CATALOG_BYTES_CEILING: usize = 2 * CATALOG_BYTES;
/// Bytes that a catalog keeps of one server's tools by default, so that one server cannot fill a catalog that it
/// shares. The largest public server measured (235 tools) has 564 KB.
pub const SERVER_BYTES: usize = 64 * 1024 * 1024;
/// Bytes of a prebuilt index. 1,000 public tools take 1.7 MB, so this is more than [`TOOLS_CEILING`] such tools take.
pub const INDEX_BYTES: usize = 512 * 1024 * 1024;
/// Bytes kept of the cut answers of one session, in which the model can read on. The longest answer that the model
/// reads in one step has a sixtieth of this.
pub const SESSION_ANSWERS_BYTES: usize = 8_000_000;
/// Bytes kept of the cut answers of all sessions.
pub const CUT_ANSWERS_BYTES: usize = 32_000_000;
/// Bytes of the arguments of one call: the same limit as for a list of tools.
pub const ARGUMENTS_BYTES: usize = 64 * 1024 * 1024;
/// Tools in a catalog by default; about 25 times the largest catalog measured.
pub const TOOLS: usize = 20_000;
/// Ceiling of the host's own limit on tools.
pub const TOOLS_CEILING: usize = 200_000;
/// Skills in a catalog; about 20 times the largest collection measured.
pub const SKILLS: usize = 10_000;
/// Bytes of the text of a skill. Authors are advised to stay below 5,000 tokens, which are about 20 KB.
pub const SKILL_BYTES: usize = 256 * 1024;
/// Tools that a skill names.
pub const SKILL_TOOLS: usize = 64;
/// Bytes of a skill's headings that are indexed.
pub const SKILL_HEADINGS_BYTES: usize = 2 * 1024;
/// Characters of skills in one answer: 5,000 tokens. The model reads on in a longer text.
pub const SKILL_CHARS: usize = 20_000;
/// Characters that the prompt has of a skill that was found before the first request.
pub const SKILL_AHEAD_CHARS: usize = 800;
/// Characters in the path of a skill's file.
pub const SKILL_PATH_CHARS: usize = 1_024;
/// Sessions kept by default; one of the published systems has the same limit.
pub const SESSIONS: usize = 4_096;
/// Ids of closed sessions with a scope that are remembered. Each takes 9 to 18 bytes.
pub const SCOPED_IDS: usize = 1_000_000;
/// Servers of a session's own, including those without tools.
pub const OWN_SERVERS: usize = 1_000;
/// Ceiling of the host's own limit on sessions.
pub const SESSIONS_CEILING: usize = 100_000;
/// Tools that a session may have loaded by default; vendors accept 128 to 512 tools in one request.
pub const REVEALED: usize = 512;
/// Ceiling of the host's own limit on loaded tools.
pub const REVEALED_CEILING: usize = 20_000;
/// Bytes of a session's record in a store: enough for [`REVEALED_CEILING`] tools with servers and names of ordinary
/// length.
pub const RECORD_BYTES: usize = 4 * 1024 * 1024;
/// Characters of a session id.
pub const SESSION_ID_CHARS: usize = 256;
/// Tools of one server that have left the catalog and whose names are kept for that server.
pub const KEPT_NAMES: usize = 10_000;
/// Entries of one list in the options (names, servers, categories, selectors).
pub const LIST_ENTRIES: usize = 20_000;
/// Names in one `add_tool` call: no vendor accepts more tools in one request.
pub const ADD_NAMES: usize = 512;
/// Characters of a pattern of the model. One hosted regex search stops at 200; alternations of names need more.
pub const PATTERN_CHARS: usize = 1_000;
/// The maximum number of states of a pattern, however few bytes are searched. A letter is one state; an alternative or
/// a repetition adds one or two. A pattern of [`PATTERN_CHARS`] letters stays below this, so only counted repetitions
/// exceed it.
pub(crate) const PATTERN_STATES: usize = toolsift_pattern::MAX_STATES;
/// States that a pattern may always have: as many letters, or `.{0,100}`. On 1,130 public tools the worst pattern
/// measured at this size took 0.5 s in wasm, most others below 0.2 s.
pub(crate) const PATTERN_STATES_LEAST: usize = 200;
/// States times searched bytes. The engine's worst case is proportional to this product, so that in large catalogs a
/// pattern may have only [`PATTERN_STATES_LEAST`] states.
pub(crate) const PATTERN_WORK: usize = 100_000_000;
/// Steps of one search by a pattern over all tools; a step visits one state at one character. The worst pattern takes
/// about 1 s for this number in wasm. Text that a usual pattern does not match takes nearly no steps, other text up to
/// 10 per byte.
pub(crate) const PATTERN_STEPS: usize = 100_000_000;
/// Bytes of a query that are read by rankers that accept any query; a screen of text has about 2 KB.
pub const QUERY_BYTES: usize = 64 * 1024;
/// Bytes of a table of translations. A table of English and six other languages has 0.4 MB.
pub const TRANSLATION_BYTES: usize = 4 * 1024 * 1024;
/// Words of a query that rankers read; agents write 3 to 15.
pub const QUERY_WORDS: usize = 1_000;
/// Schemas within one schema whose texts are searched, so that one tool cannot take too much time.
pub const SCHEMA_NODES: usize = 5_000;
/// Bytes of one tool that are indexed for the search. The largest of 1,130 public tools has 15 KB, so that only texts
/// too long for any vendor's prompt are cut.
pub const INDEXED_BYTES: usize = 64 * 1024;
/// Words that one server's tools may add to the index; after that, only known words of its tools are indexed. 1,130
/// public tools of 44 servers have 5,300 words. A word costs about 100 bytes, so that a server that makes up words
/// takes at most 10 MB of memory.
pub const VOCABULARY: usize = 100_000;
/// Words of the catalog that the unknown words of one query are compared with to find typos. 1,130 public tools have at
/// most 534 words with the same first letter: there, a query of 12 unknown words makes 6,400 comparisons. At 0.1 µs
/// each, the limit is 10 ms.
pub const REPAIR_COMPARISONS: usize = 100_000;
/// The most searches per minute that a host may allow.
pub const RATE_CEILING: usize = 10_000;
/// The most tokens that a host may let one search load.
pub const BUDGET_CEILING: usize = 10_000_000;
/// The largest context window that an option may give, in tokens.
pub const CONTEXT_WINDOW_CEILING: f64 = 1e9;
/// Tools of all views that are kept, summed over the scopes. A view has the places of its tools and statistics. A scope
/// that sees 10,000 tools takes about 4 MB, so that about 32 such scopes are kept. Unit tests use a smaller limit.
pub(crate) const VIEWED_TOOLS: usize = if cfg!(test) { 40_000 } else { 320_000 };
/// A view without tools takes as much memory as this number of tools.
pub(crate) const EMPTY_VIEW_TOOLS: usize = 100;
