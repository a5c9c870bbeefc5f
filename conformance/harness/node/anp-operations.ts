// The operations of the Agentic Notification Protocol.

import { classify } from "./anp-agent.ts";
import { decisionAnswers, decisionValues } from "./anp-decide.ts";
import { readNotification, readSubmission } from "./anp-event.ts";
import { routeTable } from "./anp-route.ts";
import type { Value } from "./shape.ts";

export const anpValues = {
  "anp.route_table": routeTable,
  "anp.classify": ({ classification }: Value) => classify(classification),
  "anp.read_submission": readSubmission,
  "anp.read_notification": ({ data, user_id: userId }: Value) => ({ record: readNotification(data, userId) }),
  ...decisionValues,
};
export const anpAnswers = decisionAnswers;
