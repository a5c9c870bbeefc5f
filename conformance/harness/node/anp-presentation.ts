// What a client displays of an event, and what goes out of a host in general. Agentic Notification Protocol 3.1, 7.1.

import { actionsText } from "./anp-agent.ts";
import { effectForm, KEY, surface } from "./anp-effects.ts";
import { origin, readNotification, readSubmission } from "./anp-event.ts";
import { isPresented } from "./anp-route.ts";
import { present, withMembers } from "./anp-step.ts";
import { name, text, yesOrNo } from "./leaves.ts";
import { must } from "./rejected.ts";
import { list, maybe, type Members, needed, object, record, strictly, type Value } from "./shape.ts";

const PRESENTATION: Members = {
  ...KEY,
  surface: needed(surface),
  user_id: needed(name),
  content: needed(text),
  replaces: needed(yesOrNo),
  session_id: maybe(name),
  origin: maybe(origin),
  actions: maybe(list(name)),
  metadata: maybe(object),
  cut: maybe(list(name)),
};
/** The members of a presentation, in the order in which they are written. */
export const PRESENTATION_MEMBERS = Object.keys(PRESENTATION);
export const presentationForm = record(PRESENTATION);

/** A value that goes out, and what it is: the kind of an effect, `presentation`, `notification` or `submission`. */
export interface Outgoing {
  what: string;
  value: Value;
}

/** What a case has to go out: an effect, an event as it is stored, a presentation, or an event to submit. */
export function readOutgoing(unit: Value): Outgoing {
  if ("record" in unit) return { what: "notification", value: readNotification(unit.record) };
  if ("submission" in unit) return { what: "submission", value: readSubmission({ data: unit.submission }) };
  if (!("effect" in unit)) return { what: "presentation", value: strictly(presentationForm, unit.shown) };
  const value = strictly(effectForm, unit.effect);
  return { what: value.kind, value };
}

/** What a client displays; null for what is for the agent or for the host, what waits, and what is over. */
export function presentationOf({ what, value }: Outgoing): Value | null {
  must(what !== "submission");
  if (what === "presentation") return value;
  if (what === "notification") return isPresented(value) ? ofEffect(present(value)) : null;
  const isForHuman = what === "present" || (what === "update" && ["inbox", "chat"].includes(value.channel));
  return isForHuman ? ofEffect(value) : null;
}

function ofEffect(effect: Value): Value {
  const { kind, id, revision, lease, user_id, content, session_id, origin: from, metadata } = effect;
  const actions = kind === "present" ? effect.actions : undefined; // new words of an event say nothing new of these
  const members = { id, revision, lease, surface: effect.channel, user_id, content, replaces: revision > 1 };
  return withMembers(members, { session_id, origin: from, actions, metadata });
}

/** `anp.presentation`: with what the agent did, in a sentence. */
export function presented(unit: Value): Value | null {
  const found = presentationOf(readOutgoing(unit));
  return found && { ...found, told: actionsText(found.actions ?? []) };
}
