/** Linking wallets while nodes fail or return false data, and the entries in the audit log (contract/wallets#link). */

import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { retryUnavailable } from '../../apps/gateway/test/fixtures/retry-unavailable.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { openSqliteConnection } from '../../apps/gateway/test/fixtures/sqlite-connection.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({
    config: { outbound: { nodeTimeoutSeconds: 1 }, storage: { databaseTimeoutMs: 1_000 } },
  });
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.node.behave(answerCalls('0x')));

const path = '/users/me/wallets';
const account = () => privateKeyToAccount(generatePrivateKey());
const magic = `0x1626ba7e${'0'.repeat(56)}`;

/** Answers every call with this result. */
function answerCalls(result: unknown) {
  return (body: string) => Response.json({ jsonrpc: '2.0', id: JSON.parse(body).id, result });
}

function failCalls(error: object) {
  return (body: string) => Response.json({ jsonrpc: '2.0', id: JSON.parse(body).id, error });
}

function send(method: string, at: string, body?: unknown) {
  return retryUnavailable(() =>
    gateway.fetch(at, {
      method,
      headers: { Authorization: `Bearer ${gateway.token('alice')}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
}

/** A proof for `wallet` that `by` signed. */
async function proof(wallet = account(), by = wallet) {
  const { message } = await jsonBody(await send('POST', `${path}/challenge`, { address: wallet.address }));
  return { message, signature: await by.signMessage({ message: String(message) }) };
}

test('an account’s signature is verified without any node, also when nodes fail', async () => {
  const before = gateway.node.received.length;
  for (const behave of [() => new Response(null, { status: 500 }), answerCalls('0x')]) {
    gateway.node.behave(behave);
    expect((await send('POST', path, await proof())).status).toBe(201);
  }
  expect(gateway.node.received.slice(before)).toEqual([]);
});

test('any other signature is verified by the contract at the address, once, at the newest block, and only its exact confirmation counts', async () => {
  const wallet = account();
  const wrong = await proof(wallet, account());
  const noes: readonly unknown[] = [
    '0x',
    `0x${'f'.repeat(64)}`,
    `0x${'0'.repeat(63)}1`,
    '0x1626ba7e',
    `${magic}${'0'.repeat(64)}`,
    `0x1626ba7e${'ab'.repeat(28)}`,
    `0x${'ab'.repeat(200_000)}`,
    null,
    7,
    [magic],
  ];
  for (const no of noes) {
    gateway.node.behave(answerCalls(no));
    await expectStandardError(await send('POST', path, wrong), { status: 400, error: 'Bad request', path });
  }
  const asked = gateway.node.received.length;
  gateway.node.behave(answerCalls(magic));
  const linked = await send('POST', path, wrong);
  expect([linked.status, (await jsonBody(linked))['kind']]).toEqual([201, 'contract']);
  const [question, ...more] = gateway.node.received.slice(asked);
  expect(more).toEqual([]);
  expect(JSON.parse(question ?? '')).toEqual(
    expect.objectContaining({
      method: 'eth_call',
      params: [{ to: wallet.address.toLowerCase(), data: expect.stringMatching(/^0x1626ba7e/) }, 'latest'],
    }),
  );
});

test('a call that fails on the chain is a rejection; a node that cannot serve it is 502, and the challenge stays valid (contract/wallets#link)', async () => {
  const wallet = account();
  const wrong = await proof(wallet, account());
  const failures = [
    { code: 3, message: 'execution reverted', data: '0x' },
    { code: -32000, message: 'execution reverted' },
    { code: -32000, message: 'invalid opcode: INVALID' },
    { code: -32015, message: 'VM execution error.' },
  ];
  for (const failure of failures) {
    gateway.node.behave(failCalls(failure));
    await expectStandardError(await send('POST', path, wrong), { status: 400, error: 'Bad request', path });
  }
  const outages = [
    failCalls({ code: -32005, message: 'daily request count exceeded' }),
    failCalls({ code: -32601, message: 'the method eth_call does not exist' }),
    () => new Response('<html>', { status: 200 }),
    () => new Response(null, { status: 503 }),
    () => new Promise<Response>(() => {}),
  ];
  for (const outage of outages) {
    gateway.node.behave(outage);
    await expectStandardError(await send('POST', path, wrong), { status: 502, error: 'Bad gateway', path });
  }
  gateway.node.behave(answerCalls(magic));
  expect((await send('POST', path, wrong)).status).toBe(201);
});

test('a contract wallet is not called when a policy denies the caller that call, wrapped or not; an account needs no node (contract/firewall-resources#rest)', async () => {
  const wallet = account();
  const { message, signature } = await proof(wallet, account());
  const wrapped = { message, signature: `0x${'ab'.repeat(96)}${'6492'.repeat(16)}` };
  const contract = `ethereum/dev/${wallet.address}`;
  const denials: readonly (readonly [object, readonly object[]])[] = [
    [{ resource: { kind: 'network', id: 'ethereum/dev' } }, [{ message, signature }, wrapped]],
    [{ resource: { kind: 'network', id: '*' }, methods: ['ETH_c*'] }, [{ message, signature }, wrapped]],
    [{ resource: { kind: 'node', id: '*' } }, [{ message, signature }, wrapped]],
    [{ resource: { kind: 'contract', id: contract } }, [{ message, signature }, wrapped]],
    [{ resource: { kind: 'contract', id: '*' }, selectors: ['0x1626ba7e'] }, [{ message, signature }, wrapped]],
    [{ resource: { kind: 'contract', id: 'ethereum/dev/create' } }, [wrapped]],
  ];
  const headers = {
    Authorization: `Bearer ${gateway.token('root', { roles: ['admin'] })}`,
    'Content-Type': 'application/json',
  };
  gateway.node.behave(answerCalls(magic));
  for (const [denial, proofs] of denials)
    for (const policies of ['/users/me/policies', '/admin/policies']) {
      const policy = { effect: 'deny', subjects: ['user:alice'], ...denial };
      const isOwn = policies === '/users/me/policies';
      const made = isOwn
        ? await send('POST', policies, policy)
        : await gateway.fetch(policies, { method: 'POST', headers, body: JSON.stringify(policy) });
      expect([denial, made.status]).toEqual([denial, 201]);
      const asked = gateway.node.received.length;
      for (const each of proofs)
        await expectStandardError(await send('POST', path, each), { status: 403, error: 'Forbidden', path });
      expect([denial, gateway.node.received.slice(asked)]).toEqual([denial, []]);
      expect((await send('POST', path, await proof())).status).toBe(201);
      const at = made.headers.get('Location') ?? '';
      const gone = isOwn ? await send('DELETE', at) : await gateway.fetch(at, { method: 'DELETE', headers });
      expect(gone.status).toBe(204);
    }
  expect((await send('POST', path, { message, signature })).status).toBe(201);
});

test('when a node is unreachable, the next one is called (contract/wallets#link)', async () => {
  const { node } = gateway;
  const nodes = [
    { nodeId: 'dead', url: 'http://127.0.0.1:9' },
    { nodeId: 'live', url: node.url },
  ];
  const other = await startGateway({
    config: { networks: [{ dlt: 'ethereum', networkId: 'dev', chainId: 31337, default: true, nodes }] },
  });
  const wallet = account();
  const post = (at: string, body: unknown) =>
    retryUnavailable(() =>
      other.fetch(at, {
        method: 'POST',
        headers: { Authorization: `Bearer ${other.token('alice')}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
  const { message } = await jsonBody(await post(`${path}/challenge`, { address: wallet.address }));
  node.behave(answerCalls(magic));
  const linked = await post(path, { message, signature: '0x1234' });
  expect([linked.status, (await jsonBody(linked))['kind']]).toEqual([201, 'contract']);
  await other.stop();
});

test('linking and unlinking write audit entries, refusals do not', async () => {
  const wallet = account();
  const good = await proof(wallet);
  await send('POST', path, { ...good, signature: '0x12' });
  const linked = await send('POST', path, good);
  const requestId = linked.headers.get('x-request-id');
  await send('POST', path, good);
  await send('DELETE', `${path}/${wallet.address}`);
  await send('DELETE', `${path}/${wallet.address}`);
  const database = new Database(gateway.databaseFile, { readonly: true });
  const entries = database
    .query('SELECT actor, via, action, request_id, details FROM audit_entries WHERE target = ? ORDER BY sequence')
    .all(wallet.address);
  database.close();
  expect(entries).toEqual([
    {
      ...{ actor: 'alice', via: 'token', action: 'wallet.linked', request_id: requestId },
      details: '{"kind":"account","chainId":31337}',
    },
    expect.objectContaining({ action: 'wallet.unlinked', details: '{}' }),
  ]);
});

test('challenges survive a restart; expired ones do not (contract/wallets#challenge)', async () => {
  const valid = await proof();
  const old = await proof();
  await gateway.restart();
  expect((await send('POST', path, valid)).status).toBe(201);
  const database = openSqliteConnection(gateway.databaseFile);
  database.run('UPDATE wallet_challenges SET expires_at = 1');
  database.close();
  const refused = { status: 400, error: 'Bad request', path };
  const message = await expectStandardError(await send('POST', path, old), refused);
  expect(message).toBe('message has expired: ask for a new challenge');
});

test('without a default network the chain must be given', async () => {
  const network = (networkId: string, chainId: number) => ({
    ...{ dlt: 'ethereum', networkId, chainId },
    nodes: [{ nodeId: networkId, url: 'http://127.0.0.1:9' }],
  });
  const other = await startGateway({
    config: {
      server: { host: '127.0.0.1', port: 0, publicUrl: 'https://gateway:8443/at/' },
      networks: [network('a', 5), network('b', 6)],
    },
  });
  const ask = (body: unknown) =>
    other.fetch(`${path}/challenge`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${other.token('alice')}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const { address } = account();
  const unnamed = await ask({ address });
  expect([unnamed.status, (await jsonBody(unnamed))['message']]).toEqual([
    400,
    'chainId is required: this gateway has no default network',
  ]);
  // A host name without a dot is an authority, too (RFC 3986).
  const { message } = await jsonBody(await ask({ address, chainId: 6 }));
  expect(String(message)).toStartWith('gateway:8443 wants you to sign in');
  expect(String(message)).toContain('\nURI: https://gateway:8443/at/\nVersion: 1\nChain ID: 6\n');
  await other.stop();
});

test('a challenge of one gateway is valid at every other, and one proof links once at both (contract/wallets#challenge)', async () => {
  const server = { host: '127.0.0.1', port: 0, publicUrl: 'https://gateway.example' };
  const first = await startGateway({ config: { server } });
  const storage = { database: `sqlite:${first.databaseFile}`, databaseTimeoutMs: 1_000 };
  const identity = { issuer: first.issuer.issuer, audience: first.issuer.audience };
  const second = await startGateway({ config: { server, storage, identity } });
  const at = (of: RunningGateway, method: string, to: string, body?: unknown) =>
    retryUnavailable(() =>
      of.fetch(to, {
        method,
        headers: { Authorization: `Bearer ${first.token('alice')}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  const signed = async (from: RunningGateway) => {
    const wallet = account();
    const { message } = await jsonBody(await at(from, 'POST', `${path}/challenge`, { address: wallet.address }));
    return { message, signature: await wallet.signMessage({ message: String(message) }) };
  };
  expect((await at(second, 'POST', path, await signed(first))).status).toBe(201);
  for (let round = 0; round < 3; round++) {
    const body = await signed(second);
    const answers = await Promise.all([first, second, first, second].map((of) => at(of, 'POST', path, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
  }
  expect((await jsonBody(await at(first, 'GET', path)))['data']).toHaveLength(4);
  await second.stop();
  await first.stop();
});
