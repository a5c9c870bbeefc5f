// The operations of the Agentic Notification Protocol.

import { classify } from "./anp-agent.ts";
import { clientCommand, received } from "./anp-client.ts";
import { cloudEvents } from "./anp-cloudevent.ts";
import { readCloudEvent } from "./anp-cloudevent-read.ts";
import { decisionAnswers, decisionValues } from "./anp-decide.ts";
import { readNotification, readSubmission } from "./anp-event.ts";
import { actionsOf, readOutput } from "./anp-output.ts";
import { presented } from "./anp-presentation.ts";
import { routeTable } from "./anp-route.ts";
import { committedTurn, dispatched, lanesOf, turnPrompt, turnScript } from "./anp-script.ts";
import type { Value } from "./shape.ts";
import { resumed, streamed } from "./anp-stream.ts";
import { webPush } from "./anp-web-push.ts";

export const anpValues = {
  "anp.route_table": routeTable,
  "anp.classify": ({ classification }: Value) => classify(classification),
  "anp.read_submission": readSubmission,
  "anp.read_notification": ({ data, user_id: userId }: Value) => ({ record: readNotification(data, userId) }),
  "anp.actions": (input: Value) => actionsOf(input, classify),
  "anp.lane": lanesOf,
  "anp.presentation": presented,
  "anp.receive_presentation": received,
  "anp.client_message": clientCommand,
  "anp.stream": streamed,
  "anp.resume": resumed,
  "anp.cloudevent": cloudEvents,
  "anp.read_cloudevent": readCloudEvent,
  "anp.web_push": webPush,
  ...decisionValues,
};
export const anpAnswers = {
  ...decisionAnswers,
  "anp.dispatch": dispatched,
  "anp.turn": turnScript,
  "anp.commit_turn": committedTurn,
  "anp.prompt": turnPrompt,
  "anp.read_output": readOutput,
};
