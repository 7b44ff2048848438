//! Errors: one type with a stable code and a message that names the value and the limit.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

/// The result of everything that can fail.
pub type Result<T> = std::result::Result<T, Error>;

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $text:literal,)*) => {
        /// What kind of error it is. The text form is stable and is what JavaScript sees as `error.code`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorCode { $($(#[$doc])* $variant,)* }

        impl ErrorCode {
            /// Every code of the core, in alphabetical order.
            pub const ALL: &[ErrorCode] = &[$(ErrorCode::$variant,)*];

            /// The stable text form.
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
    /// Arguments that a bridge call passes on are JSON, but no object.
    ArgumentsNotObject = "arguments_not_object",
    /// A bridge call was asked to call the bridge.
    BridgeRecursion = "bridge_recursion",
    /// The catalog holds as many tools as its limit allows.
    CatalogFull = "catalog_full",
    /// The catalog keeps as many bytes of tools as its limit allows.
    CatalogTooLarge = "catalog_too_large",
    /// The host's token counter threw or did not return a count.
    CounterFailed = "counter_failed",
    /// A description is longer than the limit.
    DescriptionTooLong = "description_too_long",
    /// A server already has a tool of that name.
    DuplicateTool = "duplicate_tool",
    /// An enrichment cannot be read.
    EnrichmentInvalid = "enrichment_invalid",
    /// The messages of a conversation hold no answered call in the format that was named, but in another.
    FormatMismatch = "format_mismatch",
    /// Bytes are no prebuilt index, or were cut short or altered.
    IndexInvalid = "index_invalid",
    /// A prebuilt index was built by another version, or of other tools or with other options than are asked for.
    IndexStale = "index_stale",
    /// A number is outside the range that its limit allows.
    LimitOutOfRange = "limit_out_of_range",
    /// The JSON of one list of tools is larger than the limit.
    ListTooLarge = "list_too_large",
    /// The messages of a conversation cannot be read.
    MessagesInvalid = "messages_invalid",
    /// A bare name in a list of the host's is that of tools of several servers.
    NameAmbiguous = "name_ambiguous",
    /// A name is empty.
    NameEmpty = "name_empty",
    /// A discovery tool was called without the name that it needs.
    NameRequired = "name_required",
    /// A name is that of a discovery tool.
    NameReserved = "name_reserved",
    /// A name is longer than the limit.
    NameTooLong = "name_too_long",
    /// A name has characters that vendors refuse.
    NameUnsafe = "name_unsafe",
    /// A search was made before anything was registered.
    NoRegistry = "no_registry",
    /// A query holds nothing that could be scored.
    NoScorableTerms = "no_scorable_terms",
    /// A search was made in a turn whose list of visible tools is missing.
    NoVisibleTools = "no_visible_tools",
    /// A tool can be held back, but is not within reach of this session.
    NotCurrentlyAvailable = "not_currently_available",
    /// A tool is never held back or does not exist, so that the bridge does not call it.
    NotDeferrable = "not_deferrable",
    /// A text is not valid JSON.
    NotJson = "not_json",
    /// Two options cannot work together.
    OptionConflict = "option_conflict",
    /// An option has the wrong type or an unknown value.
    OptionInvalid = "option_invalid",
    /// There is no option of that name.
    OptionUnknown = "option_unknown",
    /// A bridge call was asked for a tool outside of what the session may see.
    OutOfSessionScope = "out_of_session_scope",
    /// A search pattern is not a valid regular expression, or is too large.
    PatternInvalid = "pattern_invalid",
    /// A query is blank.
    QueryEmpty = "query_empty",
    /// A query is missing or no text.
    QueryMissing = "query_missing",
    /// A query is missing, blank or no text.
    QueryRequired = "query_required",
    /// A ranker of a host that is a Rust program failed or returned a number that is no score.
    RankerFailed = "ranker_failed",
    /// A session has searched as often as it may for now.
    RateLimited = "rate_limited",
    /// The session holds as many revealed tools as its limit allows.
    RevealedFull = "revealed_full",
    /// Parameters are not the JSON Schema of an object.
    SchemaInvalid = "schema_invalid",
    /// A schema is larger or deeper than the limit.
    SchemaTooLarge = "schema_too_large",
    /// A session is opened without a scope, and the one of that id saw less than everything before it was closed.
    ScopeRequired = "scope_required",
    /// A server keeps as many bytes of tools as its limit allows.
    ServerTooLarge = "server_too_large",
    /// A session is not open: it was never opened, or it was closed or evicted.
    SessionClosed = "session_closed",
    /// A session id is empty or longer than the limit.
    SessionIdInvalid = "session_id_invalid",
    /// A skill has neither a text nor a reader.
    SkillInvalid = "skill_invalid",
    /// A file of a skill is asked for by a path that leads out of its folder.
    SkillPathInvalid = "skill_path_invalid",
    /// The text of a skill is longer than the limit, or it names more tools.
    SkillTooLarge = "skill_too_large",
    /// The catalog holds as many skills as its limit allows, or the profile has none.
    SkillsFull = "skills_full",
    /// A snapshot is of an unknown version or shape.
    SnapshotInvalid = "snapshot_invalid",
    /// What a store has in the place of a session's record is none.
    StoreGarbled = "store_garbled",
    /// A text holds half of a surrogate pair.
    TextInvalid = "text_invalid",
    /// Tools are to be added, and none was named.
    ToolNamesRequired = "tool_names_required",
    /// A deferred tool was called before it was loaded.
    ToolNotRevealed = "tool_not_revealed",
    /// A tool is outside what the session may see.
    ToolOutOfScope = "tool_out_of_scope",
    /// A definition has none of the shapes that are read.
    ToolShapeUnknown = "tool_shape_unknown",
    /// There is no tool of that name.
    ToolUnknown = "tool_unknown",
    /// A call came through a tool that stands for less than the called tool may do.
    WrongCaller = "wrong_caller",
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl serde::Serialize for ErrorCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// An error: a stable code, and a message for people (and models) that names the offending value and the limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Detail>);

/// What an error holds. It stands behind a pointer, so that a `Result` stays as small as what it holds.
#[derive(Clone, Debug)]
struct Detail {
    code: ErrorCode,
    message: String,
    alias: Option<String>,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

/// Errors are equal that say the same; a source says it in the message.
impl PartialEq for Detail {
    fn eq(&self, other: &Self) -> bool {
        (self.code, &self.message, &self.alias) == (other.code, &other.message, &other.alias)
    }
}

impl Eq for Detail {}

impl Error {
    /// An error of a kind, for crates that connect toolsift with others.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Error(Box::new(Detail { code, message: message.into(), alias: None, source: None }))
    }

    pub(crate) fn with_alias(mut self, alias: String) -> Self {
        self.0.alias = Some(alias);
        self
    }

    /// With the error that it comes from.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(Arc::from(source.into()));
        self
    }

    /// What kind of error it is.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// The message, without the code.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// For a refused name: one that every vendor accepts.
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

/// The start of a text, quoted, for use in a message: at most 80 characters of it.
pub(crate) fn excerpt(text: &str) -> String {
    format!("{:?}", excerpt_json(text))
}

/// The start of a text that is JSON, and so quotes its strings itself.
pub(crate) fn excerpt_json(json: &str) -> String {
    const SHOWN_CHARS: usize = 80;
    let mut text: String = json.chars().take(SHOWN_CHARS).collect();
    if text.len() < json.len() {
        text.push('…');
    }
    text
}
