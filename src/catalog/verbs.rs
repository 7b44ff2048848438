//! English verbs by what they do, as they stand in the names of tools and in requests.

/// Verbs that read.
#[rustfmt::skip]
pub(super) const READS: &[&str] = &[
    "analyze", "browse", "calculate", "check", "compare", "count", "describe", "diff", "display", "enumerate",
    "explain", "explore", "fetch", "find", "get", "inspect", "list", "lookup", "ls", "preview", "query", "read",
    "retrieve", "search", "show", "summarize", "validate", "verify", "view",
];
/// Verbs that add or change something, also inside a sentence.
#[rustfmt::skip]
pub(super) const WRITES: &[&str] = &[
    "add", "alter", "amend", "append", "approve", "assign", "attach", "buy", "clone", "configure", "create",
    "disable", "duplicate", "edit", "enable", "grant", "insert", "install", "invite", "merge", "modify", "move",
    "patch", "pay", "persist", "prepend", "publish", "purchase", "put", "refund", "register", "rename",
    "replace", "replicate", "save", "send", "submit", "subscribe", "substitute", "update", "upload", "upsert",
    "write",
];
/// Verbs that add or change something and are other words as well: in a request they count only as imperatives.
#[rustfmt::skip]
pub(super) const WRITES_OR_NOUNS: &[&str] = &[
    "archive", "book", "cancel", "change", "charge", "close", "commit", "copy", "deploy", "execute", "import",
    "link", "post", "push", "reply", "restart", "schedule", "set", "share", "stop", "store", "transfer",
    "trigger", "upgrade",
];
/// Words that as imperatives ask for a change, and that say little in the name of a tool.
#[rustfmt::skip]
pub(super) const IMPERATIVES: &[&str] = &[
    "accept", "apply", "begin", "build", "call", "click", "comment", "compose", "convert", "dismiss", "draft",
    "drag", "drive", "email", "file", "fill", "fix", "generate", "go", "hover", "invoke", "label", "launch",
    "log", "mail", "make", "mark", "message", "navigate", "new", "note", "open", "order", "pin", "press",
    "provision", "raise", "record", "report", "run", "scroll", "sign", "start", "tag", "tap", "text", "track",
    "type", "visit",
];
/// Verbs that remove something.
#[rustfmt::skip]
pub(super) const DESTROYS: &[&str] = &[
    "clear", "delete", "destroy", "discard", "drop", "erase", "kill", "prune", "purge", "remove", "reset",
    "revoke", "rm", "terminate", "trash", "truncate", "uninstall", "wipe",
];
/// Words that as imperatives ask to remove something.
#[rustfmt::skip]
pub(super) const DESTROYING_IMPERATIVES: &[&str] = &[
    "cancel", "clean", "empty", "flush",
];
/// Past forms that no ending makes.
pub(super) const IRREGULAR: &[(&str, &str)] = &[
    ("bought", "buy"),
    ("found", "find"),
    ("got", "get"),
    ("made", "make"),
    ("paid", "pay"),
    ("sent", "send"),
    ("shown", "show"),
    ("wrote", "write"),
    ("written", "write"),
];
