/** A host that tests move by hand, and the events that it sends. */

import type { Presentation, Settled } from "../src/types.ts";

export const URL_OF_HOST = "https://agents.example/notifications";

export function presentation(id: string, more: Partial<Presentation> = {}): Presentation {
  return {
    id,
    revision: 1,
    lease: 1,
    surface: "inbox",
    user_id: "olivia",
    content: `Words of ${id}.`,
    replaces: false,
    ...more,
  };
}

export function settled(id: string, more: Partial<Settled> = {}): Settled {
  return {
    kind: "settled",
    id,
    revision: 1,
    lease: 1,
    how: "acknowledged",
    surface: "inbox",
    user_id: "olivia",
    ...more,
  };
}

interface Item {
  place: number;
  event: string;
  data: unknown;
}

interface Connection {
  sent: Item[];
  send(item: Item): void;
  after: string | null;
  write(text: string): void;
  cut(): void;
  isOpen: boolean;
}

/** A host with one human: a stream of items, and what clients have sent. */
export class FakeHost {
  items: Item[] = [];
  connections: Connection[] = [];
  received: any[] = [];
  requests: { method: string; path: string; headers: Headers; body: unknown }[] = [];
  isDown = false;
  /** Whether it keeps nothing of its stream, so that a client begins with a snapshot. */
  forgets = false;
  status = 200;
  user = "olivia";
  /** What it answers to a message of a client. */
  codeOf: (message: any) => string | null = () => null;
  /** Whether it tells all devices what was acknowledged. */
  settles = true;

  get live(): Connection[] {
    return this.connections.filter((one) => one.isOpen);
  }

  fetch: typeof fetch = async (input, init = {}) => {
    const url = new URL(String(input));
    const path = url.href.slice(URL_OF_HOST.length + 1);
    const headers = new Headers(init.headers);
    const body = init.body ? JSON.parse(String(init.body)) : undefined;
    this.requests.push({ method: init.method ?? "GET", path, headers, body });
    await Promise.resolve();
    if (this.isDown) throw new TypeError("failed to fetch");
    if (this.status !== 200) return new Response("", { status: this.status });
    if (path === "stream") return this.#stream(headers, init.signal ?? undefined);
    if (path === "client") return Response.json({ results: body.map((one: any) => this.#take(one)) });
    if (path === "chat") return new Response("", { status: 202 });
    return new Response("", { status: 404 });
  };

  #take(message: any): { id: string; code: string | null } {
    const { id, lease, revision, how } = message;
    const open = this.open().find((one) => one.id === id);
    const stale = open?.lease !== lease ? "stale-lease" : open?.revision !== revision ? "stale-revision" : null;
    const code = this.codeOf(message) ?? (open ? stale : "already-terminal");
    this.received.push(message);
    if (code === null && this.settles)
      this.say("settled", settled(id, { lease, revision, how: how === "clicked" ? "acknowledged" : "seen" }));
    return { id, code };
  }

  #stream(headers: Headers, signal: AbortSignal | undefined): Response {
    const encoder = new TextEncoder();
    const after = headers.get("Last-Event-ID");
    let controller!: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({ start: (one) => void (controller = one) });
    const end = (act: () => void) => {
      if (connection.isOpen) act();
      connection.isOpen = false;
    };
    const connection: Connection = {
      after,
      sent: [],
      send(item) {
        this.sent.push(item);
        this.write(frame(item));
      },
      isOpen: true,
      write: (text) => connection.isOpen && controller.enqueue(encoder.encode(text)),
      cut: () => end(() => controller.error(new TypeError("cut off"))),
    };
    signal?.addEventListener("abort", () => end(() => controller.error(signal.reason)));
    this.connections.push(connection);
    connection.write(
      `event: ready\ndata: ${JSON.stringify({ user_id: this.user, agent: "Helper", device: "d1" })}\n\n`,
    );
    if (after === null || this.forgets) connection.send(this.snapshot());
    else for (const item of this.items) if (item.place > Number(after)) connection.send(item);
    return new Response(body, { headers: { "Content-Type": "text/event-stream; charset=utf-8" } });
  }

  get place(): number {
    return this.items.at(-1)?.place ?? 0;
  }

  /** What is open: the last presentation of each event that was not settled after it. */
  open(): Presentation[] {
    const open = new Map<string, Presentation>();
    for (const { event, data } of this.items)
      if (event === "presentation") open.set((data as Presentation).id, data as Presentation);
      else if (event === "settled") open.delete((data as Settled).id);
    return [...open.values()];
  }

  snapshot(): Item {
    return { place: this.place, event: "snapshot", data: { kind: "snapshot", presentations: this.open(), omitted: 0 } };
  }

  /** Stores an item, and sends it to whoever is connected. */
  say(event: string, data: unknown): number {
    const item = { place: this.place + 1, event, data };
    this.items.push(item);
    for (const one of this.live) one.send(item);
    return item.place;
  }

  present(id: string, more: Partial<Presentation> = {}): number {
    return this.say("presentation", presentation(id, more));
  }

  cut(): void {
    for (const one of this.live) one.cut();
  }
}

function frame({ place, event, data }: Item): string {
  return `event: ${event}\nid: ${place}\ndata: ${JSON.stringify(data)}\n\n`;
}
