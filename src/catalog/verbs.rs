//! Lists English verbs by effect, as they occur in names of tools and in requests.

/// Verbs that read.
#[rustfmt::skip]
pub(super) const READS: &[&str] = &[
    "analyze", "browse", "calculate", "check", "compare", "count", "describe", "diff", "display", "enumerate",
    "explain", "explore", "fetch", "find", "get", "inspect", "list", "lookup", "ls", "preview", "query", "read",
    "retrieve", "search", "show", "summarize", "validate", "verify", "view",
];
/// Verbs that add or change something, in any position of a sentence.
#[rustfmt::skip]
pub(super) const WRITES: &[&str] = &[
    "add", "alter", "amend", "append", "approve", "assign", "attach", "buy", "clone", "configure", "create",
    "disable", "duplicate", "edit", "enable", "grant", "insert", "install", "invite", "merge", "modify", "move",
    "patch", "pay", "persist", "prepend", "publish", "purchase", "put", "refund", "register", "rename",
    "replace", "replicate", "save", "send", "submit", "subscribe", "substitute", "update", "upload", "upsert",
    "write",
];
/// Verbs that add or change something, but are also other words: in a request they count only as imperatives.
#[rustfmt::skip]
pub(super) const WRITES_OR_NOUNS: &[&str] = &[
    "archive", "book", "cancel", "change", "charge", "close", "commit", "copy", "deploy", "execute", "import",
    "link", "post", "push", "reply", "restart", "schedule", "set", "share", "stop", "store", "transfer",
    "trigger", "upgrade",
];
/// Words that ask for a change if they are imperatives. In a tool's name they do not show what the tool does.
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
/// Words that ask to remove something as imperatives.
#[rustfmt::skip]
pub(super) const DESTROYING_IMPERATIVES: &[&str] = &[
    "cancel", "clean", "empty", "flush",
];
/// Verbs in tool names that do not show whether the tool reads, writes or deletes.
#[rustfmt::skip]
pub(super) const OTHERS: &[&str] = &[
    "abort", "activate", "allocate", "annotate", "anonymize", "ban", "bind", "block", "boot", "bump", "cast",
    "checkout", "cleanup", "compact", "complete", "confirm", "connect", "cordon", "deactivate", "decline",
    "decommission", "decrypt", "defer", "demote", "deny", "deprecate", "deprovision", "deregister", "detach",
    "disconnect", "dispatch", "drain", "eject", "encrypt", "escalate", "evaluate", "evict", "exec", "expand",
    "expire", "export", "finalize", "finish", "force", "forget", "forward", "freeze", "halt", "handle", "hibernate",
    "hide", "ignore", "initialize", "interact", "interrupt", "invalidate", "isolate", "kick", "leave", "lock",
    "login", "logout", "manage", "map", "migrate", "mount", "mute", "optimize", "overwrite", "pause", "perform",
    "poll", "promote", "quarantine", "reactivate", "reassign", "rebase", "reboot", "rebuild", "recover", "recreate",
    "recycle", "redact", "redeploy", "redo", "refresh", "regenerate", "reindex", "reinstall", "reject", "release",
    "reload", "relocate", "remap", "repair", "repeat", "requeue", "reschedule", "resend", "resize", "resolve",
    "restore", "resume", "retire", "retry", "reveal", "revert", "rollback", "rollout", "rotate", "sanitize",
    "scale", "scan", "seed", "select", "shift", "ship", "shrink", "shutdown", "silence", "skip", "snooze", "squash",
    "stage", "suppress", "suspend", "swap", "switch", "sync", "synchronize", "taint", "test", "throttle", "toggle",
    "transform", "transition", "translate", "turn", "unarchive", "unassign", "unban", "unbind", "unblock",
    "undelete", "undeploy", "undo", "unfollow", "unfreeze", "uninstall", "unlink", "unlock", "unmount", "unmute",
    "unpin", "unpublish", "unregister", "unsubscribe", "unsuspend", "untaint", "vacuum", "void", "wake", "warm",
    "withdraw", "zap",
];
/// Particles of phrasal verbs: *shut down*, *roll back*.
pub(super) const PARTICLES: &[&str] = &["away", "back", "down", "in", "off", "on", "out", "over", "up"];
/// Irregular past forms.
#[rustfmt::skip]
pub(super) const IRREGULAR: &[(&str, &str)] = &[
    ("bought", "buy"), ("found", "find"), ("got", "get"), ("made", "make"), ("paid", "pay"), ("sent", "send"), ("shown", "show"),
    ("wrote", "write"), ("written", "write"),
    // Verbs that may occur in the name of any tool.
    ("began", "begin"), ("begun", "begin"), ("bound", "bind"), ("broke", "break"), ("broken", "break"), ("brought", "bring"),
    ("built", "build"), ("did", "do"), ("done", "do"), ("drew", "draw"), ("drawn", "draw"), ("fed", "feed"),
    ("forgot", "forget"), ("forgotten", "forget"), ("froze", "freeze"), ("frozen", "freeze"), ("gave", "give"),
    ("given", "give"), ("held", "hold"), ("hid", "hide"), ("hidden", "hide"), ("kept", "keep"), ("left", "leave"),
    ("lent", "lend"), ("lost", "lose"), ("ran", "run"), ("rewound", "rewind"), ("sold", "sell"), ("shook", "shake"),
    ("shaken", "shake"), ("spun", "spin"), ("stole", "steal"), ("stolen", "steal"), ("swept", "sweep"), ("taken", "take"),
    ("thrown", "throw"), ("threw", "throw"), ("took", "take"), ("torn", "tear"), ("tore", "tear"), ("undone", "undo"),
    ("withdrew", "withdraw"), ("withdrawn", "withdraw"), ("won", "win"), ("wound", "wind"),
];
