// placeholder until the schemas are there
export interface Presentation {
  id: string; revision: number; lease: number; surface: "inbox" | "chat"; user_id: string; content: string;
  replaces: boolean; session_id?: string; origin?: "plugin" | "agent" | "system"; actions?: string[];
  metadata?: { [name: string]: unknown }; cut?: string[];
}
export interface Settled {
  kind: "settled"; id: string; revision: number; lease: number; how: "seen" | "acknowledged" | "withdrawn" | "escalated";
  surface: "inbox" | "chat"; user_id: string; session_id?: string;
}
export interface Snapshot { kind: "snapshot"; presentations: Presentation[]; omitted?: number }
export interface Seen {
  id: string; revision: number; lease: number; surface: "inbox" | "chat"; is_whole: boolean;
  settled?: "seen" | "acknowledged" | "withdrawn" | "escalated";
}
export interface Displayed { kind: "displayed"; id: string; lease: number; revision: number; how?: "rendered" | "clicked" }
export interface DisplayFailed { kind: "display_failed"; id: string; lease: number }
export type ClientMessage = Displayed | DisplayFailed;
