/** The settings on the page: the library's axes, flat and as form fields hold them, and what each value is called. */
import {
  ToolSift,
  type Activation,
  type Disclosure,
  type ProfileInfo,
  type ProfileName,
  type Reveal,
  type ToolSiftOptions,
  type UnrevealedCall,
  type WireFormat,
} from "toolsift";

export type ActivationMode = "profile" | "on" | "off" | "tools" | "share";

/** An empty text means: as the profile has it. */
export interface Settings {
  profile: ProfileName;
  activation: ActivationMode;
  /** For `tools`: on from so many. */
  fromTools: number;
  /** For `share`: on from so many per cent of the context window. */
  fromPercent: number;
  disclosure: Disclosure | "";
  reveal: Reveal | "";
  unrevealedCall: UnrevealedCall | "";
  /** Names of tools that every session starts with. */
  preDiscovered: string[];
  /** Hits of a search; null leaves it to the profile. */
  searchLimit: number | null;
  /** Tokens; null leaves it unsaid. */
  contextWindow: number | null;
  format: WireFormat;
}

export type SettingKey = keyof Settings;

export const ACTIVATIONS: Record<ActivationMode, string> = {
  profile: "As the profile has it",
  on: "Always on",
  off: "Off: send everything",
  tools: "On from a number of tools",
  share: "On from a share of the window",
};

export const DISCLOSURES: Record<Disclosure, string> = {
  hidden: "Nothing",
  names: "Names in the prompt",
  sentences: "Names and first sentences",
};

export const REVEALS: Record<Reveal, string> = {
  add: "Adding it by name",
  search: "The search that finds it",
};

export const UNREVEALED_CALLS: Record<UnrevealedCall, string> = {
  refuse: "Refused, with the way to load it",
  "refuse-with-schema": "Refused, with its schema; loaded",
  run: "Loaded and run",
};

export function profileOf(name: ProfileName): ProfileInfo {
  const profile = ToolSift.profiles().find((row) => row.name === name);
  if (!profile) throw new Error(`no profile "${name}"`);
  return profile;
}

export function defaultSettings(): Settings {
  return {
    profile: defaultProfile(),
    activation: "profile",
    fromTools: 30,
    fromPercent: 10,
    disclosure: "",
    reveal: "",
    unrevealedCall: "",
    preDiscovered: [],
    searchLimit: null,
    contextWindow: 200_000,
    format: "mcp",
  };
}

/** Asked of the library, whose choice it is. */
function defaultProfile(): ProfileName {
  const sift = new ToolSift();
  const { profile } = sift.session().snapshot();
  sift.dispose();
  return profile;
}

export function optionsOf(settings: Settings): ToolSiftOptions {
  const options: ToolSiftOptions = { profile: settings.profile, preDiscovered: settings.preDiscovered };
  const activation = activationOf(settings);
  if (activation !== null) options.activation = activation;
  if (settings.disclosure) options.disclosure = settings.disclosure;
  if (settings.reveal) options.reveal = settings.reveal;
  if (settings.unrevealedCall) options.unrevealedCall = settings.unrevealedCall;
  if (settings.searchLimit !== null) options.searchLimit = settings.searchLimit;
  if (settings.contextWindow !== null) options.contextWindow = settings.contextWindow;
  return options;
}

function activationOf(settings: Settings): Activation | null {
  switch (settings.activation) {
    case "profile":
      return null;
    case "tools":
      return { tools: settings.fromTools };
    case "share":
      return { contextShare: settings.fromPercent / 100 };
    default:
      return settings.activation;
  }
}
