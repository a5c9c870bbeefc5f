// Made of the JSON Schemas in conformance/schema/values by build.py: change nothing here.

/** Everything that a client sends about an event. */
export type ClientMessage = Displayed | DisplayFailed;

/** The client cannot display the event. */
export interface DisplayFailed {
  kind: "display_failed";
  /** The event. */
  id: string;
  /** The lease of the presentation. */
  lease: number;
}

/** The human has the event before them. */
export interface Displayed {
  kind: "displayed";
  /** The event. */
  id: string;
  /** The lease of the presentation. */
  lease: number;
  /** The revision that is displayed. */
  revision: number;
  /** Whether it was `rendered` before the human, or they `clicked` it. */
  how?: "rendered" | "clicked";
}

/** What a client shows of an event. As JSON it is what you send to clients. */
export interface Presentation {
  /** The event. */
  id: string;
  /** Its revision. */
  revision: number;
  /** Its lease. */
  lease: number;
  /** Where: in the inbox, or in the chat of the session. */
  surface: "inbox" | "chat";
  /** The human. */
  user_id: string;
  /** What to show. */
  content: string;
  /** Whether it takes the place of the words of an earlier revision, where those stand. */
  replaces: boolean;
  /** In which chat. */
  session_id?: string;
  /** Who says it: a plugin, the agent, or the system. */
  origin?: "plugin" | "agent" | "system";
  /** What the agent did about it. Display it with the content: the human must hear of it. */
  actions?: Array<string>;
  /** What else the plugin gave. */
  metadata?: { [name: string]: unknown };
  /** The members that were shortened or left out to save space. Fetch the event by its id to show the rest. */
  cut?: Array<string>;
}

/** What a device keeps of an event that it has displayed, or that was settled. */
export interface Seen {
  /** The event. */
  id: string;
  /** Its revision. */
  revision: number;
  /** Its lease. */
  lease: number;
  /** Where it is displayed. */
  surface: "inbox" | "chat";
  /** Whether nothing of it was cut. */
  is_whole: boolean;
  /** How it was settled under this lease; absent: it was not. */
  settled?: "seen" | "acknowledged" | "withdrawn" | "escalated";
}

/** No device of the person needs to ask for attention any more under this lease: tell all of them. Nothing is displayed under this lease again. Under a higher one it may be: after `escalated` the system presents it. */
export interface Settled {
  kind: "settled";
  /** The event. */
  id: string;
  /** Its revision. */
  revision: number;
  /** Its lease. */
  lease: number;
  /** `seen`: it was before a human on one device; `acknowledged`: they clicked it there; `withdrawn`: it could not be presented, and cannot be acknowledged any more; `escalated`: the watchdog took it from the agent. */
  how: "seen" | "acknowledged" | "withdrawn" | "escalated";
  /** Where it is displayed, or would be. */
  surface: "inbox" | "chat";
  /** Whose event. */
  user_id: string;
  /** Of which session. */
  session_id?: string;
}

/** Everything that is presented to a person now and not acknowledged. It comes first where a client cannot resume. What a client displays and does not find here was settled while it was away: it takes that off the screen. It settles nothing by that: a presentation may be under way that is newer than the snapshot. */
export interface Snapshot {
  kind: "snapshot";
  /** What is presented, in the order in which it was. */
  presentations: Array<Presentation>;
  /** How many more there are. Where there are some, nothing is taken off the screen. */
  omitted: number;
}
