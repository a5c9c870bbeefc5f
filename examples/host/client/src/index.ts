export { connect } from "./client.ts";
export type { Channel, ChatMessage, Client, Events, Options, State, TabMessage } from "./api.ts";
export type { Storage } from "./storage.ts";
export type { Locks } from "./tabs.ts";
export type * from "./types.ts";
export type { Gone } from "./view.ts";
