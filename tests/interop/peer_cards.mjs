// What the A2A SDK for JavaScript makes of signed cards, and Fedify of WebFinger: a JSON object a line each way.
// The libraries are looked up from the folder in the first argument. Nothing is fetched: documents come along.

import { createPrivateKey, createPublicKey } from "node:crypto";
import { createRequire } from "node:module";
import { serve } from "./lines.mjs";

const require = createRequire(`${process.argv[2]}/package.json`);
console.debug = () => {};

const ACTOR = "/users/{identifier}";

const DOES = {
  canonical: ({ cards }) => cards.map((card) => require("@a2a-js/sdk").canonicalizeAgentCard(card)),

  async sign({ card, pem, header }) {
    const { generateAgentCardSignature } = require("@a2a-js/sdk");
    return await generateAgentCardSignature(createPrivateKey(pem), header)(card);
  },

  async verify({ cards, jwk }) {
    const { verifyAgentCardSignature } = require("@a2a-js/sdk");
    const key = createPublicKey({ key: jwk, format: "jwk" });
    const said = [];
    for (const card of cards) {
      const asked = [];
      const verifier = verifyAgentCardSignature(async (kid) => (asked.push(kid), key));
      try {
        await verifier(card);
        said.push(asked);
      } catch (error) {
        said.push(`${error.message}`);
      }
    }
    return said;
  },

  // What Fedify asks for a resource, and what it reads in the answer that comes along.
  async look_up({ resource, response }) {
    const { lookupWebFinger } = require("@fedify/webfinger");
    const asked = [];
    globalThis.fetch = async (url) => {
      asked.push(`${url.href ?? url}`);
      return new Response(response.body, { status: response.status, headers: response.headers });
    };
    return { asked, found: await lookupWebFinger(resource, { allowPrivateAddress: true }) };
  },

  // What a server made with Fedify answers, for its one actor.
  async serve({ url, name, links }) {
    const { createFederation, MemoryKvStore } = require("@fedify/fedify");
    const { Person } = require("@fedify/vocab");
    const federation = createFederation({ kv: new MemoryKvStore() });
    federation.setActorDispatcher(ACTOR, (context, id) =>
      id === name ? new Person({ id: context.getActorUri(id), preferredUsername: id, url: new URL(`/@${id}`, url) }) : null);
    federation.setWebFingerLinksDispatcher(() => links);
    const response = await federation.fetch(new Request(url), { contextData: undefined });
    return { status: response.status, content_type: response.headers.get("content-type"), body: await response.text() };
  },
};

await serve(DOES);
