// What the A2A SDKs for JavaScript post to webhooks: a JSON object a line each way.
// The libraries are looked up from the folder in the first argument.

import { createRequire } from "node:module";
import { serve } from "./lines.mjs";

const require = createRequire(`${process.argv[2]}/package.json`);
console.debug = console.info = console.warn = () => {};

const DOES = {
  // The sender of v1.0 with an event of v1.0; the payload is what the SDK has in place of its JSON.
  async send({ config, event }) {
    const { DefaultPushNotificationSender } = require("@a2a-js/sdk/server");
    const { StreamResponse } = require("@a2a-js/sdk");
    const store = { load: async () => [config] };
    await new DefaultPushNotificationSender(store).send(StreamResponse.fromJSON(event), { requestedVersion: "1.0" });
  },

  async send_old({ config, task }) {
    const { DefaultPushNotificationSender } = require("@a2a-js/sdk-0.3/server");
    await new DefaultPushNotificationSender({ load: async () => [config] }).send(task);
  },
};

await serve(DOES);
