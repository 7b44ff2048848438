//! Defines the error type: a stable code, and a message that names the value and the limit.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;

/// The result type of every function that can fail.
pub type Result<T> = std::result::Result<T, Error>;

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $text:literal,)*) => {
        /// The kind of an error. JavaScript sees its stable text form as `error.code`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
        #[non_exhaustive]
        pub enum ErrorCode { $($(#[$doc])* #[serde(rename = $text)] $variant,)* }

        impl ErrorCode {
            /// Every code of the core, in alphabetical order.
            pub const ALL: &[ErrorCode] = &[$(ErrorCode::$variant,)*];

            /// Returns the stable text form.
            pub const fn as_str(self) -> &'static str {
                match self { $(ErrorCode::$variant => $text,)* }
            }
        }
    };
}

codes! {
    /// An alias is empty or points to itself.
    AliasInvalid = "alias_invalid",
    /// Arguments of a call are not a JSON object.
    ArgumentsInvalid = "arguments_invalid",
    /// Arguments that a bridge call passes on as text are not JSON.
    ArgumentsNotJson = "arguments_not_json",
    /// Arguments that a bridge call passes on are JSON, but not an object.
    ArgumentsNotObject = "arguments_not_object",
    /// A bridge call was asked to call the bridge.
    BridgeRecursion = "bridge_recursion",
    /// The catalog already has as many tools as its limit allows.
    CatalogFull = "catalog_full",
    /// The tools of the catalog would take more bytes than its limit allows.
    CatalogTooLarge = "catalog_too_large",
    /// The host's token counter threw or did not return a count.
    CounterFailed = "counter_failed",
    /// A description is longer than the limit.
    DescriptionTooLong = "description_too_long",
    /// A server already has a tool with this name.
    DuplicateTool = "duplicate_tool",
    /// An enrichment cannot be read.
    EnrichmentInvalid = "enrichment_invalid",
    /// The messages of a conversation have no answered call in the named format, but have one in another format.
    FormatMismatch = "format_mismatch",
    /// The bytes are not a prebuilt index, or were cut short or altered.
    IndexInvalid = "index_invalid",
    /// A prebuilt index was built by another version, from other tools or with other options.
    IndexStale = "index_stale",
    /// A number is outside the range that its limit allows.
    LimitOutOfRange = "limit_out_of_range",
    /// The JSON of one list of tools is larger than the limit.
    ListTooLarge = "list_too_large",
    /// The messages of a conversation cannot be read.
    MessagesInvalid = "messages_invalid",
    /// A name in a list of the host is ambiguous: tools of several servers have it.
    NameAmbiguous = "name_ambiguous",
    /// A name is empty.
    NameEmpty = "name_empty",
    /// A discovery tool was called without the name that it needs.
    NameRequired = "name_required",
    /// A name is reserved for a discovery tool.
    NameReserved = "name_reserved",
    /// A name is longer than the limit.
    NameTooLong = "name_too_long",
    /// A name has characters that some vendors refuse.
    NameUnsafe = "name_unsafe",
    /// A search was made before anything was registered.
    NoRegistry = "no_registry",
    /// A query has no term that can be scored.
    NoScorableTerms = "no_scorable_terms",
    /// A search was made in a turn whose list of visible tools is missing.
    NoVisibleTools = "no_visible_tools",
    /// A tool can be deferred, but this session cannot reach it.
    NotCurrentlyAvailable = "not_currently_available",
    /// The bridge does not call this tool, because the tool does not exist or is never deferred.
    NotDeferrable = "not_deferrable",
    /// A text is not valid JSON.
    NotJson = "not_json",
    /// Two options cannot work together.
    OptionConflict = "option_conflict",
    /// An option has the wrong type or an unknown value.
    OptionInvalid = "option_invalid",
    /// No option has this name.
    OptionUnknown = "option_unknown",
    /// A bridge call named a tool that is outside the session's scope.
    OutOfSessionScope = "out_of_session_scope",
    /// A search pattern is not a valid regular expression, or is too large.
    PatternInvalid = "pattern_invalid",
    /// A query is blank.
    QueryEmpty = "query_empty",
    /// A query is missing or not text.
    QueryMissing = "query_missing",
    /// A query is missing, blank or not text.
    QueryRequired = "query_required",
    /// The ranker of a host written in Rust failed, or returned a number that is not a score.
    RankerFailed = "ranker_failed",
    /// A session has used up its searches for now.
    RateLimited = "rate_limited",
    /// The session has loaded as many tools as its limit allows.
    RevealedFull = "revealed_full",
    /// Parameters are not a JSON Schema of an object.
    SchemaInvalid = "schema_invalid",
    /// A schema is larger or deeper than the limit.
    SchemaTooLarge = "schema_too_large",
    /// A session is opened without a scope, but a closed session with the same id had a narrower scope than everything.
    ScopeRequired = "scope_required",
    /// The tools of one server would take more bytes than its limit allows.
    ServerTooLarge = "server_too_large",
    /// A session is not open: it was never opened, or it was closed or evicted.
    SessionClosed = "session_closed",
    /// A session id is empty or longer than the limit.
    SessionIdInvalid = "session_id_invalid",
    /// A skill has neither a text nor a reader.
    SkillInvalid = "skill_invalid",
    /// The path of a requested skill file leads out of the skill's folder.
    SkillPathInvalid = "skill_path_invalid",
    /// The text of a skill is longer than the limit, or the skill names more tools than the limit.
    SkillTooLarge = "skill_too_large",
    /// The catalog has as many skills as its limit allows, or the profile does not support skills.
    SkillsFull = "skills_full",
    /// A snapshot is of an unknown version or shape.
    SnapshotInvalid = "snapshot_invalid",
    /// A store returned data for a session that is not a session record.
    StoreGarbled = "store_garbled",
    /// A text holds half of a surrogate pair.
    TextInvalid = "text_invalid",
    /// A call to add tools named no tool.
    ToolNamesRequired = "tool_names_required",
    /// A deferred tool was called before it was loaded.
    ToolNotRevealed = "tool_not_revealed",
    /// A tool is outside the session's scope.
    ToolOutOfScope = "tool_out_of_scope",
    /// A definition has none of the supported shapes.
    ToolShapeUnknown = "tool_shape_unknown",
    /// No tool has this name.
    ToolUnknown = "tool_unknown",
    /// A call came through a calling tool whose declared effect does not cover the called tool.
    WrongCaller = "wrong_caller",
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An error: a stable code, and a message for people (and models) that names the offending value and the limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Detail>);

/// The fields of an error. They are boxed, so that a `Result` stays small.
#[derive(Clone, Debug)]
struct Detail {
    code: ErrorCode,
    message: String,
    alias: Option<String>,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

/// Two errors are equal if code, message and alias are equal. The source is not compared: the message already describes
/// it.
impl PartialEq for Detail {
    fn eq(&self, other: &Self) -> bool {
        (self.code, &self.message, &self.alias) == (other.code, &other.message, &other.alias)
    }
}

impl Eq for Detail {}

impl Error {
    /// Makes an error with this code, for crates that connect toolsift with others.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Error(Box::new(Detail { code, message: message.into(), alias: None, source: None }))
    }

    pub(crate) fn with_alias(mut self, alias: String) -> Self {
        self.0.alias = Some(alias);
        self
    }

    /// Adds the error that caused this one.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(Arc::from(source.into()));
        self
    }

    /// Returns the code.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// Returns the message, without the code.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns a name that every vendor accepts, if this error refuses a name.
    pub fn alias(&self) -> Option<&str> {
        self.0.alias.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.0.message, self.0.code)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

/// Returns the first 80 characters of a text, quoted, for use in a message.
pub(crate) fn excerpt(text: &str) -> String {
    format!("{:?}", excerpt_json(text))
}

/// Returns the first 80 characters of a JSON text, which already quotes its strings.
pub(crate) fn excerpt_json(json: &str) -> String {
    const SHOWN_CHARS: usize = 80;
    let mut text: String = json.chars().take(SHOWN_CHARS).collect();
    if text.len() < json.len() {
        text.push('…');
    }
    text
}
