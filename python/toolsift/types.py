"""What toolsift takes and gives: plain data, as type checkers see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired, Required, TypeAlias

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
WireFormat: TypeAlias = 'Literal["mcp", "openai", "openai-responses", "anthropic", "google", "bedrock"]'
MessageFormat: TypeAlias = (
    'Literal["openai", "openai-responses", "anthropic", "google", "mcp", "langchain", "bedrock", "pydantic-ai"]'
)
ProfileName: TypeAlias = 'Literal["sift", "search-add", "select", "select-load", "stub", "bridge"]'
Deferral: TypeAlias = 'Literal["never", "automatic", "always"]'
NamePolicy: TypeAlias = 'Literal["strict", "alias", "any"]'
Role: TypeAlias = 'Literal["discovery", "eager", "revealed", "stub"]'
Disclosure: TypeAlias = (
    'Literal["hidden", "servers", "names", "auto", "sentences", "descriptions", "stubs", "short-stubs", "full"]'
)
# Whether every message of the user's is searched before the model is asked, or a session's first one. None is the default:
# "first" with the profile sift, False with the others.
Prefetch: TypeAlias = 'bool | Literal["first"] | None'
Scores: TypeAlias = "Mapping[str, float]"

# Options -------------------------------------------------------------------------------------------------------------


class Scope(TypedDict, total=False):
    """What a session may ever see: servers, and tools as ``"server:tool"``, ``"server:*"`` or the bare name.

    A bare name that tools of several servers have is refused (``name_ambiguous``).
    """

    servers: Sequence[str]
    tools: Sequence[str]


class Budget(TypedDict, total=False):
    """How much a search or ``session.prefetch`` may load, or what ``session.evict`` leaves."""

    tools: int
    tokens: int


class Limits(TypedDict, total=False):
    """Bounds on everything that grows."""

    tools: int
    bytes: int
    server_bytes: int
    sessions: int
    revealed: int
    revealed_tokens: int
    when_full: Literal["refuse", "evict"]


class SearchSettings(TypedDict, total=False):
    """How a search is made."""

    ranker: Literal["pattern", "parts", "overlap", "bm25", "sift"]
    grammar: Literal["plain", "commands", "full"]
    universe: Literal["deferred", "deferrable", "all"]
    cutoff: Literal["none", "half-of-best"]
    hits: int
    max_hits: int
    without: Sequence[str]


class ProfileSettings(TypedDict, total=False):
    """A profile with what only the system has that it follows: its configuration, and categories that sessions start with."""

    name: Required[ProfileName]
    config: Any
    special_categories: Sequence[str]


class ToolSiftOptions(TypedDict, total=False):
    """Options of ``ToolSift``. Any that is not listed here is refused; docs/reference.md says what each does."""

    profile: ProfileName | ProfileSettings
    context_window: int
    count_tokens: Callable[[str], float]
    activation: Literal["on", "off", "auto"] | Mapping[str, float]
    deferral: Literal["opt-in", "opt-out"]
    disclosure: Disclosure
    stub_when: Literal["smaller", "always"]
    reveal: Literal["add", "search", "never"]
    surface: Literal["growing", "constant"]
    budget: Budget
    unrevealed_call: Literal["refuse", "refuse-with-schema", "run", "allow"]
    out_of_scope: Literal["conceal", "tell"]
    pre_discovered: Sequence[str]
    always_available: Sequence[str]
    search: SearchSettings
    searches_per_minute: int
    synonyms: Sequence[Sequence[str]]
    translations: str
    aliases: Mapping[str, str]
    categories: Sequence[str]
    selection: Scope
    limits: Limits


class Enrichment(TypedDict, total=False):
    """What people say for a tool, written by a model once."""

    name: str
    server: str
    hash: str
    queries: Sequence[str]
    keywords: Sequence[str]
    languages: Sequence[str]


class SyncOptions(TypedDict, total=False):
    """How the tools of a server are taken."""

    names: NamePolicy
    deferral: Deferral
    category: str
    enrichment: str | Sequence[Enrichment]


class RegisterOptions(SyncOptions, total=False):
    """How tools are registered."""

    server: str


class SearchOptions(TypedDict, total=False):
    """Options of a search. ``session`` is the id of an open one, in which it is made; ``scores`` are the host's, 0 to 1."""

    limit: int
    session: str
    reasons: bool
    scores: Scores


class SessionOptions(TypedDict, total=False):
    """``scope`` may be left out, and never ``None``: that is refused."""

    scope: Scope | Literal["all"]


class RestoreOptions(SessionOptions, total=False):
    """``replace`` puts the reveals of the snapshot in the place of those that there are."""

    replace: bool


class ToolCall(TypedDict):
    """A call of the model."""

    name: str
    args: NotRequired[Mapping[str, Any] | str | None]


class CallOptions(TypedDict, total=False):
    """What the host says of the turn: the time in milliseconds, the names that the model sees, its own scores."""

    now: float
    visible: Sequence[str] | None
    scores: Scores


# Answers -------------------------------------------------------------------------------------------------------------


class ToolIdentity(TypedDict):
    """A tool by its server and the name under which it was registered."""

    server: str | None
    name: str


class RevealedTool(ToolIdentity):
    """A revealed tool, and the turn of its last use. A skill that was found ahead has its beginning in the prompt."""

    used: int
    skill: NotRequired[bool]
    ahead: NotRequired[bool]


class Snapshot(TypedDict):
    """What a session knows, in the form that every language of toolsift reads."""

    toolsift: int
    id: str
    profile: ProfileName
    # Only in a snapshot of a session with a scope, which ``restore`` needs again.
    scoped: NotRequired[bool]
    turn: int
    revealed: list[RevealedTool]


class Rejected(TypedDict):
    """A tool that was not registered, and why."""

    index: int
    name: str
    code: str
    message: str
    alias: NotRequired[str]


class SchemaChange(TypedDict):
    """A change of a tool's parameters: why, where, what was done, and who would have refused the whole request."""

    rule: Literal["type", "keywords", "arrays", "references", "alternatives", "names"]
    path: str
    change: str
    vendors: list[str]


class Repaired(TypedDict):
    """A tool whose definition was repaired."""

    name: str
    repair: str
    changes: list[SchemaChange]


class EnrichmentReport(TypedDict):
    """How many tools got words, and which entries are of another definition."""

    enriched: int
    stale: list[str]


class PackInfo(TypedDict):
    """A pack: the server whose tools it is for, and of how many it has words."""

    name: str
    tools: int


class MatchedPack(PackInfo):
    """A pack of which some tools were found."""

    matched: int


class PacksFor(TypedDict):
    """The words that packs have for some tools."""

    entries: list[Enrichment]
    packs: list[MatchedPack]


class RegisterReport(TypedDict):
    """What became of tools that were registered, by the names that the model sees."""

    registered: list[str]
    rejected: list[Rejected]
    repaired: list[Repaired]
    enrichment: NotRequired[EnrichmentReport]


class SyncReport(TypedDict):
    """What became of a server's list."""

    added: list[str]
    changed: list[str]
    removed: list[str]
    unchanged: int
    rejected: list[Rejected]
    repaired: list[Repaired]
    enrichment: NotRequired[EnrichmentReport]


class HitPart(TypedDict):
    """Why a tool was found."""

    field: str
    term: str
    matched: str
    how: str
    contribution: float


class Hit(TypedDict):
    """A tool that a search found."""

    name: str
    server: str | None
    description: str
    score: float
    likelihood: NotRequired[float]
    parts: list[HitPart]


class SearchResult(TypedDict):
    """What a search found, best first."""

    query: str
    stage: str
    hits: list[Hit]
    searched: int
    confidence: NotRequired[Literal["high", "low", "none"]]
    over_chance: NotRequired[float | None]
    unknown_words: NotRequired[list[str]]
    closest_servers: NotRequired[list[str]]
    crowded: NotRequired[list[str]]


class Explanation(TypedDict):
    """Why a tool was found, or was not."""

    name: str
    found: bool
    rank: int | None
    score: float
    parts: list[HitPart]
    reason: str


class ToolAnnotations(TypedDict, total=False):
    """What a server says of a tool's effect."""

    read_only_hint: bool
    destructive_hint: bool
    idempotent_hint: bool
    open_world_hint: bool


class TextCost(TypedDict):
    """What a text costs."""

    bytes: int
    tokens: int


class ToolInfo(TypedDict):
    """A tool for people: what it is, its state, what it costs."""

    name: str
    original_name: str
    server: str | None
    own: NotRequired[Literal[True]]
    google_name: NotRequired[str]
    parameter_names: NotRequired[dict[str, str]]
    category: str | None
    title: str | None
    description: str
    deferral: Deferral
    state: Literal["eager", "pinned", "revealed", "deferred", "hidden"]
    annotations: NotRequired[ToolAnnotations]
    skill: NotRequired[Literal[True]]
    bytes: int
    tokens: int
    sent: TextCost


class Cost(TextCost):
    """What tools cost."""

    tools: int


class ServerCost(Cost):
    """What the tools of a server cost; ``sent`` is as the server has them, with what no parameter reaches."""

    server: str | None
    sent: TextCost


class CatalogSize(Cost):
    """What all shared tools cost, and where it comes from; ``sent`` is as their servers have them."""

    sent: TextCost
    servers: list[ServerCost]


class Parts(TypedDict):
    """What a request is made of."""

    discovery: Cost
    eager: Cost
    revealed: Cost
    stubs: Cost
    listing: Cost
    prompt: Cost


class Saved(TextCost):
    """What a request saves against sending everything."""

    share: float


class Prefix(TypedDict):
    """How much of the tools of the request before stands unchanged at the beginning of this one."""

    bytes: int
    share: float


class Size(TypedDict):
    """Bytes and tokens of everything, of this request, and of its parts."""

    full: Cost
    request: Cost
    parts: Parts
    saved: Saved
    prefix: Prefix


class Deferrable(TypedDict):
    """What may be held back, and from when on it is."""

    tools: int
    tokens: int
    threshold_tokens: int


class Assembly(TypedDict):
    """Tools and prompt text for a request: ``tools`` goes to the vendor's SDK as it is."""

    active: bool
    tools: list[dict[str, Any]]
    roles: list[Role]
    system_prompt: str
    size: Size
    deferrable: Deferrable


class HeldBack(TypedDict):
    """A tool that is held back, with its definition in the vendor's form."""

    name: str
    definition: dict[str, Any]


class Result(TypedDict):
    """A discovery tool ran: ``content`` goes back to the model."""

    kind: Literal["result"]
    content: str
    is_error: bool
    error_code: str | None
    revealed: list[str]
    found: list[str]
    described: NotRequired[list[str]]
    withheld: NotRequired[list[str]]
    skills_found: NotRequired[list[str]]
    skills_loaded: NotRequired[list[str]]


class SkillFile(TypedDict):
    """A file of a skill: the name and server under which it was registered, and the path; None for its text."""

    name: str
    server: str | None
    path: str | None


class Dispatch(TypedDict):
    """A real tool is to be run, under the name with which it was registered. With ``skill``, a file of a skill is to be read:
    ``session.read_skill`` answers it."""

    kind: Literal["dispatch"]
    name: str
    server: str | None
    session: NotRequired[str]
    model_name: str
    arguments: dict[str, Any]
    annotations: NotRequired[ToolAnnotations]
    skill: NotRequired[SkillFile]


class HistoryReport(TypedDict):
    """What a conversation changed: what is revealed now and was not, what no more, and what could not be."""

    revealed: list[str]
    concealed: list[str]
    missing: list[str]


class Refusal(TypedDict):
    """Why a call was refused; ``message`` goes back to the model."""

    code: str
    message: str


class Refused(TypedDict):
    """Nothing is to be run."""

    kind: Literal["refused"]
    error: Refusal


Outcome: TypeAlias = "Result | Dispatch | Refused"
