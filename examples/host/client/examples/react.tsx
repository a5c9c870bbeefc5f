/** Notifications in React: a hook, and a list that uses it. Copy it; React is yours. */

import { connect } from "mentionable-notifications";
import type { Client, Options, Presentation, State } from "mentionable-notifications";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";

const NONE: readonly Presentation[] = [];

/** What is open, how the connection is, and the client. Give the same `options` each time: they are read once. */
export function useNotifications(options: Options = {}): {
  events: readonly Presentation[];
  state: State | undefined;
  client: Client | undefined;
} {
  const [client, setClient] = useState<Client>();
  const first = useRef(options);

  useEffect(() => {
    const client = connect(first.current);
    setClient(client);
    return () => client.close();
  }, []);

  const subscribe = useCallback(
    (changed: () => void) => {
      const offs = (["presentation", "settled", "state"] as const).map((name) => client?.on(name, changed));
      return () => offs.forEach((off) => off?.());
    },
    [client],
  );
  return {
    events: useSyncExternalStore(subscribe, () => client?.open() ?? NONE, () => NONE),
    state: useSyncExternalStore(subscribe, () => client?.state, () => undefined),
    client,
  };
}

/** One event: it counts as seen when it was in view for a moment, and as acknowledged when it is clicked. */
function Item({ event, client }: { event: Presentation; client: Client }) {
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => client.observe(element.current!, event.id), [client, event]);
  return (
    <li ref={element} dir="auto">
      {event.content}
      {event.actions?.map((action) => <small key={action}> · {action}</small>)}
      <button onClick={() => void client.acknowledge(event.id)}>Done</button>
    </li>
  );
}

export function Notifications(options: Options) {
  const { events, state, client } = useNotifications(options);
  return (
    <section aria-label="Notifications">
      <p role="status">{state?.connection === "live" ? `${events.length} open` : "Offline"}</p>
      <ul>{client && events.map((event) => <Item key={event.id} event={event} client={client} />)}</ul>
    </section>
  );
}
