/** What most pages need later or never: it is fetched when it is first used, so it must import nothing of the rest. */

export { memoryStorage } from "./memory.ts";
export { closeNotifications, disablePush, enablePush } from "./push.ts";
export type { Pushing } from "./push.ts";
export { watch } from "./visibility.ts";
export { readFrames } from "./websocket.ts";
