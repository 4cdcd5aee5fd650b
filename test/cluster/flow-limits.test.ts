/**
 * Limits and payments are exact over three gateways together: the limit of a user in a session, and a payment
 * (contract/flow-apps, contract/limits#what-counts).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { JsonMembers, RenderRequest, RenderResponse, Session } from '@flowgate/client/flow-wire';
import { type FlowAppFixture, publishFlowApp, startFlowApp } from '../../apps/gateway/test/fixtures/flow-app.ts';
import {
  freshPayee,
  type PaidChain,
  paidChainId,
  price,
  signedHeader,
  startPaidChain,
} from '../../apps/gateway/test/fixtures/paid-chain.ts';
import { clusterMissing } from './engines.ts';
import { type FlowCluster, startFlowCluster, throughOne } from './flow-cluster.ts';

const sessionPerMinute = 60;
const userPerMinute = 150;
const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));

describe.skipIf(clusterMissing !== undefined)('limits and payments over three gateways', () => {
  let flow: FlowCluster;
  let paidChain: PaidChain;
  let shop: FlowAppFixture;
  beforeAll(async () => {
    paidChain = await startPaidChain();
    const nodes = [{ nodeId: 'dev-1', url: paidChain.chain.url }];
    flow = await startFlowCluster({
      ...{ sessionPerMinute, userPerMinute },
      flow: { facilitatorUrl: paidChain.facilitator.url },
      sections: { networks: [{ dlt: 'ethereum', networkId: 'dev', chainId: paidChainId, default: true, nodes }] },
    });
  });
  afterAll(async () => {
    await flow?.stop();
    await shop?.stop();
    await paidChain?.stop();
  });

  const gatewayAt = (at: number) => flow.gateways[at % 3] ?? flow.gateways[0];
  const look = async (at: number, userId: string, sessionId: string) => {
    const url = `${gatewayAt(at).url}/flow/sessions/${sessionId}`;
    const { status, headers } = await fetch(url, { headers: flow.client.headersOf(userId), keepalive: false });
    return { status, limit: Number(headers.get('x-ratelimit-limit')), wait: Number(headers.get('retry-after')) };
  };

  test('of 150 requests to one session over three gateways exactly 60 are admitted, and other users cannot use them up (contract/flow-apps, contract/limits#what-counts)', async () => {
    const { sessionId, stateVersion } = await flow.client.start(flow.gateways, 'owner');
    // Other users have their own limits for the session, and learn nothing about it.
    const strangers = await Promise.all(times(70, (at) => look(at, 'stranger', sessionId)));
    expect(strangers.filter(({ status }) => status === 429)).toHaveLength(70 - sessionPerMinute);

    const step = { userId: 'owner', sessionId, stateVersion };
    const entries = await Promise.all(
      times(150, (at) => flow.client.submit(gatewayAt(at), { ...step, idempotencyKey: `crowd-${at % 5}` })),
    );
    const refused = entries.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(150 - sessionPerMinute);
    for (const { problem } of refused)
      expect(problem).toEqual({ type: 'urn:svc:error:too-many-requests', status: 429, retryable: true });
  });

  test("a session's limit and its user's are decided together: a refusal by one does not count in the other (contract/limits#what-counts)", async () => {
    const started = await Promise.all(times(3, () => flow.client.start(flow.gateways, 'spender')));
    const [first, second, third] = started.map(({ sessionId }) => sessionId);
    if (first === undefined || second === undefined || third === undefined) throw new Error('no sessions');
    const { headers } = await fetch(`${gatewayAt(1).url}/users/me/id`, { headers: flow.client.headersOf('spender') });
    const before = Number(headers.get('x-ratelimit-remaining'));
    expect(before).toBeLessThan(userPerMinute - 3);
    const admitted = async (sessionId: string) => {
      const answers = await Promise.all(times(90, (at) => look(at, 'spender', sessionId)));
      return answers.filter(({ status }) => status !== 429).length;
    };
    expect(await admitted(first)).toBe(sessionPerMinute);
    expect(await admitted(second)).toBe(sessionPerMinute);
    expect(await admitted(third)).toBe(before - 2 * sessionPerMinute);
    const { status, limit, wait } = await look(0, 'spender', third);
    expect([status, limit]).toEqual([429, userPerMinute]);
    expect(wait).toBeGreaterThan(0);
  });

  test('the same payment sent to three gateways at once is settled once, for one step (contract/payments)', async () => {
    for (let round = 0; round < 2; round++) {
      const payTo = freshPayee();
      const session = await startPaid(payTo, `payer-${round}`);
      const payment = await signedHeader(paidChain.offer(payTo));
      const submit = (at: number, key = 'pay', of = session) => pay(at, of, `payer-${round}`, key, payment);
      const statuses = await Promise.all(times(18, (at) => submit(at).then((response) => response.status)));
      for (const status of statuses) expect([200, 409, 503]).toContain(status);
      const paid = await untilPaid((at) => submit(at));
      expect(await paidChain.received(payTo)).toBe(price);
      const again = await submit(2);
      expect(again.headers.get('Idempotency-Replayed')).toBe('true');
      expect(await again.text()).toBe(paid);
      // The payment is not valid for another session with the same offer.
      const other = await startPaid(payTo, `payer-${round}`);
      const spent = await Promise.all(times(6, (at) => submit(at, 'again', other)));
      for (const { status } of spent) expect([402, 409, 503]).toContain(status);
      expect(await paidChain.received(payTo)).toBe(price);
      expect(shop.effects.size).toBe(round + 1);
    }
  });

  async function startPaid(payTo: string, userId: string): Promise<Session> {
    if (shop === undefined) {
      shop = startFlowApp(report);
      const manifest = { steps: [{ stepId: 'buy' }, { stepId: 'report' }], queries: [], events: [] };
      await publishFlowApp(throughOne(flow.cluster), shop, { appId: 'acme/report', ...manifest });
    }
    const launchContext = { offer: paidChain.offer(payTo) };
    return flow.client.start(flow.gateways, userId, { appId: 'acme/report', launchContext });
  }

  function pay(at: number, { sessionId, stateVersion }: Session, userId: string, key: string, payment: string) {
    return fetch(`${gatewayAt(at).url}/flow/sessions/${sessionId}/steps/buy`, {
      method: 'POST',
      headers: { ...flow.client.headersOf(userId), 'Idempotency-Key': key, 'X-Payment': payment },
      body: JSON.stringify({ actionId: 'buy', fieldValues: {}, stateVersion }),
      keepalive: false,
    });
  }

  test('the checker finds no violation in this file', async () => {
    // An audit would need more requests than the limits admit, so only the submissions are checked.
    expect(await flow.violations([])).toEqual([]);
  });
});

/** Repeats the paid step while the response is retryable, as clients do. */
async function untilPaid(submit: (at: number) => Promise<Response>): Promise<string> {
  for (let at = 0; ; at++) {
    const response = await submit(at);
    const text = await response.text();
    if (response.status === 200) return text;
    expect(JSON.parse(text)).toMatchObject({ retryable: true });
    // Real time: the pause between retries.
    await Bun.sleep(100);
  }
}

/** Renders the offer that the session was started with, and then the report. */
function report({ launchContext, submission }: RenderRequest): RenderResponse {
  const step = { title: 'Report', fields: [], actions: [{ actionId: 'buy', label: 'Buy' }] };
  if (submission !== undefined) return { step: { ...step, stepId: 'report', actions: [], terminal: true } };
  return { step: { ...step, stepId: 'buy', payment: launchContext?.['offer'] as JsonMembers } };
}
