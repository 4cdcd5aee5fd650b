/** An event of a session as its user sees it in pages, streams and webhook deliveries (contract/events). */

import { typeIdForm } from '@flowgate/base/ids';
import { isoTime } from '@flowgate/base/iso-time';
import { time } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema } from '@flowgate/body-schema/body-schema';
import {
  appId,
  exampleAppId,
  exampleSessionId,
  exampleTime,
  exampleVersion,
  manifestName,
  sessionId,
  version,
} from '@flowgate/flow-format/manifest/registry-members';
import { z } from 'zod';
import type { FlowEventRecord } from './flow-event.ts';

const exampleId = 'evt_01KAJ0Z6V2M8T4Q9R3WX5Y7ABC';

const exampleData = (stateVersion: number) => ({
  sessionId: exampleSessionId,
  appId: exampleAppId,
  version: exampleVersion,
  stateVersion,
});

/** Members of every delivered event. */
const deliveredMembers = () => ({
  id: z.string().regex(typeIdForm('evt')).describe('The id of the event, the same on every delivery.'),
  type: manifestName(),
  timestamp: time('The time of the event.'),
  data: z
    .looseObject({
      sessionId: sessionId().exactOptional(),
      appId: appId(),
      version: version(),
      stateVersion: z.int().min(1).exactOptional(),
    })
    .describe(
      "`sessionId`, `appId`, `version`, `stateVersion`, and the members of the event's type. Never contains the value of a secret field.",
    ),
});

const exampleEvent = {
  id: exampleId,
  sequence: 1,
  type: 'session_created',
  timestamp: exampleTime,
  data: exampleData(1),
};

export const flowEvent = bodySchema(
  'FlowEvent',
  'An event of a session.',
  () => {
    const { id, ...more } = deliveredMembers();
    return z.object({
      id,
      sequence: z.int().min(1).describe('The number of the event in its session, without gaps.'),
      ...more,
    });
  },
  exampleEvent,
);

export type FlowEvent = BodyOf<typeof flowEvent>;

export const flowEventPage = bodySchema(
  'FlowEventPage',
  'Events in the order of their occurrence.',
  () =>
    z.object({
      data: z.array(flowEvent.schema()).describe('The events of this page.'),
      nextCursor: z
        .string()
        .regex(/^\d+$/)
        .describe('The sequence of the last event. Pass it as `?after=` to get the next page.')
        .exactOptional(),
    }),
  { data: [exampleEvent], nextCursor: '1' },
);

export type FlowEventPage = BodyOf<typeof flowEventPage>;

export const webhookBody = bodySchema(
  'WebhookBody',
  'A delivered event: a FlowEvent without its sequence.',
  () => z.object(deliveredMembers()),
  { id: exampleId, type: 'session_completed', timestamp: exampleTime, data: exampleData(2) },
);

export function flowEventView({ eventId, sequence, type, atMs, data }: FlowEventRecord): FlowEvent {
  return { id: eventId, sequence, type, timestamp: isoTime(atMs), data };
}
