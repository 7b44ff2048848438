//! Bounds: every limit of the core in one place, each with its reason.

/// Vendors accept tool names of 1 to 64 of `a-z A-Z 0-9 _ -` (OpenAI and Anthropic; Google allows more).
pub const NAME_CHARS: usize = 64;
/// Bound on names where the host has switched the vendors' rule off.
pub const ANY_NAME_CHARS: usize = 256;
/// The longest description seen on 845 public tools has 13,090 characters.
pub const DESCRIPTION_BYTES: usize = 64 * 1024;
/// The largest schema seen on 845 public tools has about 13 KB.
pub const SCHEMA_BYTES: usize = 256 * 1024;
/// The deepest schema seen on 845 public tools nests 20 levels; readers of JSON often stop at 128.
pub const SCHEMA_DEPTH: usize = 64;
/// Titles, categories, hints, servers and tags are words, not texts.
pub const LABEL_CHARS: usize = 512;
/// Tags of one tool.
pub const TAGS: usize = 64;
/// Texts of each kind in the enrichment of a tool. A model that writes six requests a language fills it with 21 languages.
pub const ENRICHMENT_TEXTS: usize = 128;
/// A request or keyword of an enrichment; 726 tools enriched by a model have at most 110 characters in one.
pub const ENRICHMENT_CHARS: usize = 256;
/// JSON of one `register` or `sync` call. 845 public tools are 1.9 MB.
pub const REGISTER_BYTES: usize = 64 * 1024 * 1024;
/// Bytes that a catalog keeps of its tools by default: names, descriptions, schemas, labels. It is 130 times what 845
/// public tools take, and more than 100,000 tools of 2 KB. With the definitions written for vendors and what the search
/// keeps, a catalog takes six to eight times as much of the 4 GB of wasm.
pub const CATALOG_BYTES: usize = 256 * 1024 * 1024;
/// Ceiling of the host's own limits on bytes: twice the default may take most of the 4 GB that wasm can address.
pub const CATALOG_BYTES_CEILING: usize = 2 * CATALOG_BYTES;
/// Bytes that a catalog keeps of one server's tools by default, so that no server uses up a catalog that it shares. The
/// largest public server measured (235 tools) has 564 KB.
pub const SERVER_BYTES: usize = 64 * 1024 * 1024;
/// A prebuilt index. 1,000 public tools make one of 1.7 MB, so this is more than [`TOOLS_CEILING`] such tools take.
pub const INDEX_BYTES: usize = 512 * 1024 * 1024;
/// Bytes that are kept of one session's answers in which the model can read on. The longest answer that the model reads at once
/// has a sixtieth of them.
pub const SESSION_ANSWERS_BYTES: usize = 8_000_000;
/// Bytes that are kept of such answers for all sessions.
pub const CUT_ANSWERS_BYTES: usize = 32_000_000;
/// Arguments of one call of the model: as many as a list of tools has. Doors bound the requests that bring them.
pub const ARGUMENTS_BYTES: usize = 64 * 1024 * 1024;
/// Tools in a catalog by default; about 25 times the largest catalog measured.
pub const TOOLS: usize = 20_000;
/// Ceiling of the host's own limit on tools.
pub const TOOLS_CEILING: usize = 200_000;
/// Skills among these; about 20 times the largest collection measured.
pub const SKILLS: usize = 10_000;
/// The text of a skill. Authors are advised to stay below 5,000 tokens, which are about 20 KB.
pub const SKILL_BYTES: usize = 256 * 1024;
/// Tools that a skill names.
pub const SKILL_TOOLS: usize = 64;
/// Text of a skill's headings that is indexed.
pub const SKILL_HEADINGS_BYTES: usize = 2 * 1024;
/// Characters of skills that one answer holds: 5,000 tokens. The model reads on in a longer text.
pub const SKILL_CHARS: usize = 20_000;
/// Characters of a skill that the prompt holds where it was found ahead of the first request.
pub const SKILL_AHEAD_CHARS: usize = 800;
/// The path of a file of a skill.
pub const SKILL_PATH_CHARS: usize = 1_024;
/// Sessions kept by default, as one of the published systems keeps them.
pub const SESSIONS: usize = 4_096;
/// Ids of sessions with a scope that are remembered after the sessions were closed. Each takes 9 to 18 bytes.
pub const SCOPED_IDS: usize = 1_000_000;
/// Servers of one session's own, also those that have lost their tools.
pub const OWN_SERVERS: usize = 1_000;
/// Ceiling of the host's own limit on sessions.
pub const SESSIONS_CEILING: usize = 100_000;
/// Tools that a session may hold revealed by default; vendors take 128 to 512 tools in one request.
pub const REVEALED: usize = 512;
/// Ceiling of the host's own limit on revealed tools.
pub const REVEALED_CEILING: usize = 20_000;
/// A record of a session in a store: enough for that many reveals with servers and names of ordinary length.
pub const RECORD_BYTES: usize = 4 * 1024 * 1024;
/// A session id is a key, not a document.
pub const SESSION_ID_CHARS: usize = 256;
/// Tools of one server that have left the catalog and whose names go to no other server.
pub const KEPT_NAMES: usize = 10_000;
/// Entries of one list in the options (names, servers, categories, selectors).
pub const LIST_ENTRIES: usize = 20_000;
/// Names in one `add_tool` call; more than a vendor takes in one request help nobody.
pub const ADD_NAMES: usize = 512;
/// A pattern of the model. One hosted regex search stops at 200 characters; alternations of names need more.
pub const PATTERN_CHARS: usize = 1_000;
/// States of a pattern however little there is to search. A letter is one of them, an alternative or a repetition adds
/// one or two, so this is more than a pattern of [`PATTERN_CHARS`] letters; what grows are counted repetitions.
pub(crate) const PATTERN_STATES: usize = toolsift_pattern::MAX_STATES;
/// States that a pattern may always have: as many letters, or `.{0,100}`. On 1,130 real tools the worst pattern measured
/// at this size took 0.5 s in wasm, most others below 0.2 s.
pub(crate) const PATTERN_STATES_LEAST: usize = 200;
/// States times searched bytes: the engine's worst case is proportional to it, so that in large catalogs only
/// [`PATTERN_STATES_LEAST`] is left to a pattern.
pub(crate) const PATTERN_WORK: usize = 100_000_000;
/// Steps of one search by a pattern over all tools; a step visits one state at one character. The worst pattern takes
/// about 1 s for as many in wasm. Text with which a usual pattern cannot begin takes none, other text up to 10 a
/// byte.
pub(crate) const PATTERN_STEPS: usize = 100_000_000;
/// Text of a query that is looked at where every query is an answerable one; a screen of text has about 2 KB.
pub const QUERY_BYTES: usize = 64 * 1024;
/// A table of translations. One of English and six other languages has 0.4 MB.
pub const TRANSLATION_BYTES: usize = 4 * 1024 * 1024;
/// Words of a query that rankers look at; agents write 3 to 15.
pub const QUERY_WORDS: usize = 1_000;
/// Schemas within one schema whose texts are searched, so that no tool takes all the time there is.
pub const SCHEMA_NODES: usize = 5_000;
/// Text of one tool that is indexed for the search. The largest of 1,130 public tools has 15 KB, so that only texts that no
/// vendor's prompt would take are cut.
pub const INDEXED_BYTES: usize = 64 * 1024;
/// Words that one server's tools may add to the index; of further tools of that server only known words are indexed. 1,130
/// public tools of 44 servers have 5,300 words. A word costs about 100 bytes, so that a server that makes up words takes 10
/// MB of memory, not all.
pub const VOCABULARY: usize = 100_000;
/// Words of the catalog that the unknown words of one query are compared with for typos. 1,130 public tools have at most 534
/// words of one first letter: a query of 12 unknown words compares 6,400 there. At 0.1 µs each this is 10 ms.
pub const REPAIR_COMPARISONS: usize = 100_000;
/// Searches a minute that a host may allow.
pub const RATE_CEILING: usize = 10_000;
/// Tokens that a host may let one search load.
pub const BUDGET_CEILING: usize = 10_000_000;
/// Largest context window in tokens that makes sense to name.
pub const CONTEXT_WINDOW_CEILING: f64 = 1e9;
/// Tools of all scopes whose views are kept: where tools stand and statistics over them. A scope that sees 10,000 tools takes
/// about 4 MB, so that some 32 such scopes are kept. Unit tests reach a smaller bound.
pub(crate) const VIEWED_TOOLS: usize = if cfg!(test) { 40_000 } else { 320_000 };
/// As many tools take what a view of no tools does.
pub(crate) const EMPTY_VIEW_TOOLS: usize = 100;
