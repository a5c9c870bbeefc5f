// Made of conformance/schema, operations.json and the cases: change nothing here.
//
// A value may have members that its type does not name, and whoever reads one keeps them. A literal has them by a
// spread, `{ ...response, ...more }`, and `"x-later" in response` finds one. A `Part`, a `PolicyPart` or a `Proof` may
// be of a kind that no type names. So its kind does not tell the compiler what else it has, unless it is cast first:
//
//     const known = part as KnownPart;
//     if (known.kind === "text") return known.content;

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

/** A `Part` of a kind that this version knows. `const known = value as KnownPart` can be narrowed. */
export type KnownPart = TextPart | FilePart | LinkPart | ArtifactPart | ToolCallPart | CarriedPolicy;

/** One part of a message. */
export type Part = KnownPart | UnknownPart;

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

/** A `PolicyPart` of a kind that this version knows. `const known = value as KnownPolicy` can be narrowed. */
export type KnownPolicy = Unauthorized | PaymentRequired | ConsentRequired | Forbidden | TooManyRequests | UnavailableForLegalReasons | ServiceUnavailable;

/** What an agent demands before it goes on. */
export type PolicyPart = KnownPolicy | UnknownPolicy;

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

/** A `Proof` of a kind that this version knows. `const known = value as KnownProof` can be narrowed. */
export type KnownProof = TransportProof | AttestationProof | BearerProof;

/** What stands behind an evidence. */
export type Proof = KnownProof | UnknownProof;

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
  [member: string]: unknown;
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
  [member: string]: unknown;
}

/** A proof of a type that this version does not know: proves nothing. */
export interface UnknownProof {
  /** The type as it came. */
  type: string;
  [member: string]: unknown;
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

/** A response; without `reply_to` it answers the `question`. */
export type ResponseOfCase = Omit<NormalizedResponse, "reply_to"> & Partial<Pick<NormalizedResponse, "reply_to">>;

/** An event of a ledger; without `changed_at` it never changed. */
export type EventOfCase = Omit<Notification, "changed_at"> & Partial<Pick<Notification, "changed_at">>;

export interface Given {
  /** The time. Default: `"2026-11-21T20:56:00Z"`. */
  now: string;
  /** Random bytes as hex. Default: `"0000000000000000000000000000000000000000000000000000000000000000"`. */
  entropy: string;
  /** The agent that the message is for, where the caller knows it. */
  recipient?: string;
  lookups: Lookups;
  settings?: Settings;
}

/** What is the same for all messages. */
export interface Settings {
  /** Whether TASK is asked where a message over A2A names its task. Default: `false`. */
  stored_tasks?: boolean;
  /** Whether HISTORY is asked where a message has fewer turns than `history` allows. Default: `true`. */
  stored_history?: boolean;
  /** ActivityPub: whether a delivery that cannot be verified just now is rejected, so that it comes again. Default: `true`. */
  defer_unproven?: boolean;
  /** ActivityPub: how old a proof without `expires` may be. Default: `2592000`. */
  max_proof_age?: number;
  /** Whether ONCE is asked for each verified message. Default: `false`. */
  use_once?: boolean;
  /** Whether messages whose sender is not verified are rejected. Default: `false`. */
  require_verified?: boolean;
  /** Mail: whether mails of programs and of lists are answered too. Default: `false`. */
  answer_unanswerable?: boolean;
  /** Mail: what a sender is whose DMARC rests on SPF alone. Default: `"unverified"`. */
  spf_only_dmarc?: "unverified" | "verified";
  /** Mail: domains whose ARC seals are believed. Default: `[]`. */
  trusted_arc_sealers?: Array<string>;
  /** A2A: who may speak for whom with bearer tokens. Default: `[]`. */
  token_issuers?: Array<{ [name: string]: unknown }>;
  /** Whose identity evidence counts: the entries of a trust policy, or the policy with its bounds. Default: `[]`. */
  trust?: Array<unknown> | { [name: string]: unknown };
  /** Slack, Discord: whether an answer mentions people of the conversation whose tokens it copies. Default: `true`. */
  mention_participants?: boolean;
  /** Hosts besides the agent's own to which its policies may lead people, each exactly. Default: `[]`. */
  policy_hosts?: Array<string>;
  /** The page that shows traces; null for none. Default: `"https://mentionable.dev/trace"`. */
  trace_viewer?: string | null;
  history?: HistoryPolicy;
  limits?: Limits;
}

/** The bounds: what is over one of them is rejected, nothing is cut. */
export interface Limits {
  /** The largest activity, and the largest text of `json.loads`. Default: `1048576`. */
  activitypub_bytes?: number;
  /** The largest request or answer of A2A or REST. Default: `16777216`. */
  a2a_bytes?: number;
  /** The largest mail. Default: `25000000`. */
  mail_bytes?: number;
  /** The largest document that is looked up. Default: `1048576`. */
  fetched_bytes?: number;
  /** How many arrays and objects may be open in JSON. Default: `64`. */
  json_depth?: number;
  /** How many look-ups go to the network (GET and TXT) for one message. Default: `40`. */
  asks?: number;
  /** How many steps are gone up a chain of `inReplyTo`. Default: `10`. */
  walk_depth?: number;
  /** How many addressees of one message are looked up. Default: `1000`. */
  recipients?: number;
  /** How many parts one message may have, and how many body parts one mail. Default: `1000`. */
  parts?: number;
  /** From this size on, content is not in the message but apart from it, by its SHA-256. Default: `65536`. */
  inline_bytes?: number;
  /** The longest id or IRI. Default: `2048`. */
  id_chars?: number;
  /** How many tags one ActivityPub object may have. Default: `1000`. */
  tags?: number;
  /** How many attachments one ActivityPub object may have. Default: `64`. */
  attachments?: number;
  /** The largest header section of a mail, or of one of its parts. Default: `262144`. */
  mail_head_bytes?: number;
  /** How many header fields a mail may have. Default: `1000`. */
  mail_fields?: number;
  /** The longest header field that is read. Default: `16384`. */
  mail_field_bytes?: number;
  /** How many multiparts may be inside each other. Default: `32`. */
  mime_depth?: number;
  /** How many parameters one header field may have. Default: `100`. */
  mime_parameters?: number;
  /** All content of a mail after its transfer encodings. Default: `50000000`. */
  mail_decoded_bytes?: number;
  /** The longest trace that is written, as base64: a longer one is shortened, then left out. Default: `65536`. */
  trace_bytes?: number;
}

/** Which prior turns are kept. */
export interface HistoryPolicy {
  /** How many turns at most. Default: `50`. */
  max_messages?: number;
  /** How many characters of text, tool arguments and results together. Default: `32000`. */
  max_chars?: number;
  /** How old a turn may be; null for no bound. Default: `null`. */
  max_age?: number | null;
}

/** Answers to the look-ups that an implementation may ask for. What is not listed fails; `CASES.md` names the exceptions. Default: `{}`. */
export type Lookups = {
  [key: `TXT ${string}`]: Array<string> | Failed;
  [key: `GET ${string}`]: Failed | Fetched | Array<Failed | Fetched>;
  [key: `AGENT ${string}`]: string | null | Failed;
  [key: `TASK ${string}`]: null | Failed | { [name: string]: unknown };
  [key: `MESSAGE ${string}`]: null | Failed | {
    id: string;
    thread_id: string;
    sender: string;
    verified?: boolean | null;
    auth_method?: string;
    /** SHA-256 in hex of its parts. */
    digest?: string | null;
  };
  [key: `MESSAGES ${string}`]: { [name: string]: unknown };
  [key: `HISTORY ${string}`]: Array<unknown> | Failed;
  [key: `ONCE ${string}`]: "first" | "same" | "other" | true | false | Failed;
  [key: `REVOKED ${string}`]: boolean | Failed;
  [key: `DEBIT ${string}`]: boolean | Failed;
  /** What is stored of a demand; what your verifier saw of a payment, or of a consent: null or false when it was not made. */
  [key: `ISSUANCE ${string}`]: { [name: string]: unknown } | boolean | null;
  /** What is stored of a demand; what your verifier saw of a payment, or of a consent: null or false when it was not made. */
  [key: `PAYMENT ${string}`]: { [name: string]: unknown } | boolean | null;
  /** What is stored of a demand; what your verifier saw of a payment, or of a consent: null or false when it was not made. */
  [key: `CONSENT ${string}`]: { [name: string]: unknown } | boolean | null;
  [key: `COUNT ${string}`]: number | Failed;
  /** A platform's answer to a call of its API, as JSON. */
  [key: `CALL ${string}`]: unknown;
};

export interface Fetched {
  status?: number;
  content_type?: string;
  /** The final address, when there were redirects. */
  url?: string;
  json?: unknown;
  body?: Bytes;
  "$base64"?: string;
}

export interface Failed {
  failed: string;
  temporary?: boolean;
}

/** Bytes: a string stands for its UTF-8. */
export type Bytes = string | Base64;

export interface Base64 {
  "$base64": string;
}

/** What is known of the sender. */
export interface Verdict {
  method?: "ap-http-signature" | "ap-object-integrity-proof" | "a2a-jwt" | "a2a-oauth" | "email-dkim" | "email-dmarc" | "none";
  verified?: boolean;
  address?: string | null;
  key_id?: string | null;
  code?: string | null;
  temporary?: boolean;
}

/** The input of each operation. Some cases give on purpose what is none. */
export interface Inputs {
  /** Outcome: `{method, url, headers, body}`; facts. */
  "a2a.call": {
    message: NormalizedMessage;
    url: string;
    receipt?: unknown;
    task_id?: string;
    dialect?: string;
    stream?: boolean;
    token?: string;
    history?: Array<HistoricalMessage>;
    configuration?: {
      accepted_output_modes?: Array<string>;
      return_immediately?: boolean;
      history_length?: number;
    };
    context_id?: string;
  };
  /** Outcome: `{method, url, headers: {a2a-version, authorization}, body}`, the body as JSON, null where there is none. */
  "a2a.call_operation": {
    operation: {
      kind: string;
      task_id?: string;
      history_length?: number;
      include_artifacts?: boolean;
      context_id?: string;
      state?: string;
      page_size?: number;
      metadata?: { [name: string]: unknown };
      config?: { [name: string]: unknown };
      config_id?: string;
    };
    url: string;
    dialect: string;
    token: string;
  };
  /** Outcome: `{status, headers: {content-type, a2a-version, www-authenticate, allow}, body}`: the body as JSON, that of a stream as an array of its events. */
  "a2a.operation_response": {
    request: {
      method: string;
      url: string;
      headers: Array<[string, string]>;
      body: { [name: string]: unknown } | string;
    };
    answer: {
      task?: { [name: string]: unknown };
      page?: { [name: string]: unknown };
      nothing?: null;
      event?: { [name: string]: unknown };
      config?: { [name: string]: unknown };
      configs?: Array<{ [name: string]: unknown }>;
      rejected?: string;
    };
    caller?: { subject: string };
  };
  /** Outcome: the task, page, configuration, array of all of them or page `{configs, next_page_token}` as JSON, and diagnostics; of a card `{name}`; null after a deletion; or the rejection. */
  "a2a.operation_result": {
    response: {
      status: number;
      headers: Array<[string, string]>;
      body: Array<{ [name: string]: unknown }> | { [name: string]: unknown };
    };
    operation: {
      kind: string;
      task_id?: string;
      history_length?: number;
      include_artifacts?: boolean;
      context_id?: string;
      state?: string;
      page_size?: number;
      config_id?: string;
    };
  };
  /** Outcome: `{method, url, content_type, token, authorization, jwt, body}`: the last as JSON, and `jwt`, where the library signed one: `{header, claims, has_jti, covers_body}`, the claims without `jti` and `request_body_sha256`. */
  "a2a.push_notification": {
    config: {
      url: string;
      task_id: string;
      token?: string;
      authentication?: { [name: string]: unknown };
    };
    update: {
      task?: { [name: string]: unknown };
      statusUpdate?: { [name: string]: unknown };
      artifactUpdate?: { [name: string]: unknown };
    };
    dialect?: string;
    signer?: { issuer: string; key: { [name: string]: unknown } };
  };
  /** Outcome: messages. */
  "a2a.receive": {
    method?: string;
    url?: string;
    headers?: Array<[string, string]>;
    body?: unknown;
    message?: {
      messageId: string;
      role: number | string;
      taskId?: string;
      parts?: Array<{ [name: string]: unknown } | string>;
      metadata?: { [name: string]: unknown };
      contextId?: string;
      kind?: string;
      content?: Array<{ [name: string]: unknown }>;
    };
    task?: {
      status: { [name: string]: unknown };
      id?: string;
      contextId?: string;
      artifacts?: Array<{ [name: string]: unknown }>;
      history?: Array<{ [name: string]: unknown }>;
      kind?: string;
    };
    peer?: string;
    caller?: { subject: string; name?: string; claims?: { [name: string]: unknown } };
    task_id?: string;
    context_id?: string;
    introspection?: { response: { [name: string]: unknown }; issuer: string };
  };
  /** Outcome: `{operation, caller, dialect, id}` and diagnostics, the operation with its `kind`; null for a request that sends a message; or the rejection. */
  "a2a.receive_operation": {
    method: string;
    url: string;
    headers: Array<[string, string]>;
    body: unknown;
    caller?: { subject: string };
  };
  /** Outcome: `{reply_to, parts, status, a2a: {task_id, context_id, state}}`, or the rejection and the verdict. */
  "a2a.receive_push_notification": {
    method: string;
    url: string;
    headers: Array<[string, string]>;
    body: unknown;
    config: {
      url: string;
      task_id?: string;
      token?: string;
      authentication?: { [name: string]: unknown };
    };
    to: NormalizedMessage;
  };
  /** Outcome: `{status, headers, body}`; facts. */
  "a2a.refuse": {
    code: string;
    request: {
      method: string;
      url: string;
      headers: Array<[string, string]>;
      body: { [name: string]: unknown } | string;
    };
  };
  /** Outcome: `{artifacts, update}`: those of the task, and the event of 1.0. */
  "a2a.replace_artifact": {
    task: { id: string; state: string; artifacts: Array<{ [name: string]: unknown }> };
    artifact_id: string;
    parts: Array<Part>;
  };
  /** Outcome: `{status, headers, body}`; facts. */
  "a2a.reply": {
    question: Inputs["a2a.receive"];
    response: ResponseOfCase;
    settlement?: unknown;
    blobs?: { [name: string]: Bytes };
  };
  /** Outcome: the response to a call, and diagnostics. */
  "a2a.result": {
    to: NormalizedMessage;
    response?: {
      status: number;
      headers: Array<[string, string]>;
      body: { [name: string]: unknown } | string;
    };
    chunks?: Array<string>;
    request?: {
      method: string;
      url: string;
      headers: Array<[string, string]>;
      body: { [name: string]: unknown };
    };
  };
  /** Outcome: the response that the caller reads. */
  "a2a.round_trip": {
    question: Inputs["a2a.receive"];
    response?: ResponseOfCase;
    frames?: Array<ResponseOfCase>;
  };
  /** Outcome: the thread of the message. */
  "a2a.thread_id": Inputs["a2a.receive"];
  /** Outcome: the verdict. */
  "a2a.verify": {
    method: string;
    url: string;
    headers: Array<[string, string]>;
    introspection?: {
      response: { [name: string]: unknown };
      issuer: string;
      proof_checked?: boolean;
    };
  };
  /** Outcome: `{activity, inboxes, served}`. */
  "activitypub.build": {
    builder: string;
    actor: string;
    args: { [name: string]: unknown };
    quote_policy?: { automatic?: Array<string>; manual?: [string, string] };
  };
  /** Outcome: the document. */
  "activitypub.collection": {
    url: string;
    total?: number;
    items?: Array<string>;
    first?: string;
    last?: string;
  };
  /** Outcome: the document. */
  "activitypub.collection_page": {
    url: string;
    cursor: string;
    items: Array<string>;
    next_cursor?: string;
    prev_cursor?: string;
    total?: number;
  };
  /** Outcome: `{status, content_type, cache_control, vary, document}`. */
  "activitypub.document_response": { document: unknown; reader?: string; member_of?: Array<string> };
  /** Outcome: `{address, id, inbox, shared_inbox}`. */
  "activitypub.find_actor": { address: string };
  /** Outcome: the digest in hex. */
  "activitypub.followers_digest": { ids: Array<string> };
  /** Outcome: `{activity}`, or `{messages, edited, redelivered}`. */
  "activitypub.inbox": {
    method: string;
    url: string;
    headers: Array<[string, string]>;
    body: unknown;
    before?: Array<{ method: string; url: string; headers: Array<[string, string]>; body: string }>;
  };
  /** Outcome: `done`, `retry`, `other-form`, `gone` or `refused`. */
  "activitypub.judge_delivery": { status: number; both_tried: boolean };
  /** Outcome: `{messages, edited, redelivered}`. */
  "activitypub.object": {
    object_id: string;
    before?: Array<{ method: string; url: string; headers: Array<[string, string]>; body: string }>;
  };
  /** Outcome: `{origin, type, id, digest}`. */
  "activitypub.peek": Inputs["activitypub.receive"];
  /** Outcome: messages. */
  "activitypub.receive": { method: string; url: string; headers: Array<[string, string]>; body: unknown };
  /** Outcome: `{activity, inboxes}`, and `private`: the activity for the asker alone where it is another one; facts. */
  "activitypub.reply": {
    question: Inputs["activitypub.receive"];
    response: ResponseOfCase;
    siblings?: Array<{ address: string; id: string; inbox: string; shared_inbox: string | null }>;
    blobs?: { [name: string]: Bytes };
  };
  /** Outcome: the message that the asker receives as the answer; facts. */
  "activitypub.round_trip": {
    question: Inputs["activitypub.receive"];
    response: ResponseOfCase;
    key?: { pem: string; key_id: string };
    form?: string;
    object_key?: { pem: string; key_id: string };
    siblings?: Array<{ address: string; id: string; inbox: string; shared_inbox: string | null }>;
    blobs?: { [name: string]: Bytes };
  };
  /** Outcome: `{state, not_followers, not_known}`. */
  "activitypub.synchronize": {
    method: string;
    url: string;
    headers: Array<[string, string]>;
    body: unknown;
    actor: string;
    known: Array<string>;
  };
  /** Outcome: the thread of the message. */
  "activitypub.thread_id": Inputs["activitypub.receive"];
  /** Outcome: as `activitypub.reply`, with the id of the note `before`. */
  "activitypub.update": {
    question: Inputs["activitypub.receive"];
    response: ResponseOfCase;
    before: ResponseOfCase;
  };
  /** Outcome: the verdict. */
  "activitypub.verify": Inputs["activitypub.receive"];
  /** Outcome: the verdict, and the `id` of the reader's actor, null unless verified. */
  "activitypub.verify_reader": { method: string; url: string; headers: Array<[string, string]>; body: string };
  /** Outcome: the value of the header `Collection-Synchronization`. */
  "activitypub.with_synchronization": { url: string; followers: Array<string>; collection: string; partial: string };
  /** Outcome: the canonical address. */
  "address.parse": { text: string };
  /** Outcome: `internal` or `external` for each tool that is called. */
  "anp.actions": { declared: Array<[string, string]>; called: Array<string> };
  /** Outcome: `internal` or `external`. */
  "anp.classify": { classification: unknown };
  /** Outcome: the command that it means. */
  "anp.client_message": { data: unknown; user_id: string };
  /** Outcome: `{events, headers}`; facts. */
  "anp.cloudevent": {
    what: Array<{
      effect?: { [name: string]: unknown };
      record?: { [name: string]: unknown };
      submission?: { [name: string]: unknown };
      id?: string;
    }>;
    at?: string;
    source?: string;
  };
  /** Outcome: `{paths}`, by the ids of events. */
  "anp.commit_turn": {
    events: Array<{
      id: string;
      content: string;
      user_id: string;
      routing: { [name: string]: unknown };
      requested: { [name: string]: unknown };
      status: string;
      owner_lease: number;
      revision: number;
      created_at: string;
      delivery_deadline: string;
    }>;
    trigger: string;
    output: string;
    acknowledged_ids: Array<string>;
    running: string | null;
  };
  /** Outcome: `{before, record, expected, path, effects, responsible}`, or a code; facts. */
  "anp.decide": {
    record: { [name: string]: unknown } | null;
    command: Array<unknown> | { [name: string]: unknown } | null;
    rules?: {
      system_ttl_seconds?: number | null;
      cap_seconds?: number;
      urgent_seconds?: { [name: string]: unknown };
      attempts?: number;
      ttl_seconds?: number;
      depth?: number;
    };
    facts?: { [name: string]: boolean };
  };
  /** Outcome: as `anp.decide`, with the ids `waiting` afterwards; facts. */
  "anp.dispatch": {
    event: {
      id: string;
      content: string;
      user_id: string;
      routing: { [name: string]: unknown };
      requested: { [name: string]: unknown };
      status: string;
      owner_lease: number;
      revision: number;
      created_at: string;
      session_id?: string;
      delivery_deadline?: string;
      depth?: number;
    };
    lane?: { is_busy: boolean; waiting?: [string, string]; others?: number };
    facts?: { [name: string]: boolean };
  };
  /** Outcome: `{ids}`: the lane of each event; facts. */
  "anp.lane": {
    events: Array<{
      id: string;
      content: string;
      user_id: string;
      routing: { [name: string]: unknown };
      requested: { [name: string]: unknown };
      status: string;
      owner_lease: number;
      revision: number;
      created_at: string;
      session_id?: string;
    }>;
    rules?: { lanes: string };
  };
  /** Outcome: a time, or null. */
  "anp.next_deadline": {
    records: Array<{
      id: string;
      content?: string;
      user_id?: string;
      routing?: { [name: string]: unknown };
      requested?: { [name: string]: unknown };
      status?: string;
      owner_lease?: number;
      revision?: number;
      created_at?: string;
      delivery_deadline?: string;
      holder?: string;
    }>;
  };
  /** Outcome: the presentation for a human, and `told`: what the agent did, in a sentence; or null. */
  "anp.presentation": { record?: { [name: string]: unknown }; effect?: Effect };
  /** Outcome: `{what, prompt, headings, grants, facts}`; facts. */
  "anp.prompt": {
    events: Array<{ [name: string]: unknown }>;
    rules?: { max_facts?: number; max_fact_characters?: number };
    trigger?: string;
    aware?: Array<{ id: string; user_id: string; awareness: string; content: string }>;
    session_id?: string;
    holder?: string;
    is_busy?: boolean;
  };
  /** Outcome: the CloudEvent, or its content. */
  "anp.read_cloudevent": {
    event?: { [name: string]: unknown };
    request?: { headers: Array<[string, string]>; body?: string };
    as?: string;
    user_id?: string;
  };
  /** Outcome: `{record}`, by facts. */
  "anp.read_notification": { data: unknown; user_id?: string };
  /** Outcome: `{output, acknowledged_ids}`. */
  "anp.read_output": { given: { [name: string]: unknown } | string | null };
  /** Outcome: the submission. */
  "anp.read_submission": {
    data: unknown;
    user_id?: string;
    cause?: {
      id: string;
      content: string;
      user_id: string;
      routing: { [name: string]: unknown };
      requested: { [name: string]: unknown };
      status: string;
      owner_lease: number;
      revision: number;
      created_at: string;
      delivery_deadline: string;
      depth: number;
    };
  };
  /** Outcome: for each `[showing, ack]`: `show`, `replace`, `settle`, `repeat` or `stale`, and `[lease, revision]` or null. */
  "anp.receive_presentation": {
    shown: Array<{
      id: string;
      revision: number;
      lease: number;
      surface: string;
      user_id: string;
      content?: string;
      replaces?: boolean;
      kind?: string;
      how?: string;
      session_id?: string;
      cut?: Array<string>;
    }>;
  };
  /** Outcome: the place after which the stream goes on; null: with a snapshot. */
  "anp.resume": { last_event_id: string | null; oldest: number; newest: number };
  /** Outcome: `{channel, matches, mode, responsible, shown_raw, agent_access, has_deadline, turn, scope}`. */
  "anp.route_table": { address: string; handler: string; target?: string };
  /** Outcome: `{begin, steps, records}`; facts. */
  "anp.story": {
    steps: Array<{
      at: number;
      command?: { [name: string]: unknown };
      facts?: { [name: string]: boolean };
      of?: string;
      follow?: string;
    }>;
    records?: Array<{ [name: string]: unknown }>;
    rules?: { attempts?: number; cap_seconds?: number };
  };
  /** Outcome: `{sse, read, frame, back}`: as Server-Sent Events and as a text frame of WebSocket, and what a reader makes of each; facts. */
  "anp.stream": { item: { event: string; data: unknown; place?: number } };
  /** Outcome: the result of each step, and the final state; facts. */
  "anp.turn": {
    events: Array<{ [name: string]: unknown }>;
    steps: Array<{ [name: string]: unknown }>;
    session_id?: string;
    rules?: {
      lanes?: string;
      turn_ttl_seconds?: number;
      context_ttl_seconds?: number;
      cap_seconds?: number;
    };
  };
  /** Outcome: for each `{ttl, urgency, topic, payload}`; facts. */
  "anp.web_push": {
    what: Array<{ effect?: { [name: string]: unknown }; record?: { [name: string]: unknown } }>;
    ttl_seconds?: number;
  };
  /** Outcome: ids. */
  "bluebubbles.chats": Inputs["bluebubbles.receive"];
  /** Outcome: what is claimed at once: `{type, event_id, native_id, is_new, status, answer, retry?}`, with the answer that the platform gets. */
  "bluebubbles.claim": Inputs["bluebubbles.receive"];
  /** Outcome: what comes of it, once it was claimed, stored as JSON and read back. */
  "bluebubbles.complete": Inputs["bluebubbles.receive"];
  /** Outcome: for each delivery, claimed one after the other, `first`, `same` or a code. */
  "bluebubbles.deliveries": {
    requests: Array<{ url: string; headers: Array<unknown>; body: string }>;
    settings: { secret: string; pseudonym_key: string; issuer: string };
  };
  /** Outcome: its files, with the claims of their tokens. */
  "bluebubbles.files": Inputs["bluebubbles.receive"];
  /** Outcome: its parts. */
  "bluebubbles.parts": Inputs["bluebubbles.receive"];
  /** Outcome: messages; the response that the platform expects, as `{status, body}`; or an event: `{type, object_ids, recipients, actor, parts, previous, content, stored, identities, redelivered}`, with `stored` as ids and `identities` as subjects. */
  "bluebubbles.receive": {
    request: { url: string; headers: Array<[string, string]>; body: string };
    settings: {
      secret: string;
      pseudonym_key: string;
      issuer?: string;
      files?: { [name: string]: unknown };
      groups?: boolean;
      own_messages?: boolean;
      secret_header?: string;
      body_bytes?: number;
    };
  };
  /** Outcome: the calls of its API. */
  "bluebubbles.reply": {
    question: Inputs["bluebubbles.receive"];
    response: ResponseOfCase;
    chat_guid?: string;
    private_api?: boolean;
    blobs?: { [name: string]: string };
    direct_chat_guid?: string;
  };
  /** Outcome: the sender of the message. */
  "bluebubbles.sender": Inputs["bluebubbles.receive"];
  /** Outcome: true. */
  "bluebubbles.verify": Inputs["bluebubbles.receive"];
  /** Outcome: the next link, or null. */
  "capabilities.next_hop": { chain: AgentChain };
  /** Outcome: seconds, or null. */
  "connectors.retry_after": { status: number; headers: Array<[string, string]>; body: string };
  /** Outcome: the evidence. */
  "discord.attest": {
    event: { [name: string]: unknown };
    settings: {
      public_key: string;
      application_id: string;
      issuer: string;
      files?: { [name: string]: unknown };
      role_ids?: Array<string>;
      hears?: string;
      body_bytes?: number;
    };
    audience: string;
    key: { seed: string; kid: string };
    request?: { url: string; headers: Array<[string, string]>; body: string };
    agent_chain?: { hop: number; max_hops: number; is_final: boolean };
  };
  /** Outcome: what is claimed at once: `{type, event_id, native_id, is_new, status, answer, retry?}`, with the answer that the platform gets. */
  "discord.claim": Inputs["discord.receive"];
  /** Outcome: what comes of it, once it was claimed, stored as JSON and read back. */
  "discord.complete": Inputs["discord.receive"];
  /** Outcome: JSON. */
  "discord.defer": { ephemeral?: boolean };
  /** Outcome: for each delivery, claimed one after the other, `first`, `same` or a code. */
  "discord.deliveries": {
    requests: Array<{ t: string; d: { [name: string]: unknown }; op?: number; s?: number }>;
    settings: { public_key: string; application_id: string; issuer: string };
  };
  /** Outcome: its files, with the claims of their tokens. */
  "discord.files": Inputs["discord.receive"];
  /** Outcome: its history. */
  "discord.history": Inputs["discord.receive"];
  /** Outcome: its parts. */
  "discord.parts": Inputs["discord.receive"];
  /** Outcome: messages; the response that the platform expects, as `{status, body}`; or an event: `{type, object_ids, recipients, actor, parts, previous, content, stored, identities, redelivered}`, with `stored` as ids and `identities` as subjects. */
  "discord.receive": {
    settings: {
      public_key: string;
      application_id: string;
      issuer: string;
      files?: { [name: string]: unknown };
      role_ids?: Array<string>;
      hears?: string;
      body_bytes?: number;
    };
    request?: { url: string; headers: Array<[string, string]>; body: string };
    event?: { [name: string]: unknown };
    agent_chain?: { hop: number; max_hops: number; is_final: boolean };
  };
  /** Outcome: the calls of its API. */
  "discord.reply": {
    question: Inputs["discord.receive"];
    response: ResponseOfCase;
    siblings?: { [name: string]: string };
    interaction_token?: string;
    ephemeral?: boolean;
    filled?: boolean;
    update?: string;
    blobs?: { [name: string]: string };
    answers?: Array<{
      id?: string;
      channel_id?: string;
      type?: number;
      code?: number;
      message?: string;
    }>;
    choices?: Array<{ label: string; value: unknown; description?: string }>;
  };
  /** Outcome: the sender of the message. */
  "discord.sender": Inputs["discord.receive"];
  /** Outcome: true. */
  "discord.verify": Inputs["discord.receive"];
  /** Outcome: a URL. */
  "discovery.agent_card_url": { address: string };
  /** Outcome: the resource. */
  "discovery.asked_resource": { url: string };
  /** Outcome: the card. */
  "discovery.connector_card": {
    body: {
      issuer: string;
      keys: Array<{ [name: string]: unknown }>;
      expires_at?: string;
    };
    url?: string;
  };
  /** Outcome: the directory. */
  "discovery.directory": { body: { [name: string]: unknown } };
  /** Outcome: `{status, content_type, document}`. */
  "discovery.nodeinfo": {
    url: string;
    nodeinfo: {
      version: string;
      software: { [name: string]: unknown };
      protocols: Array<string>;
      services: { [name: string]: unknown };
      openRegistrations: boolean;
      usage: { [name: string]: unknown };
      metadata: { [name: string]: unknown };
    };
    method?: string;
  };
  /** Outcome: `{card, call}`. */
  "discovery.read_a2a_card": { card: { [name: string]: unknown }; dialects?: Array<string> };
  /** Outcome: the card. */
  "discovery.read_agent_card": { card: { [name: string]: unknown } | string };
  /** Outcome: the descriptor. */
  "discovery.read_jrd": { body: unknown };
  /** Outcome: the agent and its endpoints. */
  "discovery.resolve_agent": {
    address: string;
    card_keys?: { [name: string]: { [name: string]: unknown } };
    require_signed_cards?: boolean;
  };
  /** Outcome: the card with its signature. */
  "discovery.sign_card": { card: { [name: string]: unknown }; key: { pem: string; key_id: string } };
  /** Outcome: the signed data. */
  "discovery.verify_card": {
    card: { [name: string]: unknown } | string;
    card_keys?: { [name: string]: { [name: string]: unknown } };
    algorithms?: Array<string>;
    domain?: string;
  };
  /** Outcome: `{status, content_type, document}`. */
  "discovery.webfinger": {
    url: string;
    agents: Array<{
      subject: string;
      links: Array<{ [name: string]: unknown }>;
      aliases?: Array<string>;
    }>;
    method?: string;
  };
  /** Outcome: the document. */
  "discovery.write_a2a_card": {
    card: {
      name: string;
      description: string;
      version: string;
      capabilities: { [name: string]: unknown };
      defaultInputModes: Array<string>;
      defaultOutputModes: Array<string>;
      skills: Array<{ [name: string]: unknown }>;
      supportedInterfaces?: Array<{ [name: string]: unknown }>;
      securitySchemes?: { [name: string]: unknown };
      securityRequirements?: Array<{ [name: string]: unknown }>;
      protocolVersion?: string;
      url?: string;
    };
    form: string;
  };
  /** Outcome: the document. */
  "discovery.write_jrd": {
    address: string;
    agent_card: string;
    mailto?: string;
    profile_page?: string;
    actor?: string;
    aliases?: Array<string>;
  };
  /** Outcome: the document. */
  "discovery.write_nodeinfo": {
    software: string;
    version: string;
    users?: number;
    posts?: number;
    repository?: string;
    homepage?: string;
    metadata?: { nodeName: string };
  };
  /** Outcome: messages. */
  "email.receive": {
    raw: Bytes;
    envelope?: { mail_from: string; rcpt_to: Array<string>; spf?: string };
  };
  /** Outcome: `{mail, mail_from, rcpt_to}`, the mail in base64; facts. */
  "email.reply": {
    question: Inputs["email.receive"];
    response: ResponseOfCase;
    key?: { pem: string; key_id: string };
    siblings?: Array<string>;
    sender?: string;
    blobs?: { [name: string]: Bytes };
    supersedes?: string;
  };
  /** Outcome: `{report, stored}`, or `{report: null}`. */
  "email.report": Inputs["email.receive"];
  /** Outcome: the message that the asker receives as the answer; facts. */
  "email.round_trip": Inputs["email.reply"];
  /** Outcome: the thread of the message. */
  "email.thread_id": Inputs["email.receive"];
  /** Outcome: the verdict: `{method, verified, address, key_id, code, temporary}`. */
  "email.verify": {
    raw: Bytes;
    envelope?: { mail_from: string; rcpt_to: Array<string>; spf: string | null };
  };
  /** Outcome: for each step `sent`, `fits` or a code. */
  "files.budget": {
    capability: {
      token_id: string;
      issuer: string;
      audience: string;
      scope: { [name: string]: unknown };
      turn: string;
      max_bytes: number;
      issued_at: string;
      expires_at: string;
      key_id: string;
    };
    steps: Array<{ take?: number; of?: number; at?: number; size?: number }>;
  };
  /** Outcome: the headers. */
  "files.headers": { name?: string; mime?: string };
  /** Outcome: `{url, expires_at, header, claims, same_id}`, the URL without the token. */
  "files.mint": {
    key: { kid: string; secret?: string; public?: string; seed?: string };
    issuer: string;
    provider: string;
    audience: string;
    scope: { workspace: string; channel: string; file: string };
    turn: string;
    max_bytes: number;
    lifetime_seconds?: number;
  };
  /** Outcome: the capability. */
  "files.verify": {
    keys: Array<{ kid: string; secret?: string; public?: string }>;
    issuer: string;
    token?: string;
    presenter?: string;
    scope?: { workspace: string; channel: string; file: string };
    turn?: string;
    size?: number;
    bearer_ok?: boolean;
    minted?: {
      key: { [name: string]: unknown };
      issuer: string;
      provider: string;
      audience: string;
      scope: { [name: string]: unknown };
      turn: string;
      max_bytes: number;
      lifetime_seconds?: number;
    };
    revocable?: boolean;
  };
  /** Outcome: the remaining turns, oldest first, with their times in UTC. */
  "history.trim": { history: Array<HistoricalMessage>; policy: HistoryPolicy };
  /** Outcome: an id. */
  "id.uuid7": { label: string; n: number };
  /** Outcome: the roles, sorted. */
  "identity.acl": {
    agent: string;
    grants: Array<{
      role: string;
      subject_prefixes?: Array<string>;
      methods?: Array<string>;
      subjects?: Array<string>;
      issuers?: Array<string>;
      assurance?: Array<string>;
    }>;
    identities: Array<VerifiedIdentity>;
  };
  /** Outcome: the evidence. */
  "identity.attest": {
    subject: string;
    issuer: string;
    method: string;
    assurance: string;
    audience: Array<string> | string;
    source: { transport?: string; connector?: string; channel?: string; via?: string };
    claims: Array<unknown> | { [name: string]: unknown };
    key: { seed: string; key_id: string };
    lifetime_seconds?: number;
    id?: string;
    on_behalf_of?: Array<string>;
  };
  /** Outcome: `{verified_by, roles, grants, step, code}`. */
  "identity.explain": {
    document: unknown;
    agent: string;
    issuer: string;
    subject: string;
    method: string;
    assurance: string;
  };
  /** Outcome: `{trust, agents}`, the policy and the grants by agent, a grant without empty members; findings as `{kind, at}`. */
  "identity.lint": { document: unknown };
  /** Outcome: a profile or null. */
  "identity.profile": { identity: VerifiedIdentity };
  /** Outcome: a Connector Card, each key with its `fault` or none. */
  "identity.read_card": { body: { [name: string]: unknown } | string; url?: string };
  /** Outcome: `{trust, agents}`, the policy and the grants by agent, a grant without empty members; findings as `{kind, at}`. */
  "identity.read_trust": { document: unknown };
  /** Outcome: `{status, headers, body}`, with the headers `content-type`, `cache-control` and `access-control-allow-origin`. */
  "identity.serve_card": {
    card: {
      issuer: string;
      name: string;
      version: string;
      keys: Array<{ [name: string]: unknown }>;
      callbacks?: { [name: string]: unknown };
      methods?: Array<string>;
      subject_prefixes?: Array<string>;
      expires_at?: string;
      motto?: string;
    };
    keys?: Array<{ kid: string; x: string | null; fault?: string }>;
  };
  /** Outcome: the bytes that are signed. */
  "identity.signing_input": {
    evidence: {
      subject: string;
      issuer: string;
      method: string;
      assurance: string;
      audience: string;
      issued_at: string;
      expires_at: string;
      source: { [name: string]: unknown };
      claims: { [name: string]: unknown };
      proof?: { [name: string]: unknown };
      more?: Array<unknown>;
    };
    proof_removed?: boolean;
  };
  /** Outcome: for each step the subject or a code. */
  "identity.story": {
    recipient: string;
    caller: string;
    said: string;
    steps: Array<{
      evidence: { [name: string]: unknown };
      said?: string;
      caller?: string;
      recipient?: string;
      at?: number;
    }>;
    evidence?: { [name: string]: unknown } | string;
    as?: string;
    explain?: boolean;
  };
  /** Outcome: a thumbprint. */
  "identity.thumbprint": {
    jwk: {
      kty: string;
      crv?: string;
      x?: string;
      kid?: string;
      use?: string;
      alg?: string;
      n?: string;
      e?: string;
    };
  };
  /** Outcome: the policy. */
  "identity.trust_policy": { data: unknown };
  /** Outcome: the identity; with `explain` `{code, step}`, null for none. */
  "identity.verify": {
    evidence: { [name: string]: unknown } | string;
    recipient: string;
    said: string;
    caller?: string;
    as?: string;
    explain?: boolean;
  };
  /** Outcome: `{subjects, evidence, profile, refused}`, the last the places of refused evidence. */
  "identity.verify_all": { recipient: string; said: string; carrier: unknown; caller?: string };
  /** Outcome: the rows. */
  "ingest.assemble": {
    rows: Array<{ [name: string]: unknown } | string>;
    agent?: number | string;
    again?: boolean | { [name: string]: unknown };
    quote_body_headers?: boolean;
    context?: string;
    guard?: string;
    multimodal?: string;
    repeats?: string;
  };
  /** Outcome: text, or null. */
  "ingest.context": { sender_display_name?: string; thread_context?: unknown } | null;
  /** Outcome: text, or null. */
  "ingest.header": {
    sender_display_name?: number | string | null;
    mention_token?: unknown;
    sender_displayname?: string;
    source?: string;
    sender_id?: string;
  } | null;
  /** Outcome: `{system, messages}`; with `names: true` also the `names` of tools: as written → as the program has them. */
  "ingest.lower": {
    rows: Array<{
      role?: string;
      content?: Array<{ [name: string]: unknown }> | string | null;
      _metadata?: { [name: string]: unknown };
      tool_calls?: Array<{ [name: string]: unknown }>;
      type?: string;
      call_id?: string;
      name?: string;
      arguments?: string;
      parts?: Array<{ [name: string]: unknown }>;
      tool_call_id?: string;
      id?: string;
      _row?: number;
    }>;
    dialect: string;
    names?: boolean;
    placement?: string;
  };
  /** Outcome: `{content, metadata, attachments, address}`. */
  "ingest.message": {
    message?: NormalizedMessage;
    with_history?: boolean;
    hints?: { [name: string]: unknown };
    sender_type?: string;
    turn?: HistoricalMessage;
    received_via?: string;
  };
  /** Outcome: the metadata without nulls. */
  "ingest.metadata": { data: unknown; source?: string };
  /** Outcome: the rows. */
  "ingest.read_messages": { dialect: string; messages: unknown };
  /** Outcome: `{text, shape, thread_context, prefix}`. */
  "ingest.strip_legacy": {
    content: number | string;
    source: string | null;
    created_at?: string;
    sender_name?: string;
    cutoff?: string;
  };
  /** Outcome: text, or null. */
  "ingest.thread_summary": { turns: Array<HistoricalMessage>; received_via?: string };
  /** Outcome: the name under which a tool is declared. */
  "ingest.tool_name": { name: string; dialect: string };
  /** Outcome: the prior turn. */
  "ingest.turn": {
    message: {
      content: string;
      metadata: { [name: string]: unknown };
      address?: string;
      attachments?: Array<{ [name: string]: unknown }>;
    };
    timestamp: string;
    id?: string;
  };
  /** Outcome: the value, read strictly within `limits.activitypub_bytes` and `limits.json_depth`. */
  "json.loads": { data: Bytes };
  /** Outcome: the resolution. */
  "policy.accept": {
    candidate: {
      kind: string;
      state: string;
      scheme?: string;
      original_payload?: { [name: string]: unknown };
      scope_hash?: string;
      payer?: string;
      receipt?: { [name: string]: unknown };
    };
    message?: NormalizedMessage;
    subject?: string;
  };
  /** Outcome: the URL. */
  "policy.bind_url": { url: string; authority: string; also?: Array<string> };
  /** Outcome: places in the response that break a rule. */
  "policy.check_response": {
    message: NormalizedMessage;
    response: ResponseOfCase;
    record?: { [name: string]: unknown };
    resumed?: boolean | { [name: string]: unknown };
  };
  /** Outcome: the card that declares policies; whether a card declares them. */
  "policy.declare": { card: unknown };
  /** Outcome: `{policy, diagnostics}`. */
  "policy.from_http": {
    status: number;
    headers: Array<[string, string]>;
    body: { [name: string]: unknown } | string;
    authority: string | null;
  };
  /** Outcome: the text that people read; HTML by facts. */
  "policy.html": { policy: PolicyPart };
  /** Outcome: the card that declares policies; whether a card declares them. */
  "policy.is_declared": {
    card: Array<{ [name: string]: unknown }> | { [name: string]: unknown } | null;
  };
  /** Outcome: `{part, record}`. */
  "policy.issue": {
    part: {
      kind: string;
      message: string;
      accepted_payments?: Array<{ [name: string]: unknown }>;
      state?: string;
      return_to?: string;
      url?: string;
    };
    to: NormalizedMessage;
    scope?: unknown;
    lifetime_seconds?: number;
    callbacks?: Array<string>;
    subject?: string;
  };
  /** Outcome: the policy. */
  "policy.localize": { policy: PolicyPart; languages: Array<string> };
  /** Outcome: the text that people read; HTML by facts. */
  "policy.markdown": { policy: PolicyPart };
  /** Outcome: `{policy, diagnostics}`, the policy null when it does not count. */
  "policy.read": { value: unknown; authority?: string };
  /** Outcome: the candidate. */
  "policy.read_resolution": { value: unknown };
  /** Outcome: the resolution. */
  "policy.resume": { message: NormalizedMessage; subject?: string };
  /** Outcome: SHA-256 in hex. */
  "policy.scope_hash": { scope: unknown };
  /** Outcome: SHA-256 in hex. */
  "policy.state_key": { state: string };
  /** Outcome: the result of each step. */
  "policy.story": {
    issue: Array<{ [name: string]: unknown }> | { [name: string]: unknown };
    steps: Array<{ accept?: { [name: string]: unknown }; resume?: { [name: string]: unknown } }>;
  };
  /** Outcome: the text that people read; HTML by facts. */
  "policy.text": { policy: PolicyPart };
  /** Outcome: `{status, headers, body}`, the body as JSON; facts. */
  "policy.to_http": { policy: PolicyPart };
  /** Outcome: `{policy, diagnostics}`. */
  "policy.x402_demand": {
    metadata: { [name: string]: unknown } | null;
    message?: string;
    state?: string;
    parts?: Array<{ text?: string; data?: unknown }>;
  };
  /** Outcome: whether the payment in the metadata pays it. */
  "policy.x402_fits": {
    metadata: { [name: string]: { [name: string]: unknown } | string };
    offered: {
      x402Version?: number;
      requirement?: { [name: string]: unknown };
      resource?: { [name: string]: unknown };
      session_id?: string;
    };
  };
  /** Outcome: the metadata for clients of x402. */
  "policy.x402_metadata": { policy: PolicyPart };
  /** Outcome: `{scheme, network, payer, nonce}`, or null for none. */
  "policy.x402_payment": { metadata: { [name: string]: unknown }; parts?: Array<{ data: unknown }> };
  /** Outcome: `{system, messages}`, the messages in the provider's format; facts. */
  "prompt.render": {
    message: NormalizedMessage;
    blobs?: { [name: string]: string };
    dialect?: string;
    placement?: string;
    instructions?: number | string;
  };
  /** Outcome: text, or null without a chain. */
  "render.agent_chain": { chain: AgentChain | null };
  /** Outcome: text: that of the relay and, where there is a chain, a blank line and that of the chain. */
  "render.capabilities": { capabilities: RecipientCapabilities };
  /** Outcome: text. */
  "render.mention_relay": { capability: MentionRelayCapability };
  /** Outcome: the line. */
  "render.tool_call": { part: ToolCallPart; budget?: number };
  /** Outcome: the response that the frames make together. */
  "response.assemble": { frames: Array<ResponseOfCase> };
  /** Outcome: `{channel, thread_ref}`; `thread_ref` is null where the response names another channel, and no thread there. */
  "response.destination": { response: ResponseOfCase; to: NormalizedMessage };
  /** Outcome: frames; compared by facts. */
  "response.split": { response: ResponseOfCase; stream_id: string; text_chars?: number };
  /** Outcome: null for one whole stream. */
  "response.stream": { frames: Array<ResponseOfCase> };
  /** Outcome: `{method, url, said, files, names, …}`; facts. */
  "rest.call": {
    message: NormalizedMessage;
    url: string;
    blobs?: { [name: string]: string };
    session?: string;
    token?: string;
    stream?: boolean;
    evidence?: Array<IdentityEvidence>;
    history?: Array<HistoricalMessage>;
    receipt?: { [name: string]: unknown };
  };
  /** Outcome: its fields. */
  "rest.fields": Inputs["activitypub.receive"];
  /** Outcome: messages. */
  "rest.receive": {
    fields?: Array<Array<Bytes | null>>;
    request?: { url: string; method?: string; headers?: Array<[string, string]> };
    caller?: { subject: string };
    method?: string;
    url?: string;
    headers?: Array<[string, string]>;
    body?: Bytes;
  };
  /** Outcome: as `rest.reply`. */
  "rest.refuse": { code: string };
  /** Outcome: `{status, media_type, text, json, events, …}`; facts. */
  "rest.reply": {
    question: Inputs["rest.receive"];
    response: ResponseOfCase;
    settlement?: { [name: string]: Array<{ [name: string]: unknown }> | string };
    blobs?: { [name: string]: string };
  };
  /** Outcome: the response, and diagnostics. */
  "rest.result": {
    to: NormalizedMessage;
    chunks?: Array<string>;
    response?: { status: number; headers: Array<[string, string]>; body: unknown };
  };
  /** Outcome: the message that the call gives; the response that is read. */
  "rest.round_trip": {
    message?: NormalizedMessage;
    url?: string;
    session?: string;
    blobs?: { [name: string]: string };
    history?: Array<HistoricalMessage>;
    question?: Inputs["rest.receive"];
    response?: ResponseOfCase;
    frames?: Array<ResponseOfCase>;
  };
  /** Outcome: the evidence. */
  "slack.attest": {
    request: { url: string; headers: Array<[string, string]>; body: string };
    settings: {
      signing_secrets: Array<string>;
      issuer: string;
      files?: { [name: string]: unknown };
      teams?: Array<string>;
      guests?: boolean;
      hears?: string;
      body_bytes?: number;
    };
    key: { seed: string; kid: string };
    audience: string;
    agent_chain?: { hop: number; max_hops: number; is_final: boolean };
  };
  /** Outcome: what is claimed at once: `{type, event_id, native_id, is_new, status, answer, retry?}`, with the answer that the platform gets. */
  "slack.claim": Inputs["slack.receive"];
  /** Outcome: what comes of it, once it was claimed, stored as JSON and read back. */
  "slack.complete": Inputs["slack.receive"];
  /** Outcome: for each delivery, claimed one after the other, `first`, `same` or a code. */
  "slack.deliveries": {
    requests: Array<{ url: string; headers: Array<[string, string]>; body: string }>;
    settings: { signing_secrets: Array<string>; issuer: string };
  };
  /** Outcome: its files, with the claims of their tokens. */
  "slack.files": Inputs["slack.receive"];
  /** Outcome: its history. */
  "slack.history": Inputs["slack.receive"];
  /** Outcome: text. */
  "slack.markdown_to_mrkdwn": { text: string; mentions?: Array<string> };
  /** Outcome: text. */
  "slack.mrkdwn_to_markdown": { text: string; names: { [name: string]: string } };
  /** Outcome: its parts. */
  "slack.parts": Inputs["slack.receive"];
  /** Outcome: the calls. */
  "slack.presence": {
    question: Inputs["slack.receive"];
    status?: string;
    emoji?: string;
    remove?: boolean;
  };
  /** Outcome: messages; the response that the platform expects, as `{status, body}`; or an event: `{type, object_ids, recipients, actor, parts, previous, content, stored, identities, redelivered}`, with `stored` as ids and `identities` as subjects. */
  "slack.receive": {
    request: { url: string; headers: Array<[string, string]>; body: string };
    settings: {
      signing_secrets: Array<string>;
      issuer: string;
      files?: { [name: string]: unknown };
      teams?: Array<string>;
      guests?: boolean;
      hears?: string;
      body_bytes?: number;
    };
    agent_chain?: { hop: number; max_hops: number; is_final: boolean };
  };
  /** Outcome: the calls of its API. */
  "slack.reply": {
    question: Inputs["slack.receive"];
    response: ResponseOfCase;
    siblings?: { [name: string]: string };
    update?: string;
    broadcast?: boolean;
    response_url?: string;
    ephemeral?: boolean;
    mentions?: Array<string>;
    choices?: Array<{ label: string; value: unknown }>;
  };
  /** Outcome: a URL, or null. */
  "slack.response_url": Inputs["slack.receive"];
  /** Outcome: the sender of the message. */
  "slack.sender": Inputs["slack.receive"];
  /** Outcome: a list of calls for each frame. */
  "slack.stream": { question: Inputs["slack.receive"]; ts: string; frames: Array<ResponseOfCase> };
  /** Outcome: true. */
  "slack.verify": Inputs["slack.receive"];
  /** Outcome: text. */
  "text.from_html": { html: string };
  /** Outcome: text. */
  "text.markdown_from_html": { html: string };
  /** Outcome: RFC 3339 in UTC, to the microsecond, without zeros at the end of the fraction. */
  "time.parse": { text: string };
  /** Outcome: the invalid parts of it: `[{code, at}]`, sorted by the pointers `at`. */
  "trace.left_out": { annotation: string };
  /** Outcome: the valid part of the response (R54). */
  "trace.read": { annotation: string };
  /** Outcome: `{viewer}`. */
  "trace.viewer": { value: unknown };
  /** Outcome: `{text, href, html}`, `href` is null when there is no trace; facts. */
  "trace.write": { response: ResponseOfCase };
  /** Outcome: the value as JSON: read from any source, read from one's own store, and written. */
  "value.decode": { type: string; data: unknown };
  /** Outcome: the value as JSON: read from any source, read from one's own store, and written. */
  "value.encode": { type: string; data: unknown };
  /** Outcome: the value as JSON: read from any source, read from one's own store, and written. */
  "value.restore": { type: string; data: unknown };
}

/** What a harness may be asked to do. */
export type Operation = keyof Inputs;

/** One operation to run. */
export interface RunOf<Name extends Operation> {
  cmd: "run";
  seq: number;
  op: Name;
  given: Given;
  input: Inputs[Name];
}

/** The line that asks for an answer. `op` says what `input` is. */
export type Run = { [Name in Operation]: RunOf<Name> }[Operation];

export interface Start {
  cmd: "start";
  protocol: 1;
}

export interface Stop {
  cmd: "stop";
}

export interface Started {
  protocol: 1;
  implementation: {
    name: string;
    version?: string;
    language?: string;
    homepage?: string;
    issues?: string;
  };
  ops: Array<Operation>;
}

/** Every outcome that an operation may have. */
export interface Outcomes {
  messages: Array<NormalizedMessage>;
  value: unknown;
  bytes: string;
  rejected: { code: string };
  skipped: { why: string; issue_url?: string };
  errored: { message: string };
}

/** What may come with an outcome. */
export interface Beside {
  verdict?: Verdict | null;
  candidate?: { [name: string]: unknown } | null;
  diagnostics?: Array<string>;
  /** Every question asked, in order, such as `GET https://…`. */
  asks?: Array<string>;
}

/** What comes of an operation: exactly one of these. */
export type Outcome = {
  [Name in keyof Outcomes]: Pick<Outcomes, Name> & { [Other in Exclude<keyof Outcomes, Name>]?: never };
}[keyof Outcomes];

/** What a case is judged by. */
export type Answer = Outcome & Beside;

/** The line that answers a `Run`. */
export type Answered = Answer & { seq: number };

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
  "anp.cloudevent": "ids" | "specversions" | "types" | "sources" | "subjects" | "times" | "datacontenttypes" | "event_ids" | "contents" | "named" | "headers";
  "anp.web_push": "ttls" | "urgencies" | "topics" | "are_topics" | "leaks" | "longest" | "fits" | "cut" | "kept" | "contents" | "actions" | "metadata";
  "anp.stream": "lines" | "sse" | "frame" | "back";
}
