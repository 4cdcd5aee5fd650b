import { expect, test } from 'bun:test';
import { readResponse } from '@flowgate/flow-format/app-responses/read-response';
import { noSecrets } from '@flowgate/flow-format/secrets/secret-mark';
import { quietLog } from '@flowgate/testing/quiet-log';
import type { RenderRequest } from '../apps/render-request-wire.ts';
import type { VersionRecord } from '../registry/version.ts';
import { render } from './render.ts';

const version: VersionRecord = {
  appId: 'acme/shop',
  version: '1.0.0',
  manifest: { baseUrl: 'https://app.example', startSteps: ['a'], stepIds: ['a'], queries: [], eventTypes: [] },
  sealedSecret: 'sealed',
  status: 'active',
  createdAtMs: 0,
  healthMisses: 0,
};

function rendered(response: unknown) {
  const request: RenderRequest = {
    protocolVersion: '1',
    requestId: 'req_1',
    reason: 'start',
    session: { sessionId: 'ses_1', appId: version.appId, version: version.version, stateVersion: 0, userId: 'usr_1' },
    stepId: 'a',
    state: {},
    appData: {},
  };
  const value = new TextEncoder().encode(JSON.stringify(response));
  const app = {
    render: async () => ({ ok: true as const, value }),
    health: async () => ({ ok: true as const, value: undefined }),
  };
  const parts = {
    openApp: () => app,
    readResponse: (_asker: unknown, each: Parameters<typeof readResponse>[0]) =>
      readResponse(each, () => ({ warnings: [] })),
    log: quietLog(),
  };
  return render(parts, { userId: 'alice', version, request, secretsNow: async () => noSecrets });
}

test('problems that an app finds in a submission are returned to the caller with their field (contract/sessions#life-cycle)', async () => {
  const errors = [{ fieldId: 'amount', message: 'is too little' }, { message: 'try tomorrow' }];
  expect(await rendered({ errors })).toMatchObject({
    reason: 'bad-request',
    detail: 'amount: is too little; try tomorrow',
    members: { errors },
  });
});
