import { ToolSift } from "toolsift";
import type { Lab } from "../model/lab.ts";
import { condition, wouldAct } from "../model/waiting.ts";
import { WithCode } from "./with-code.tsx";

/** Which of the profiles is at work, and what the page has changed so that it is. */
export function ProfileBar({ lab }: { lab: Lab }) {
  const { profile } = lab;
  return (
    <section class="profile-bar" aria-labelledby="profile-title">
      <h2 id="profile-title">Profile</h2>
      <fieldset class="segments">
        <legend class="visually-hidden">Which profile is at work?</legend>
        {ToolSift.profiles().map((row) => (
          <label key={row.name} class="segment profile-choice mono">
            <input
              type="radio"
              name="profile"
              checked={row.name === profile.name}
              onChange={() => lab.chooseProfile(row.name)}
            />
            <span>{row.name}</span>
          </label>
        ))}
      </fieldset>
      <p class="profile-text">
        <WithCode text={profile.summary} /> <span class="quiet">After {profile.after}.</span>
      </p>
      <Notice lab={lab} />
    </section>
  );
}

/** What makes a profile hold back here though it would wait by itself, or the other way round; and the way to change it. */
function Notice({ lab }: { lab: Lab }) {
  const { profile, inForce, rules } = lab;
  const byItself = inForce.activation === "profile" && inForce.deferral === "";
  const waits = condition(profile.activation, inForce.contextWindow);
  const forcedOn = inForce.activation === "on" && waits !== null;
  const forcedOut = profile.deferral === "opt-in" && rules.deferral === "opt-out";
  const needed = !wouldAct(profile, lab.current.assembly, inForce.contextWindow);
  if (needed && (forcedOn || forcedOut)) {
    return (
      <p class="profile-notice">
        <span>
          {forcedOut && "By itself it holds back only tools that ask for it, and sends all others. "}
          {forcedOn && `By itself it waits until ${waits}. `}
          To show it at work, this page sets{" "}
          <code>{[forcedOut && 'deferral: "opt-out"', forcedOn && 'activation: "on"'].filter(Boolean).join(", ")}</code>.
        </span>
        <button type="button" class="button small" onClick={() => lab.leaveToItself(true)}>
          See it by itself
        </button>
      </p>
    );
  }
  if (byItself && !lab.current.assembly.active) {
    return (
      <p class="profile-notice">
        <span>
          Nothing is held back: {profile.deferral === "opt-in" ? "it waits for tools that ask for it" : `it waits until ${waits}`}.
        </span>
        <button type="button" class="button small" onClick={() => lab.leaveToItself(false)}>
          Show it at work
        </button>
      </p>
    );
  }
  return null;
}
