// CloudEvents, and requests of Web Push.

export const does = (require) => ({
  // Each message read and looked through; null where it is none.
  "cloudevents.read": ({ messages }) => {
    const { HTTP } = require("cloudevents");
    return messages.map((message) => {
      try {
        const event = HTTP.toEvent(message);
        event.validate();
        return event.toJSON();
      } catch {
        return null;
      }
    });
  },

  // Each event in structured and in binary mode.
  "cloudevents.write": ({ events }) => {
    const { CloudEvent, HTTP } = require("cloudevents");
    return events.map((event) => [HTTP.structured, HTTP.binary].map((write) => write(new CloudEvent(event))));
  },

  "webpush.requests": ({ keys, pushes }) => {
    const { generateRequestDetails } = require("web-push");
    return pushes.map(({ payload, headers }) => {
      const options = { TTL: headers.TTL, urgency: headers.Urgency, topic: headers.Topic };
      const subscription = { endpoint: "https://push.example/1", keys };
      const made = generateRequestDetails(subscription, Buffer.from(payload, "base64"), options);
      return { headers: made.headers, body: made.body.toString("base64") };
    });
  },
});
