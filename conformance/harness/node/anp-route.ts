// Where an event goes by its three flags, and what can be said of it: Agentic Notification Protocol 4.

import { routing as routingForm } from "./anp-event.ts";
import { strictly, type Value } from "./shape.ts";

/** What a combination of flags means. */
export interface Row {
  channel: string;
  matches: string[];
  mode: "direct" | "mediated" | "passive" | "autonomous";
  responsible: string;
  shown_raw: string;
  agent_access: string;
  has_deadline: boolean;
  turn: string | null;
  scope: string;
}

/** What the agent handles or is for goes to it first; the rest by address. */
export function rowOf({ address, target, handler }: Value): Row {
  const isOfUser = address === "user";
  const scope = isOfUser ? "global" : "session";
  const own = isOfUser ? "A" : "B";
  const byAgent = handler === "agent";
  const direct = !byAgent && target === "user";
  const channel = direct ? own : "C";
  const matches = !direct && !byAgent && isOfUser ? ["A", "C"] : [channel];
  const common = { channel, matches, responsible: handler, has_deadline: byAgent, scope };
  if (direct) return { ...common, mode: "direct", shown_raw: "yes", agent_access: "read-only", turn: null };
  if (!byAgent) return { ...common, mode: "passive", shown_raw: "never", agent_access: "fact", turn: null };
  return target === "user"
    ? { ...common, mode: "mediated", shown_raw: "fallback", agent_access: "must-narrate", turn: "proactive" }
    : { ...common, mode: "autonomous", shown_raw: "no", agent_access: "actionable", turn: "internal" };
}

/** `anp.route_table`. */
export const routeTable = (flags: Value) => rowOf(strictly(routingForm, flags));

export const isTerminal = ({ status }: Value): boolean => status === "delivered" || status === "failed";
/** Whether the system presents it to people now, who have not acknowledged it. */
export const isPresented = ({ status, routing }: Value): boolean =>
  status === "escalated" || (status === "dispatched" && rowOf(routing).mode === "direct");
/** Whether it is a passive event for the next prompt. */
export const isFact = ({ status, routing }: Value): boolean =>
  status === "dispatched" && rowOf(routing).mode === "passive";
/** Whether its deadline means something: the agent handles it, or the watchdog has taken it over. */
export const isWatched = (event: Value): boolean =>
  !isTerminal(event) && (event.routing.handler === "agent" || ["locked", "escalated"].includes(event.status));
/** The session to which it is addressed now. */
export const addressedSession = ({ routing, session_id: session }: Value): string | undefined =>
  routing.address === "session" ? session : undefined;
export const surfaceOf = ({ routing }: Value): string => (routing.address === "user" ? "inbox" : "chat");

/** Who is responsible for it now. */
export function responsibleFor(event: Value): string {
  if (isTerminal(event)) return "nobody";
  return event.status !== "pending" && event.routing.handler === "agent" ? "agent" : "system";
}
