/**
 * The Flow App of the cluster tests. A field of each submission contains its Idempotency-Key, so that runs and
 * committed events can be compared with the sent requests.
 */

import type { RenderRequest, RenderResponse, VersionInput } from '@flowgate/client/flow-wire';
import { type FlowAppFixture, startFlowApp } from '../../apps/gateway/test/fixtures/flow-app.ts';
import type { FlowRecorder } from './flow-history.ts';

export const markingManifest = {
  steps: [{ stepId: 'entry' }, { stepId: 'done' }],
  queries: [{ queryId: 'total', path: '/total' }],
  events: [{ type: 'applied' }],
} satisfies Partial<VersionInput>;

export type MarkingApp = FlowAppFixture & {
  /** Makes the next run of this submission hang until it is released. */
  readonly hold: (mark: string) => { readonly arrived: Promise<void>; readonly release: () => void };
};

function answerOf({ submission, appData, state }: RenderRequest): RenderResponse {
  const fields = [{ fieldId: 'mark', type: 'text' as const, label: 'Mark', required: true }];
  const actions = [
    { actionId: 'apply', label: 'Apply' },
    { actionId: 'finish', label: 'Finish' },
  ];
  const entry = { stepId: 'entry', title: 'Entry', fields, actions };
  if (submission === undefined) return { step: entry, state: { count: 0 }, appData: { set: { total: 0 } } };
  const { actionId, fieldValues } = submission;
  const ended = { stepId: 'done', title: 'Done', fields: [], actions: [], terminal: true };
  return {
    step: actionId === 'finish' ? ended : entry,
    state: { count: Number(state['count']) + 1 },
    appData: { set: { total: Number(appData['total']) + 1 } },
    events: [{ type: 'applied', data: { mark: String(fieldValues['mark']) } }],
  };
}

export function startMarkingApp(recorder: FlowRecorder): MarkingApp {
  const paused = new Map<string, { arrive: () => void; gone: Promise<void> }>();
  const app = startFlowApp(async (request) => {
    const { submission, session } = request;
    if (submission === undefined) return answerOf(request);
    const mark = String(submission.fieldValues['mark']);
    recorder.add('runs', {
      sessionId: session.sessionId,
      mark,
      derivedKey: submission.idempotencyKey,
      atMs: recorder.now(),
    });
    const hold = paused.get(mark);
    paused.delete(mark);
    hold?.arrive();
    await hold?.gone;
    return answerOf(request);
  });
  return {
    ...app,
    hold(mark) {
      const arrived = Promise.withResolvers<void>();
      const gone = Promise.withResolvers<void>();
      paused.set(mark, { arrive: arrived.resolve, gone: gone.promise });
      return { arrived: arrived.promise, release: gone.resolve };
    },
  };
}
