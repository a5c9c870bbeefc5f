// What Vercel's AI SDK makes of model messages: its schema reads them, and they become the prompt of a provider.

globalThis.AI_SDK_LOG_WARNINGS = false;

export const does = (require) => ({
  async "ai.read"({ units, onlyTakes }) {
    const { modelMessageSchema } = require("ai");
    const { convertToLanguageModelPrompt } = require("ai/internal");
    const found = [];
    for (const unit of units) {
      try {
        const messages = unit.map((message) => modelMessageSchema.parse(message));
        if (onlyTakes) {
          found.push(true);
          continue;
        }
        const supportedUrls = { "*": [/^https:/], "*/*": [/^https:/], "image/*": [/^https:/] };
        const download = async (files) => files.map(({ isUrlSupportedByModel: isTaken, url }) => {
          if (!isTaken) throw new Error(`nothing is fetched here: ${url}`);
          return null;
        });
        found.push(events(await convertToLanguageModelPrompt({ prompt: { messages }, supportedUrls, download })));
      } catch (error) {
        found.push({ refused: `${error?.name}: ${error?.message}`.slice(0, 600) });
      }
    }
    return found;
  },
});

function events(prompt) {
  const found = [];
  for (const { role, content } of prompt) {
    if (role === "system") found.push([role, "text", content]);
    else for (const part of content) found.push(event(role, part));
  }
  return found;
}

function event(role, part) {
  switch (part.type) {
    case "text":
      return [role, "text", part.text];
    case "tool-call":
      return [role, "call", part.toolName, part.input];
    case "tool-result":
      return ["tool", "result", part.toolName, part.output];
    case "file": {
      const data = part.data?.type === "data" ? part.data.data : part.data?.type === "url" ? part.data.url : part.data;
      if (data instanceof URL) return [role, "url", data.href];
      const named = part.filename === undefined ? [] : [part.filename];
      return [role, "file", part.mediaType, Buffer.from(data, "base64").toString("hex"), ...named];
    }
  }
  throw new Error(`a part of type ${part.type}`);
}
