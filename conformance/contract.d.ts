// Made of conformance/schema and operations.json by tests/regenerate.py: change nothing here.

/** No user is left to present the event to: the fact `user_exists` is false. */
export interface Abandon {
  kind: "abandon";
}

/** One way to pay. The scheme decides what the payload looks like. */
export interface AcceptedPayment {
  /** Open name, for example `x402.exact`. */
  scheme: string;
  /** What the scheme needs, echoed back unchanged by the payer. */
  payload: { [name: string]: unknown };
  /** Button text. */
  label?: string;
  /** What the button does. */
  description?: string;
}

/** The agent is about to call a tool. Ask before the tool runs: a rejection forbids it. */
export interface Action {
  kind: "action";
  /** The tool. */
  name: string;
  /** The lease that the agent was granted. */
  lease?: number;
  /** What the host's registry says of the tool. All but `internal` counts as external. */
  classification?: string;
  /** The worker, where the event is claimed. */
  holder?: string;
}

/** The agent is to know this from its next turn on. No turn starts, and no human sees it. */
export interface AddFact {
  kind: "add_fact";
  /** The event. */
  id: string;
  /** Its revision. */
  revision: number;
  /** Its lease. */
  lease: number;
  /** For the memory of the session, or for that beyond all sessions. */
  scope: "global" | "session";
  /** Whose event. */
  user_id: string;
  /** What to know. */
  content: string;
  /** Of which session. */
  session_id?: string;
  /** What to tell the model. */
  agent_instructions?: AgentInstructions;
}

/** The session is gone, so the event went to its user. Spec: ANP §2.1. */
export interface AddressDemoted {
  kind: "address_demoted";
  /** The event. */
  id: string;
  /** Its revision. */
  revision: number;
  /** Its lease. */
  lease: number;
  /** The session that is gone. */
  session_id: string;
}

/** Both are needed: the actor in the addressing and the mention in the text. ActivityPub. */
export interface AddressingRelay {
  kind: "addressing";
  /** The addressing collections. */
  envelope_fields: Array<"to" | "cc">;
  /** Always true. */
  also_inline: true;
}

/** The agent is to know what became of an event. It is never to announce it. */
export interface AgentAware {
  kind: "agent_aware";
  /** The event. */
  id: string;
  /** Its revision. */
  revision: number;
  /** Its lease. */
  lease: number;
  /** `shown`: the system showed it to the human; `user_seen`: the human has seen it; `escalated`: the watchdog took it from the agent. */
  awareness: "shown" | "user_seen" | "escalated";
  /** Whose event. */
  user_id: string;
  /** What the event says. */
  content: string;
  /** The session whose agent learns it; absent: in the next turn with the user. */
  session_id?: string;
}

/** Where an agent stands in a chain of agents. */
export interface AgentChain {
  /** Its place, beginning with 1. */
  hop: number;
  /** How many there may be. */
  max_hops: number;
  /** Whether it must conclude. The sender's claim, unchanged. */
  is_final: boolean;
}

/** What a plugin tells the model about an event. */
export interface AgentInstructions {
  /** What to do with it. */
  directive?: string;
  /** How to speak of it: `concise`. */
  tone_hint?: string;
}

/** The tool may run. */
export interface Allow {
  kind: "allow";
  /** The event. */
  id: string;
  /** Its revision. */
  revision: number;
  /** Its lease. */
  lease: number;
  /** The tool. */
  action: string;
}

/** Something that the sender's agent produced. */
export interface ArtifactPart {
  kind: "artifact";
  /** Media type. */
  mime: string;
  /** Where the bytes are. */
  bytes_ref: BytesRef;
  /** What to call it. */
  name?: string;
  /** What it is to the agent that made it. */
  artifact_type?: string;
}

/** The issuer signed the evidence. */
export interface AttestationProof {
  /** Always `signed-attestation`. */
  type: "signed-attestation";
  /** Signature algorithm. */
  alg: string;
  /** Which of the issuer's keys. */
  kid: string;
  /** The signature, base64url. */
  value: string;
  /** How the signed bytes are made; absent: `jcs`. */
  canonicalization?: string;
}

/** Something that a record of what happened should hold. */
export interface Audit {
  kind: "audit";
  /** The event. */
  id: string;
  /** Its revision. */
  revision: number;
  /** Its lease. */
  lease: number;
  /** `submitted`, or the name of an action. */
  what: string;
  /** Of an action. */
  classification?: "internal" | "external";
}

/** One way to authenticate (RFC 9110 §11.3). */
export interface AuthChallenge {
  /** The authentication scheme, for example `Bearer`. */
  scheme: string;
  /** Its parameters, by names of which no two differ in case alone. */
  params?: { [name: string]: string };
}

/** A picture of somebody. */
export interface Avatar {
  /** Where it is. */
  url: string;
  /** Its media type. */
  mime_type?: string;
  /** In pixels. */
  width?: number;
  /** In pixels. */
  height?: number;
}

/** A bearer token was checked; the token itself is never here. */
export interface BearerProof {
  /** Always `bearer-token`. */
  type: "bearer-token";
  /** Who checked it. */
  verified_by: string;
  /** SHA-256 of the token. */
  token_hash?: string;
}

/** Where the bytes of a file or an artifact are. */
export type BytesRef = InlineRef | UrlRef | DigestRef;

/** Why a tool call failed. */
export interface CallError {
  /** For people. */
  message: string;
}

/** A policy inside a message: the sixth kind of part. */
export interface CarriedPolicy {
  kind: "policy";
  /** What the agent demands. */
  policy: PolicyPart;
}

/** A worker of the agent takes the event for itself. */
export interface Claim {
  kind: "claim";
  /** The lease that it was granted. */
  lease?: number;
  /** The worker. */
  holder: string;
}

/** A client has displayed the event to the human. */
export interface ClientAck {
  kind: "client_ack";
  /** The lease of the presentation. */
  lease?: number;
  /** Whose client it is, as the host has authenticated it. */
  user_id: string;
  /** The revision that was displayed, where the client says so. */
  revision?: number;
  /** Whether it was `rendered` before the human, or they `clicked` it, where the client says so. */
  how?: "rendered" | "clicked";
}

/** Everything that a client sends about an event. */
export type ClientMessage = Displayed | DisplayFailed;

/** Everything that can happen to an event of the notification protocol. */
export type Command = Submit | Route | ClientAck | DeliveryFailed | Reconnect | ContextCommitted | Claim | Action | CommitTurn | TurnFailed | Extend | Tick | Abandon;

/** A turn of the agent ended. Its output and its acknowledgements count at once. */
export interface CommitTurn {
  kind: "commit_turn";
  /** The lease that the turn was granted for this event. */
  lease?: number;
  /** What the agent says to the human. */
  output?: string;
  /** Whether the agent lists the event in `acknowledged_ids`. */
  acknowledged: boolean;
  /** Whether this event started the turn. */
  is_trigger: boolean;
  /** The id under which the output is to be submitted. All events of a turn name the same. */
  narration_id?: string;
  /** The revision that the agent has read. */
  revision?: number;
  /** The worker, where the event is claimed. */
  holder?: string;
}

/** What shows that consent was given. */
export interface ConsentConfirmation {
  /** SHA-256 over the canonical JSON of the scope. */
  scope_hash: string;
  /** When the consent ends; absent: when it is revoked. */
  expires_at?: string;
}

/** The person must consent before the agent goes on. */
export interface ConsentRequired {
  kind: "consent_required";
  /** The detail for people. Required. */
  message: string;
  /** Machine-readable token, for example `oauth:consent_required`. */
  code?: string;
  /** Short summary. */
  title?: string;
  /** The words in other languages, by BCP 47 tag; `policy.localize` looks one up. */
  message_translations?: { [name: string]: PolicyTranslation };
  /** Where a person can act: https, on the host of the agent that demands. */
  url?: string;
  /** The text of the button that leads to `url`. */
  action_label?: string;
  /** Protocol-native members, by keys that begin with a reversed domain, such as `com.example.order`. */
  data?: { [name: string]: unknown };
  /** The single-use token that a completion names. */
  state: string;
  /** Where the person comes back to, https. */
  return_to: string;
}

/** A turn ended in whose prompt the passive event stood. Before `Rules.context_expires_at` the event stays as it is, and is in the next prompts too. */
export interface ContextCommitted {
  kind: "context_committed";
  /** The lease under which it stood there. */
  lease?: number;
  /** The revision that stood there. */
  revision?: number;
}

/** The event could not be delivered, and somebody should look at it. */
export interface DeadLetter {
  kind: "dead_letter";
  /** The event. */
  id: string;
  /** Its revision. */
  revision: number;
  /** Its lease. */
  lease: number;
  /** `presentation`: it could not be presented; `deadline`: it was not acknowledged in time; `no_route`: no user is left to present it to. */
  reason: "presentation" | "deadline" | "no_route";
}

/** The system could not present the event. */
export interface DeliveryFailed {
  kind: "delivery_failed";
  /** The lease of the presentation. */
  lease?: number;
  /** Whose client says so, as the host has authenticated it; absent: the host itself. */
  user_id?: string;
  /** Whether no other attempt can do better. */
  is_final: boolean;
}

/** A device of a person: one browser with all its tabs, or one phone. It has one cursor. */
export interface Device {
  /** Chosen by the device, at random. */
  id: string;
  /** Whose it is, as the host has authenticated them. */
  user_id: string;
  /** The last place of their stream that it has read. */
  cursor: number;
  /** How it is reached while nothing is open on it; absent: it is not. */
  push?: PushSubscription;
}

/** Bytes that are named by what they are. */
export interface DigestRef {
  kind: "content_addressed";
  /** SHA-256 in lower-case hex. */
  digest: string;
  /** Always `sha256`. */
  algo: "sha256";
  /** Where they also lie, if anywhere. */
  url?: string;
}

/** Send `Route` for the event. */
export interface Dispatch {
  kind: "dispatch";
  /** The event. */
  id: string;
  /** Its revision. */
  revision: number;
  /** Its lease. */
  lease: number;
}

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

/** Everything that a host has to do after a decision was stored. */
export type Effect = Audit | Dispatch | Queue | AddressDemoted | TurnWithheld | Present | Update | Settled | AddFact | Grant | InjectContext | StartTurn | WakeAt | AgentAware | Allow | MustSurface | PresentNarration | FenceTurn | DeadLetter;

/** The agent needs longer. */
export interface Extend {
  kind: "extend";
  /** The lease that it was granted. */
  lease?: number;
  /** The new deadline, within `Rules.cap`; it may also be sooner. */
  until: string;
  /** The worker, where the event is claimed. */
  holder?: string;
}

/** Whoever acts for the event under this lease has lost it: stop them, if that is possible. */
export interface FenceTurn {
  kind: "fence_turn";
  /** The event. */
  id: string;
  /** Its revision. */
  revision: number;
  /** The lease that counts no more. */
  lease: number;
}

/** A file that the sender attached. */
export interface FilePart {
  kind: "file";
  /** Media type. */
  mime: string;
  /** Where the bytes are. */
  bytes_ref: BytesRef;
  /** File name, without any path. */
  name?: string;
  /** Size, where known. */
  size_bytes?: number;
}

/** The caller is known and not allowed (403). */
export interface Forbidden {
  kind: "forbidden";
  /** The detail for people. Required. */
  message: string;
  /** Machine-readable token, for example `oauth:consent_required`. */
  code?: string;
  /** Short summary. */
  title?: string;
  /** The words in other languages, by BCP 47 tag; `policy.localize` looks one up. */
  message_translations?: { [name: string]: PolicyTranslation };
  /** Where a person can act: https, on the host of the agent that demands. */
  url?: string;
  /** The text of the button that leads to `url`. */
  action_label?: string;
  /** Protocol-native members, by keys that begin with a reversed domain, such as `com.example.order`. */
  data?: { [name: string]: unknown };
}

/** The agent may act for the event under this lease. `Turn` keeps the grants of a turn. */
export interface Grant {
  kind: "grant";
  /** The event. */
  id: string;
  /** Its revision. */
  revision: number;
  /** Its lease. */
  lease: number;
}

/** A prior turn of the conversation. */
export interface HistoricalMessage {
  /** `assistant` when the recipient agent wrote it, else `user`. */
  role: "user" | "assistant";
  /** Who wrote it. */
  sender: Sender;
  /** What it says. */
  parts: Array<Part>;
  /** When. */
  timestamp: string;
  /** A stable id, where one is known. */
  id?: string;
}

/** A statement of an issuer about a subject. Data, until it was verified. */
export interface IdentityEvidence {
  /** Who, in the issuer's words, for example `slack:T123/U456`. */
  subject: string;
  /** Who says so. */
  issuer: string;
  /** How the issuer knows, a URN. */
  method: string;
  /** Which kind of knowledge: `platform`, `domain`, `address`, `agent`, `oauth`, `wallet`, `delegated` or another word. */
  assurance: string;
  /** The agents that it is for, one address or several. */
  audience: string | Array<string>;
  /** When it was issued. */
  issued_at: string;
  /** What stands behind it. */
  proof: Proof;
  /** Unique at the issuer. */
  id?: string;
  /** Not valid before. */
  not_before?: string;
  /** Not valid from then on. */
  expires_at?: string;
  /** Whose authority is carried. */
  on_behalf_of?: Array<string>;
  /** More about the subject. */
  claims?: { [name: string]: unknown };
  /** Where it was observed. */
  source?: { [name: string]: unknown };
}

/** A message as an integration stores it: exactly the typed text, and metadata. */
export interface IngestMessage {
  /** The typed text, unchanged: no headers, no names, no ids of channels, no contents of files. */
  content: string;
  /** Everything else. */
  metadata: IngestMetadata;
  /** The files and links of the message. */
  attachments?: Array<Part>;
  /** The address of its author, for a `NormalizedMessage`: `to_turn` returns it. */
  address?: string;
}

/** The author and place of a message, and instructions for its processing: everything but the typed text. */
export interface IngestMetadata {
  /** The integration: `slack`. */
  source: string;
  /** The author's id, after a namespace: `slack:U06STGBF4Q0`. */
  sender_id: string;
  /** Their name, for user interfaces and headers. */
  sender_display_name: string;
  /** A person, or a program. */
  sender_type: "human" | "bot";
  /** The platform's own id of the channel or chat. */
  channel_external_id?: string;
  /** The text that mentions them on the platform, to be copied exactly: `<@U06STGBF4Q0>`. */
  mention_token?: string;
  /** The prior messages of the thread, as text for a model. */
  thread_context?: string;
  /** Whether the local user's own account wrote it (BlueBubbles). */
  is_from_me?: boolean;
  /** Whether it is stored only, and no agent runs. */
  passive?: boolean;
  /** Whether retrieval should consider it. */
  trigger_rag?: boolean;
  /** The recipient: `bot:calc-bot`. */
  recipient_id?: string;
  /** The subject of a mail, one line. It is no part of the typed text; a model reads it above the text. */
  subject?: string;
  /** The names of who the typed text mentions: token → name, as it came. `assemble` writes them before the tokens. */
  mentions?: { [name: string]: string };
  /** How the typed text is written: `mrkdwn`, as Slack writes it. `assemble` makes Markdown of it. */
  format?: string;
}

/** The event goes into the context of the agent. */
export interface InjectContext {
  kind: "inject_context";
  /** The event. */
  id: string;
  /** Its revision. */
  revision: number;
  /** Its lease. */
  lease: number;
  /** Of the session, or beyond all sessions. */
  scope: "global" | "session";
  /** Whether the human is promised to hear of it. */
  must_narrate: boolean;
  /** Whose event. */
  user_id: string;
  /** What it says. */
  content: string;
  /** Of which session. */
  session_id?: string;
  /** What to tell the model. */
  agent_instructions?: AgentInstructions;
}

/** Bytes that travel inside the message. */
export interface InlineRef {
  kind: "inline";
  /** The bytes as standard padded base64. */
  data_base64: string;
}

/** Typing `@handle` in the reply is enough: the platform routes it. Slack, Discord. */
export interface InlineRelay {
  kind: "inline";
}

/** What orders the turns of an agent and the alerts of the system. A user has one, or one for each session. */
export interface Lane {
  /** As `lane_id` makes it. */
  id: string;
  /** Raised with every change; 0 for one that nothing has changed yet. */
  version: number;
  /** The turn that has it now. */
  turn?: RunningTurn;
  /** The alerts that wait for that turn to end, in the order in which they came. */
  waiting: Array<string>;
  /** How much the agent has read of what became of events of the user. */
  cursor: number;
  /** Session → how much it has read of what became of events of that session. */
  cursors: { [name: string]: unknown };
}

/** A link that the sender gave apart from the text. */
export interface LinkPart {
  kind: "link";
  /** Where it leads. */
  url: string;
  /** What to call it. */
  title?: string;
  /** More about it. */
  description?: string;
}

/** How to wake another agent on the platform. */
export type MentionRelayCapability = InlineRelay | RecipientFieldRelay | AddressingRelay | NoRelay;

/** The human must hear of an action: by the next output of the agent, or by the watchdog; or by `notice`. */
export interface MustSurface {
  kind: "must_surface";
  /** The event. */
  id: string;
  /** Its revision. */
  revision: number;
  /** Its lease. */
  lease: number;
  /** The tool. */
  action: string;
  /** An event to submit, where the one for which the agent acts cannot tell it any more. */
  notice?: Submission;
  /** Its id. */
  notice_id?: string;
}

/** The platform relays nothing: the agent must call others itself. A2A. */
export interface NoRelay {
  kind: "none";
}

/** What any transport delivers to an agent. */
export interface NormalizedMessage {
  /** Unique at this node; the protocol's own id is in `raw`. */
  id: string;
  /** The conversation. Two transports give two threads. */
  thread_id: string;
  /** Who sent it. */
  sender: Sender;
  /** The agent that it is for. */
  recipient: string;
  /** What it says, in the order to read it. */
  parts: Array<Part>;
  /** How to bring other agents in. */
  recipient_capabilities: RecipientCapabilities;
  /** The protocol. Not to be branched on by agents. */
  received_via: "activitypub" | "a2a" | "email" | "rest" | "connector";
  /** When it was parsed and checked, UTC; the protocol's own time is in `raw`. */
  received_at: string;
  /** The parsed native message, for debugging. Agents must not rely on it. */
  raw: unknown;
  /** The id of the parent message, or the protocol's id of it when the parent is not known here. */
  in_reply_to?: string;
  /** Prior turns, oldest first. */
  history?: Array<HistoricalMessage>;
  /** A verified completion of a policy of a prior turn. */
  policy_resolution?: PolicyResolution;
  /** The sender's full response, where one was attached. */
  received_trace?: NormalizedResponse;
}

/** What an agent answers. */
export interface NormalizedResponse {
  /** The id of the message that it answers. */
  reply_to: string;
  /** What it says. */
  parts: Array<Part>;
  /** `partial` for every frame of a stream but the last. */
  status: "ok" | "partial" | "error";
  /** Why there is no answer. */
  error?: ResponseError;
  /** The place in a stream. */
  streaming?: Streaming;
  /** Where it should go instead. */
  push_back?: PushBackHint;
}

/** An event as the ledger keeps it. `decide` makes a new one of it; nothing else should. */
export interface Notification {
  /** Chosen by the host. */
  id: string;
  /** What it says, for people. */
  content: string;
  /** Whose it is. */
  user_id: string;
  /** The flags that count now. They only ever move towards the user and the system. */
  routing: Routing;
  /** The flags as they were submitted. */
  requested: Routing;
  /** Where it stands. */
  status: "pending" | "dispatched" | "locked" | "delivered" | "escalated" | "failed";
  /** When it was submitted. */
  created_at: string;
  /** When it last changed. Time does not run backwards for an event. */
  changed_at: string;
  /** Who acts for it must name this number. It is raised when the watchdog takes the event over. */
  owner_lease: number;
  /** Which words these are; raised when an event with the same key replaces them. */
  revision: number;
  /** Raised with every change; compared when one is stored. */
  version: number;
  /** What else the plugin knows. */
  metadata: { [name: string]: unknown };
  /** The session that it belongs to. */
  session_id?: string;
  /** Under this key it can be replaced. */
  deduplication_key?: string;
  /** What to tell the model. */
  agent_instructions?: AgentInstructions;
  /** When a human saw it. */
  ack_at?: string;
  /** Until when its owner must have handled it. */
  delivery_deadline?: string;
  /** The worker that has claimed it. */
  holder?: string;
  /** Who says it. */
  origin: "plugin" | "agent" | "system";
  /** The event out of which it came. */
  causation_id?: string;
  /** How many events of the agent's own making led to it. */
  depth: number;
  /** What the agent did about it that the human must hear of. */
  actions: Array<string>;
  /** The ids of the last submissions that replaced its words. */
  merged: Array<string>;
  /** How many presentations failed since it was escalated. */
  failures: number;
  /** How it was delivered: the human saw it, the agent read it, narrated it, spoke, or vetoed. */
  outcome?: "seen" | "read" | "narrated" | "spoke" | "vetoed";
  /** Why the watchdog took it over. */
  escalation?: "deadline" | "silence" | "failed" | "no_route";
}

/** One part of a message. */
export type Part = TextPart | FilePart | LinkPart | ArtifactPart | ToolCallPart | CarriedPolicy | UnknownPart;

/** What shows that a payment was made. */
export interface PaymentConfirmation {
  /** One of the schemes that were offered. */
  scheme: string;
  /** The offered payload, echoed unchanged. */
  original_payload: { [name: string]: unknown };
  /** Transaction hash or id. */
  transaction?: string;
  /** Wallet address or customer mail address. */
  payer?: string;
  /** The network, where the scheme has one. */
  network?: string;
}

/** The caller must pay before the agent goes on (402). */
export interface PaymentRequired {
  kind: "payment_required";
  /** The detail for people. Required. */
  message: string;
  /** Machine-readable token, for example `oauth:consent_required`. */
  code?: string;
  /** Short summary. */
  title?: string;
  /** The words in other languages, by BCP 47 tag; `policy.localize` looks one up. */
  message_translations?: { [name: string]: PolicyTranslation };
  /** Where a person can act: https, on the host of the agent that demands. */
  url?: string;
  /** The text of the button that leads to `url`. */
  action_label?: string;
  /** Protocol-native members, by keys that begin with a reversed domain, such as `com.example.order`. */
  data?: { [name: string]: unknown };
  /** The ways to pay, at least one. */
  accepted_payments: Array<AcceptedPayment>;
  /** The single-use token that a completion names. */
  state?: string;
}

/** What an agent demands before it goes on. */
export type PolicyPart = Unauthorized | PaymentRequired | ConsentRequired | Forbidden | TooManyRequests | UnavailableForLegalReasons | ServiceUnavailable | UnknownPolicy;

/** What every kind of policy has. */
export interface PolicyPartBase {
  /** The detail for people. Required. */
  message: string;
  /** Machine-readable token, for example `oauth:consent_required`. */
  code?: string;
  /** Short summary. */
  title?: string;
  /** The words in other languages, by BCP 47 tag; `policy.localize` looks one up. */
  message_translations?: { [name: string]: PolicyTranslation };
  /** Where a person can act: https, on the host of the agent that demands. */
  url?: string;
  /** The text of the button that leads to `url`. */
  action_label?: string;
  /** Protocol-native members, by keys that begin with a reversed domain, such as `com.example.order`. */
  data?: { [name: string]: unknown };
}

/** A verified completion of a demand made on a former turn. */
export interface PolicyResolution {
  /** The state of the policy that it completes. */
  in_reply_to_state: string;
  /** Which kind of demand. */
  kind: "payment_required" | "consent_required";
  /** The payment or the consent. */
  confirmation: PaymentConfirmation | ConsentConfirmation;
  /** Who verified it, for logs only. */
  verified_by: string;
}

/** The words of a policy in another language. */
export interface PolicyTranslation {
  /** The detail for people. */
  message: string;
  /** Short summary. */
  title?: string;
}

/** Show the event to the human; a client acknowledges it with this lease and this revision. */
export interface Present {
  kind: "present";
  /** The event. */
  id: string;
  /** Its revision. */
  revision: number;
  /** Its lease. */
  lease: number;
  /** The inbox, or the chat of the session. */
  channel: "inbox" | "chat";
  /** The human. */
  user_id: string;
  /** What to show. */
  content: string;
  /** Which chat. */
  session_id?: string;
  /** Who says it: a plugin, the agent, or the system. */
  origin?: "plugin" | "agent" | "system";
  /** What the agent did about it, to be displayed with the content. */
  actions?: Array<string>;
  /** What else the plugin gave. */
  metadata?: { [name: string]: unknown };
}

/** Submit the output of the agent as an event of its own. */
export interface PresentNarration {
  kind: "present_narration";
  /** The event that was narrated. */
  id: string;
  /** Its revision. */
  revision: number;
  /** Its lease. */
  lease: number;
  /** The id of the new event. All events that one turn narrated name the same. */
  narration_id: string;
  /** The new event. */
  narration: Submission;
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

/** What stands behind an evidence. */
export type Proof = TransportProof | AttestationProof | BearerProof | UnknownProof;

/** Where an answer should go instead of where the question came from. */
export interface PushBackHint {
  /** Another protocol. */
  channel?: "activitypub" | "a2a" | "email";
  /** Another thread. */
  thread_ref?: string;
}

/** The keys of a subscription, which encrypt what is pushed. */
export interface PushKeys {
  /** The public key of the browser. */
  p256dh: string;
  /** The secret that it shares with the host. */
  auth: string;
}

/** How a browser is reached by Web Push, as it says so in JSON. */
export interface PushSubscription {
  /** The URL of its push service. */
  endpoint: string;
  /** What encrypts the messages. */
  keys: PushKeys;
}

/** The event waits until the turn in its lane ends: `route` puts it into the lane. */
export interface Queue {
  kind: "queue";
  /** The event. */
  id: string;
  /** Its revision. */
  revision: number;
  /** Its lease. */
  lease: number;
}

/** What the platform offers an agent that wants to bring siblings in. */
export interface RecipientCapabilities {
  /** How mentions travel. */
  mention_relay: MentionRelayCapability;
  /** Where the agent stands in a chain, if it is in one. */
  agent_chain?: AgentChain;
}

/** The platform routes by recipient fields, not by the text. Email. */
export interface RecipientFieldRelay {
  kind: "recipient-field";
  /** The fields that wake somebody. */
  fields: Array<"to" | "cc" | "bcc">;
}

/** A client of the user is back: present again what is not acknowledged. Send it for all open events of the user; and for those of a session when that ends, so that they go to the user. */
export interface Reconnect {
  kind: "reconnect";
  /** Whose client it is, as the host has authenticated it. */
  user_id: string;
}

/** Why there is no answer. */
export interface ResponseError {
  /** For programs. */
  code: string;
  /** For people. */
  message: string;
  /** Whether asking again may help. */
  retriable: boolean;
}

/** The event is to go where its flags say. */
export interface Route {
  kind: "route";
}

/** The three flags of an event. */
export interface Routing {
  /** Where it lives: in one session, or with the user beyond all sessions. */
  address: "session" | "user";
  /** Its recipient. What is for the user must be presented to them. */
  target: "user" | "agent";
  /** Who presents it or acts on it. */
  handler: "system" | "agent";
}

/** The turn that has a lane. */
export interface RunningTurn {
  /** The turn. */
  id: string;
  /** Until when it may keep the lane. */
  deadline: string;
  /** The event that started it. */
  trigger?: string;
  /** The lease that it was granted for that event. */
  lease?: number;
  /** The words of that event that it has read. */
  revision?: number;
  /** The worker that runs it. */
  holder?: string;
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

/** Who sent a message. */
export interface Sender {
  /** Canonical `@local@domain`. */
  address: string;
  /** How the address was verified. */
  auth_method: "ap-http-signature" | "ap-object-integrity-proof" | "a2a-jwt" | "a2a-oauth" | "email-dkim" | "email-dmarc" | "none";
  /** true only when the address was verified cryptographically. */
  verified: boolean;
  /** What they call themselves. */
  display_name?: string;
  /** How to show them. */
  profile?: SenderProfile;
  /** Which key verified the address. */
  key_id?: string;
  /** Verified evidence of who they are elsewhere. */
  identities?: Array<IdentityEvidence>;
}

/** How to show somebody. Never a ground for a decision: authorize on `sender.identities`. */
export interface SenderProfile {
  /** What they call themselves. */
  display_name?: string;
  /** Their name on the platform. */
  username?: string;
  /** A page about them. */
  url?: string;
  /** Their picture. */
  avatar?: Avatar;
  /** BCP 47 language tag. */
  locale?: string;
  /** IANA time zone. */
  timezone?: string;
  /** The platform: `activitypub`, `email`, `slack`, `oauth`, …. */
  provider?: string;
  /** Who they are there, for example `slack:T123/U456`. */
  provider_subject?: string;
  /** When this was fetched. */
  fetched_at?: string;
  /** Whitelisted facts of the provider, under its name. */
  extensions?: { [name: string]: unknown };
}

/** A temporary outage (503). */
export interface ServiceUnavailable {
  kind: "service_unavailable";
  /** The detail for people. Required. */
  message: string;
  /** Machine-readable token, for example `oauth:consent_required`. */
  code?: string;
  /** Short summary. */
  title?: string;
  /** The words in other languages, by BCP 47 tag; `policy.localize` looks one up. */
  message_translations?: { [name: string]: PolicyTranslation };
  /** Where a person can act: https, on the host of the agent that demands. */
  url?: string;
  /** The text of the button that leads to `url`. */
  action_label?: string;
  /** Protocol-native members, by keys that begin with a reversed domain, such as `com.example.order`. */
  data?: { [name: string]: unknown };
  /** How long to wait. */
  retry_after_seconds?: number;
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

/** Start a turn of the agent for the event, as soon as its lane is free. */
export interface StartTurn {
  kind: "start_turn";
  /** The event. */
  id: string;
  /** Its revision. */
  revision: number;
  /** Its lease. */
  lease: number;
  /** `proactive`: the agent speaks to the human; `internal`: it need not. */
  turn: "proactive" | "internal";
  /** Of the session, or beyond all sessions. */
  scope: "global" | "session";
}

/** The place of a frame in a stream. */
export interface Streaming {
  /** Which stream. */
  stream_id: string;
  /** Its number, beginning with 0. */
  seq: number;
  /** Whether it is the last. */
  final: boolean;
}

/** An event as a plugin submits it. */
export interface Submission {
  /** What it says, for people. */
  content: string;
  /** Whose it is. An event of a session needs it too: the session may end before the event arrives. */
  user_id: string;
  /** Where it should go. */
  routing: Routing;
  /** The session that it belongs to. */
  session_id?: string;
  /** Under this key it replaces an event of the same user that has no owner yet. */
  deduplication_key?: string;
  /** What else the plugin knows. `urgency` is a hint; `fallback_text` is the text for a human where an agent should have spoken and did not; `context_ttl` is the minimum of seconds for which a fact is to be in prompts. */
  metadata?: { [name: string]: unknown };
  /** What to tell the model. */
  agent_instructions?: AgentInstructions;
  /** Until when the agent must have handled it, where the plugin knows better than the host. */
  delivery_deadline?: string;
  /** Who says it: a plugin, the agent (its narration), or the system. */
  origin?: "plugin" | "agent" | "system";
  /** The event out of which it came. */
  causation_id?: string;
  /** How many events of the agent's own making led to it. */
  depth?: number;
}

/** A plugin submits an event. What was merged into an event is known by its id as long as that event is open; later the same submission would be a new event, so drop what you have carried out before. */
export interface Submit {
  kind: "submit";
  /** The event. */
  submission: Submission;
  /** Its id, should it become one of its own. The same submission again has the same id. */
  id: string;
}

/** Text that somebody wrote. */
export interface TextPart {
  kind: "text";
  /** The text, in the form that `mime` names. */
  content: string;
  /** Plain text, Markdown or HTML, so that an agent knows what is safe to do with it. */
  mime: "text/plain" | "text/markdown" | "text/html";
}

/** Time has passed: the watchdog looks whether the deadline has. */
export interface Tick {
  kind: "tick";
}

/** A rate limit was hit (429). */
export interface TooManyRequests {
  kind: "too_many_requests";
  /** The detail for people. Required. */
  message: string;
  /** Machine-readable token, for example `oauth:consent_required`. */
  code?: string;
  /** Short summary. */
  title?: string;
  /** The words in other languages, by BCP 47 tag; `policy.localize` looks one up. */
  message_translations?: { [name: string]: PolicyTranslation };
  /** Where a person can act: https, on the host of the agent that demands. */
  url?: string;
  /** The text of the button that leads to `url`. */
  action_label?: string;
  /** Protocol-native members, by keys that begin with a reversed domain, such as `com.example.order`. */
  data?: { [name: string]: unknown };
  /** How long to wait. */
  retry_after_seconds?: number;
}

/** One tool call of an agent, from its arguments to its result or error. */
export interface ToolCallPart {
  kind: "tool_call";
  /** Unique within the response, the same in every frame of a stream. */
  id: string;
  /** The tool. */
  name: string;
  /** Its arguments, any JSON. */
  args: unknown;
  /** What it returned, any JSON; absent while there is none. */
  result?: unknown;
  /** Why it failed. Never together with a result. */
  error?: CallError;
  /** How long it took. */
  duration_ms?: number;
  /** When it started. */
  started_at?: string;
}

/** The transport module that made the evidence checked it itself. */
export interface TransportProof {
  /** Always `transport`. */
  type: "transport";
  /** Which module. */
  verified_by: string;
  /** Which key. */
  key_id?: string;
}

/** The turn of the agent broke off. */
export interface TurnFailed {
  kind: "turn_failed";
  /** The lease that the turn was granted for this event. */
  lease?: number;
  /** The revision that the agent has read. */
  revision?: number;
  /** The worker, where the event is claimed. */
  holder?: string;
}

/** The event came of too long a chain of the agent's own doing, so it starts no turn: the system handles it. */
export interface TurnWithheld {
  kind: "turn_withheld";
  /** The event. */
  id: string;
  /** Its revision. */
  revision: number;
  /** Its lease. */
  lease: number;
  /** How long the chain is. */
  depth: number;
}

/** The caller has no identity that this resource takes (401). */
export interface Unauthorized {
  kind: "unauthorized";
  /** The detail for people. Required. */
  message: string;
  /** Machine-readable token, for example `oauth:consent_required`. */
  code?: string;
  /** Short summary. */
  title?: string;
  /** The words in other languages, by BCP 47 tag; `policy.localize` looks one up. */
  message_translations?: { [name: string]: PolicyTranslation };
  /** Where a person can act: https, on the host of the agent that demands. */
  url?: string;
  /** The text of the button that leads to `url`. */
  action_label?: string;
  /** Protocol-native members, by keys that begin with a reversed domain, such as `com.example.order`. */
  data?: { [name: string]: unknown };
  /** How to authenticate. */
  auth_challenges: Array<AuthChallenge>;
}

/** Blocked by law or region (451). */
export interface UnavailableForLegalReasons {
  kind: "unavailable_for_legal_reasons";
  /** The detail for people. Required. */
  message: string;
  /** Machine-readable token, for example `oauth:consent_required`. */
  code?: string;
  /** Short summary. */
  title?: string;
  /** The words in other languages, by BCP 47 tag; `policy.localize` looks one up. */
  message_translations?: { [name: string]: PolicyTranslation };
  /** Where a person can act: https, on the host of the agent that demands. */
  url?: string;
  /** The text of the button that leads to `url`. */
  action_label?: string;
  /** Protocol-native members, by keys that begin with a reversed domain, such as `com.example.order`. */
  data?: { [name: string]: unknown };
}

/** A part of a kind that this version does not know, kept whole. */
export interface UnknownPart {
  /** The kind as it came. */
  kind: string;
}

/** A policy of a kind that this version does not know. Never a success; every member is kept. */
export interface UnknownPolicy {
  /** The detail for people. Required. */
  message: string;
  /** Machine-readable token, for example `oauth:consent_required`. */
  code?: string;
  /** Short summary. */
  title?: string;
  /** The words in other languages, by BCP 47 tag; `policy.localize` looks one up. */
  message_translations?: { [name: string]: PolicyTranslation };
  /** Where a person can act: https, on the host of the agent that demands. */
  url?: string;
  /** The text of the button that leads to `url`. */
  action_label?: string;
  /** Protocol-native members, by keys that begin with a reversed domain, such as `com.example.order`. */
  data?: { [name: string]: unknown };
  /** The kind as it came. */
  kind: string;
}

/** A proof of a type that this version does not know: proves nothing. */
export interface UnknownProof {
  /** The type as it came. */
  type: string;
}

/** Show these words in place of those of an earlier revision, wherever they stand. */
export interface Update {
  kind: "update";
  /** The event. */
  id: string;
  /** Its revision. */
  revision: number;
  /** Its lease. */
  lease: number;
  /** Where they stand: before a human in the inbox or the chat, or before the agent in its context or among its facts. */
  channel: "inbox" | "chat" | "context" | "facts";
  /** Whose event. */
  user_id: string;
  /** What to show. */
  content: string;
  /** Of which session. */
  session_id?: string;
  /** Who says it: a plugin, the agent, or the system. */
  origin?: "plugin" | "agent" | "system";
  /** What else the plugin gave. */
  metadata?: { [name: string]: unknown };
  /** What to tell the model. */
  agent_instructions?: AgentInstructions;
}

/** Bytes that lie behind a URL. */
export interface UrlRef {
  kind: "url";
  /** Where they lie. The library never fetches it. */
  url: string;
  /** When the URL ends to work, where known. */
  expires_at?: string;
}

/** An identity that was verified here. Authorize on this, and on nothing else in a message. `identity.verify` makes them from evidence, and each `receive` from what it verified itself. */
export interface VerifiedIdentity {
  /** The issuer: the host of a connector, the domain that published a key, or the issuer of a token. */
  issuer: string;
  /** Who acts, in the issuer's words, for example `slack:T123/U456`. */
  subject: string;
  /** How the issuer knows, a URN. */
  method: string;
  /** Which kind of knowledge. */
  assurance: string;
  /** The agent that it is for, one address. Of a transport's own identity, the recipient's host, or the `aud` of its token. */
  audience: string;
  /** When it was issued. */
  issued_at: string;
  /** When it begins to hold. */
  not_before?: string;
  /** When it ends. */
  expires_at?: string;
  /** Whose authority is carried besides the subject's own, the outermost first. They do not act here. */
  principals: Array<string>;
  /** Which key verified it. */
  key_id?: string;
  /** The number of the entry of the trust policy that let it in; absent for a transport's own. */
  entry?: number;
  /** SHA-256 of the signed bytes, in hex; absent for a transport's own. */
  digest?: string;
  /** Under which it was used; absent for a transport's own. */
  replay_key?: string;
  /** The issuer's id of the evidence. */
  id?: string;
  /** What the issuer says more, as signed. */
  claims: { [name: string]: unknown };
  /** Where it was observed, as signed. */
  source: { [name: string]: unknown };
}

/** Send `Tick` for the event when this time has come. */
export interface WakeAt {
  kind: "wake_at";
  /** The event. */
  id: string;
  /** Its revision. */
  revision: number;
  /** Its lease. */
  lease: number;
  /** When. */
  at: string;
}

export interface Start {
  cmd: "start";
  protocol: 1;
}

export interface Run {
  cmd: "run";
  seq: number;
  op: string;
  /** As in a case, complete: now, entropy and lookups always stand there. */
  given: { [name: string]: unknown };
  input: unknown;
}

export interface Stop {
  cmd: "stop";
}

export interface Started {
  protocol: 1;
  implementation: { name: string; version?: string; language?: string; homepage?: string; issues?: string; };
  ops: Array<string>;
}

export interface Answered {
  seq: number;
  messages?: Array<unknown>;
  value?: unknown;
  bytes?: string;
  rejected?: { code: string; };
  skipped?: { why: string; issue_url?: string; };
  errored?: { message: string; };
  verdict?: { [name: string]: unknown } | null;
  candidate?: { [name: string]: unknown } | null;
  diagnostics?: Array<string>;
  /** Every question asked, in order, such as `GET https://…`. */
  asks?: Array<string>;
}

/** What a harness may be asked to do. */
export type Operation =
  | "a2a.call"
  | "a2a.call_operation"
  | "a2a.operation_response"
  | "a2a.operation_result"
  | "a2a.push_notification"
  | "a2a.receive"
  | "a2a.receive_operation"
  | "a2a.receive_push_notification"
  | "a2a.refuse"
  | "a2a.replace_artifact"
  | "a2a.reply"
  | "a2a.result"
  | "a2a.round_trip"
  | "a2a.thread_id"
  | "a2a.verify"
  | "activitypub.build"
  | "activitypub.collection"
  | "activitypub.collection_page"
  | "activitypub.document_response"
  | "activitypub.find_actor"
  | "activitypub.followers_digest"
  | "activitypub.inbox"
  | "activitypub.judge_delivery"
  | "activitypub.object"
  | "activitypub.peek"
  | "activitypub.receive"
  | "activitypub.reply"
  | "activitypub.round_trip"
  | "activitypub.synchronize"
  | "activitypub.thread_id"
  | "activitypub.update"
  | "activitypub.verify"
  | "activitypub.verify_reader"
  | "activitypub.with_synchronization"
  | "address.parse"
  | "anp.actions"
  | "anp.classify"
  | "anp.client_message"
  | "anp.cloudevent"
  | "anp.commit_turn"
  | "anp.decide"
  | "anp.dispatch"
  | "anp.lane"
  | "anp.next_deadline"
  | "anp.presentation"
  | "anp.prompt"
  | "anp.read_cloudevent"
  | "anp.read_notification"
  | "anp.read_output"
  | "anp.read_submission"
  | "anp.receive_presentation"
  | "anp.resume"
  | "anp.route_table"
  | "anp.story"
  | "anp.stream"
  | "anp.turn"
  | "anp.web_push"
  | "bluebubbles.chats"
  | "bluebubbles.claim"
  | "bluebubbles.complete"
  | "bluebubbles.deliveries"
  | "bluebubbles.files"
  | "bluebubbles.parts"
  | "bluebubbles.receive"
  | "bluebubbles.reply"
  | "bluebubbles.sender"
  | "bluebubbles.verify"
  | "capabilities.next_hop"
  | "connectors.retry_after"
  | "discord.attest"
  | "discord.claim"
  | "discord.complete"
  | "discord.defer"
  | "discord.deliveries"
  | "discord.files"
  | "discord.history"
  | "discord.parts"
  | "discord.receive"
  | "discord.reply"
  | "discord.sender"
  | "discord.verify"
  | "discovery.agent_card_url"
  | "discovery.asked_resource"
  | "discovery.connector_card"
  | "discovery.directory"
  | "discovery.nodeinfo"
  | "discovery.read_a2a_card"
  | "discovery.read_agent_card"
  | "discovery.read_jrd"
  | "discovery.resolve_agent"
  | "discovery.sign_card"
  | "discovery.verify_card"
  | "discovery.webfinger"
  | "discovery.write_a2a_card"
  | "discovery.write_jrd"
  | "discovery.write_nodeinfo"
  | "email.receive"
  | "email.reply"
  | "email.report"
  | "email.round_trip"
  | "email.thread_id"
  | "email.verify"
  | "files.budget"
  | "files.headers"
  | "files.mint"
  | "files.verify"
  | "history.trim"
  | "id.uuid7"
  | "identity.acl"
  | "identity.attest"
  | "identity.explain"
  | "identity.lint"
  | "identity.profile"
  | "identity.read_card"
  | "identity.read_trust"
  | "identity.serve_card"
  | "identity.signing_input"
  | "identity.story"
  | "identity.thumbprint"
  | "identity.trust_policy"
  | "identity.verify"
  | "identity.verify_all"
  | "ingest.assemble"
  | "ingest.context"
  | "ingest.header"
  | "ingest.lower"
  | "ingest.message"
  | "ingest.metadata"
  | "ingest.read_messages"
  | "ingest.strip_legacy"
  | "ingest.thread_summary"
  | "ingest.tool_name"
  | "ingest.turn"
  | "json.loads"
  | "policy.accept"
  | "policy.bind_url"
  | "policy.check_response"
  | "policy.declare"
  | "policy.from_http"
  | "policy.html"
  | "policy.is_declared"
  | "policy.issue"
  | "policy.localize"
  | "policy.markdown"
  | "policy.read"
  | "policy.read_resolution"
  | "policy.resume"
  | "policy.scope_hash"
  | "policy.state_key"
  | "policy.story"
  | "policy.text"
  | "policy.to_http"
  | "policy.x402_demand"
  | "policy.x402_fits"
  | "policy.x402_metadata"
  | "policy.x402_payment"
  | "prompt.render"
  | "render.agent_chain"
  | "render.capabilities"
  | "render.mention_relay"
  | "render.tool_call"
  | "response.assemble"
  | "response.destination"
  | "response.split"
  | "response.stream"
  | "rest.call"
  | "rest.fields"
  | "rest.receive"
  | "rest.refuse"
  | "rest.reply"
  | "rest.result"
  | "rest.round_trip"
  | "slack.attest"
  | "slack.claim"
  | "slack.complete"
  | "slack.deliveries"
  | "slack.files"
  | "slack.history"
  | "slack.markdown_to_mrkdwn"
  | "slack.mrkdwn_to_markdown"
  | "slack.parts"
  | "slack.presence"
  | "slack.receive"
  | "slack.reply"
  | "slack.response_url"
  | "slack.sender"
  | "slack.stream"
  | "slack.verify"
  | "text.from_html"
  | "text.markdown_from_html"
  | "time.parse"
  | "trace.left_out"
  | "trace.read"
  | "trace.viewer"
  | "trace.write"
  | "value.decode"
  | "value.encode"
  | "value.restore";

/** The facts that the runner finds, by operation. */
export interface Facts {
  "trace.write": "address" | "alphabet" | "padded" | "whole_groups" | "response" | "fits" | "calls_told" | "anchor";
  "response.split": "whole" | "numbers_rise_from_0" | "final_is_last" | "partial_before_final" | "stream_ids" | "replies_to" | "calls" | "longest_text" | "several";
  "activitypub.reply": "type" | "actor" | "object_type" | "attributed_to" | "to" | "cc" | "visibility" | "addressed" | "in_reply_to" | "context" | "conversation" | "published" | "updated" | "source" | "note_id" | "ids_differ" | "mentions" | "named" | "inboxes" | "attachments" | "policy" | "private_policy" | "private_addressed" | "private_visibility" | "policy_term" | "elements" | "links" | "words" | "trace" | "traces" | "trace_last" | "same_note";
  "activitypub.update": "type" | "actor" | "object_type" | "attributed_to" | "to" | "cc" | "visibility" | "addressed" | "in_reply_to" | "context" | "conversation" | "published" | "updated" | "source" | "note_id" | "ids_differ" | "mentions" | "named" | "inboxes" | "attachments" | "policy" | "private_policy" | "private_addressed" | "private_visibility" | "policy_term" | "elements" | "links" | "words" | "trace" | "traces" | "trace_last" | "same_note";
  "email.reply": "rcpt_to" | "people" | "thread" | "from" | "from_names" | "to" | "to_names" | "cc" | "reply_to" | "bcc" | "subject" | "in_reply_to" | "supersedes" | "references" | "message_id" | "date" | "auto_submitted" | "fields" | "tree" | "text" | "words" | "elements" | "links" | "images" | "trace" | "trace_encoding" | "traces" | "files" | "policy" | "folded" | "policy_sealed" | "wire";
  "a2a.reply": "call" | "spelling" | "parts" | "artifacts" | "context" | "task" | "state" | "message_id" | "events" | "finals" | "one_artifact" | "pieces" | "content_type" | "version" | "authorization" | "challenged" | "extensions" | "policy" | "payment" | "demanding" | "message_extensions" | "error" | "method" | "request_parts" | "request_role" | "request_configuration" | "request_context" | "request_task" | "request_metadata" | "request_hints";
  "a2a.refuse": "call" | "spelling" | "parts" | "artifacts" | "context" | "task" | "state" | "message_id" | "events" | "finals" | "one_artifact" | "pieces" | "content_type" | "version" | "authorization" | "challenged" | "extensions" | "policy" | "payment" | "demanding" | "message_extensions" | "error" | "method" | "request_parts" | "request_role" | "request_configuration" | "request_context" | "request_task" | "request_metadata" | "request_hints";
  "a2a.call": "call" | "spelling" | "parts" | "artifacts" | "context" | "task" | "state" | "message_id" | "events" | "finals" | "one_artifact" | "pieces" | "content_type" | "version" | "authorization" | "challenged" | "extensions" | "policy" | "payment" | "demanding" | "message_extensions" | "error" | "method" | "request_parts" | "request_role" | "request_configuration" | "request_context" | "request_task" | "request_metadata" | "request_hints";
  "policy.html": "words" | "links" | "elements" | "attributes";
  "policy.to_http": "status" | "media_type" | "challenge" | "challenged" | "retry_after" | "payment" | "cached" | "body" | "policy" | "problem";
  "prompt.render": "system" | "opening" | "systems" | "roles" | "turns" | "headers" | "asked" | "apart" | "said";
  "anp.decide": "path" | "changed" | "record" | "responsible" | "expected" | "effects" | "keys" | "is_dispatched" | "shown_actions" | "shown_metadata" | "updated_metadata" | "narration" | "notice" | "outcome" | "escalation" | "settled" | "waiting" | "audit" | "queue" | "address_demoted" | "present" | "update" | "add_fact" | "grant" | "inject_context" | "start_turn" | "wake_at" | "agent_aware" | "allow" | "must_surface" | "present_narration" | "fence_turn" | "dead_letter";
  "anp.dispatch": "path" | "changed" | "record" | "responsible" | "expected" | "effects" | "keys" | "is_dispatched" | "shown_actions" | "shown_metadata" | "updated_metadata" | "narration" | "notice" | "outcome" | "escalation" | "settled" | "waiting" | "audit" | "queue" | "address_demoted" | "present" | "update" | "add_fact" | "grant" | "inject_context" | "start_turn" | "wake_at" | "agent_aware" | "allow" | "must_surface" | "present_narration" | "fence_turn" | "dead_letter";
  "anp.story": "paths" | "effects" | "statuses" | "records" | "presented" | "updated" | "aware" | "turns" | "fenced" | "surfaced" | "shown_actions" | "unchanged";
  "anp.read_notification": "record" | "keeps";
  "anp.lane": "lanes";
  "anp.prompt": "what" | "sections" | "strays" | "contents" | "directives" | "tone_hints" | "granted" | "revisions" | "known";
  "anp.turn": "results" | "paths" | "last" | "changed" | "made" | "statuses" | "leases" | "outcomes" | "refused" | "presented" | "chats" | "shown_actions" | "aware" | "fenced" | "surfaced" | "demoted" | "audited" | "notices" | "notice_ids" | "running" | "waiting" | "wakes" | "stopped";
  "anp.presentation": never;
  "anp.cloudevent": "ids" | "specversions" | "types" | "sources" | "subjects" | "times" | "datacontenttypes" | "event_ids" | "contents" | "named" | "headers";
  "anp.web_push": "ttls" | "urgencies" | "topics" | "are_topics" | "leaks" | "longest" | "fits" | "cut" | "kept" | "contents" | "actions" | "metadata";
  "anp.stream": "lines" | "sse" | "frame" | "back";
}
