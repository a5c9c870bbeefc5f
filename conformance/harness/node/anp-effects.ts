// Effects: what a host has to do once a decision is stored, as JSON from anyone. Agentic Notification Protocol 4 and 5.

import { instructions, origin, submission } from "./anp-event.ts";
import { count, moment, name, ordinal, text, yesOrNo } from "./leaves.ts";
import { byKind, type Form, list, maybe, type Members, needed, object, oneOf, record } from "./shape.ts";

/** What every effect names. For a client, these three together are what it has displayed. */
export const KEY: Members = { id: needed(name), revision: needed(ordinal), lease: needed(ordinal) };
export const surface = oneOf("inbox", "chat");
const scope = oneOf("global", "session");
const WORDS: Members = { user_id: needed(name), content: needed(text), session_id: maybe(name) };
const FOR_THE_AGENT: Members = { scope: needed(scope), ...WORDS, agent_instructions: maybe(instructions) };
const FROM: Members = { origin: maybe(origin), metadata: maybe(object) };

const EFFECTS: Record<string, Members> = {
  audit: { what: needed(name), classification: maybe(oneOf("internal", "external")) },
  dispatch: {},
  queue: {},
  address_demoted: { session_id: needed(name) },
  turn_withheld: { depth: needed(count) },
  present: { channel: needed(surface), ...WORDS, ...FROM, actions: maybe(list(name)) },
  update: {
    channel: needed(oneOf("inbox", "chat", "context", "facts")),
    ...WORDS,
    ...FROM,
    agent_instructions: maybe(instructions),
  },
  settled: {
    how: needed(oneOf("seen", "acknowledged", "withdrawn", "escalated")),
    surface: needed(surface),
    user_id: needed(name),
    session_id: maybe(name),
  },
  add_fact: FOR_THE_AGENT,
  grant: {},
  inject_context: { ...FOR_THE_AGENT, must_narrate: needed(yesOrNo) },
  start_turn: { turn: needed(oneOf("proactive", "internal")), scope: needed(scope) },
  wake_at: { at: needed(moment) },
  agent_aware: { awareness: needed(oneOf("shown", "user_seen", "escalated")), ...WORDS },
  allow: { action: needed(name) },
  must_surface: { action: needed(name), notice: maybe(submission), notice_id: maybe(name) },
  present_narration: { narration_id: needed(name), narration: needed(submission) },
  fence_turn: {},
  dead_letter: { reason: needed(oneOf("presentation", "deadline", "no_route")) },
};

/** The form of each effect by its kind. */
export const effectForms: Record<string, Form> = Object.fromEntries(
  Object.entries(EFFECTS).map(([kind, members]) => [kind, record({ ...KEY, ...members }, { kind })]),
);
export const effectForm = byKind(effectForms);
/** Nothing asks for attention any more under a lease. */
export const settledForm = effectForms.settled as Form;
