/** Linked wallets over HTTP with a real chain (contract/wallets). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { devAccount } from '@flowgate/devkit/dev-token';
import { parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import {
  contractWallet,
  startWalletGateway,
  type WalletGateway,
} from '../../apps/gateway/test/fixtures/wallet-chain.ts';

let running: WalletGateway;
beforeAll(async () => {
  running = await startWalletGateway();
});
afterAll(() => running.stop());

const path = '/users/me/wallets';
const account = () => privateKeyToAccount(generatePrivateKey());
const post = (user: string, body: unknown) => running.as(user, 'POST', path, body);

/** Expects 400 with this message. */
async function expectProblem(answer: Response, problem: string | RegExp): Promise<void> {
  expect(await expectStandardError(answer, { status: 400, error: 'Bad request', path })).toMatch(problem);
}

async function expectConflict(answer: Response, problem: string): Promise<void> {
  expect(await expectStandardError(answer, { status: 409, error: 'Conflict', path })).toContain(problem);
}

test('a wallet is linked by its signature, listed, read and unlinked (contract/wallets)', async () => {
  const wallet = account();
  const asked = await running.as('alice', 'POST', `${path}/challenge`, { address: wallet.address.toLowerCase() });
  expect(asked.status).toBe(200);
  const { message, nonce, expiresAt } = await jsonBody(asked);
  const { host } = new URL(running.gateway.url);
  expect(String(message)).toStartWith(`${host} wants you to sign in with your Ethereum account:\n${wallet.address}\n`);
  expect(String(message)).toContain(`\nURI: ${running.gateway.url}\nVersion: 1\nChain ID: 31337\nNonce: ${nonce}\n`);
  expect(String(message)).toEndWith(`\nExpiration Time: ${expiresAt}`);
  const lifeMs = Date.parse(String(expiresAt)) - Date.now();
  expect(lifeMs).toBeGreaterThan(9 * 60_000);
  expect(lifeMs).toBeLessThanOrEqual(10 * 60_000);

  const signature = await wallet.signMessage({ message: String(message) });
  const linked = await post('alice', { message, signature, label: 'Treasury' });
  expect(linked.status).toBe(201);
  expect(linked.headers.get('Location')).toBe(`${path}/${wallet.address}`);
  const body = await jsonBody(linked);
  expect(body).toEqual({
    ...{ address: wallet.address, kind: 'account', label: 'Treasury', chainId: 31337 },
    linkedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  const second = account();
  await running.link('alice', second);
  const { data } = await jsonBody(await running.as('alice', 'GET', path));
  expect(data).toEqual([expect.objectContaining({ address: second.address }), body]);
  const one = `${path}/${wallet.address.toLowerCase()}`;
  expect(await jsonBody(await running.as('alice', 'GET', one))).toEqual(body);

  for (const [user, at] of [
    ['bob', one],
    ['alice', `${path}/0x12`],
    ['alice', `${path}/${account().address}`],
  ] as const)
    for (const method of ['GET', 'DELETE'])
      await expectStandardError(await running.as(user, method, at), { status: 404, error: 'Not found', path: at });
  expect((await running.as('alice', 'DELETE', one)).status).toBe(204);
  await expectStandardError(await running.as('alice', 'DELETE', one), { status: 404, error: 'Not found', path: one });
  expect((await jsonBody(await running.as('alice', 'GET', path)))['data']).toHaveLength(1);
});

test('an API key links and lists for its owner; a missing credential is 401', async () => {
  const { apiKey } = await running.gateway.mint('keyed');
  const send = (method: string, at: string, body?: unknown) =>
    running.gateway.fetch(at, {
      method,
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const wallet = account();
  const { message } = await jsonBody(await send('POST', `${path}/challenge`, { address: wallet.address }));
  const signature = await wallet.signMessage({ message: String(message) });
  expect((await send('POST', path, { message, signature })).status).toBe(201);
  expect((await jsonBody(await running.as('keyed', 'GET', path)))['data']).toHaveLength(1);
  await expectStandardError(await running.gateway.fetch(path), { status: 401, error: 'Unauthorized', path });
});

test('the compact form of a signature is accepted, for both parities (EIP-2098)', async () => {
  const parities = new Set<number>();
  for (let at = 0; at < 12 && parities.size < 2; at++) {
    const wallet = account();
    const message = await running.challenge('compact', wallet.address);
    const signature = parseSignature(await wallet.signMessage({ message }));
    parities.add(signature.yParity);
    const compact = serializeCompactSignature(signatureToCompactSignature(signature));
    expect(compact).toHaveLength(130);
    const linked = await post('compact', { message, signature: compact });
    expect([linked.status, (await jsonBody(linked))['kind']]).toEqual([201, 'account']);
  }
  expect([...parities].sort()).toEqual([0, 1]);
});

test('a contract wallet verifies on its chain, also before it is deployed (EIP-1271, EIP-6492)', async () => {
  const owner = devAccount(3);
  const wallet = await contractWallet(running.chain.url, owner, 'wire');
  const stranger = devAccount(4);
  const first = await running.challenge('alice', wallet.address);
  await expectProblem(
    await post('alice', { message: first, signature: await owner.signMessage({ message: first }) }),
    /^signature is not one of 0x/,
  );
  const forged = await contractWallet(running.chain.url, { ...owner, signMessage: stranger.signMessage }, 'wire');
  await expectProblem(
    await post('alice', { message: first, signature: await forged.signWrapped({ message: first }) }),
    /^signature is not/,
  );
  const wrapped = await post('alice', { message: first, signature: await wallet.signWrapped({ message: first }) });
  expect([wrapped.status, (await jsonBody(wrapped))['kind']]).toEqual([201, 'contract']);

  await wallet.deploy();
  const signings = [wallet.signMessage, wallet.signWrapped];
  for (const [at, sign] of signings.entries()) {
    const user = `owner-${at}`;
    const message = await running.challenge(user, wallet.address);
    await expectProblem(
      await post(user, { message, signature: await stranger.signMessage({ message }) }),
      /^signature is/,
    );
    const linked = await post(user, { message, signature: await sign({ message }) });
    expect([linked.status, (await jsonBody(linked))['kind']]).toEqual([201, 'contract']);
  }
});

test('a wrapper that creates another user’s wallet proves nothing and changes nothing on the chain (EIP-6492)', async () => {
  const attacker = devAccount(5);
  const victim = account();
  const own = await contractWallet(running.chain.url, attacker, 'attack');
  const message = await running.challenge('mallory', victim.address);
  await expectProblem(
    await post('mallory', { message, signature: await own.signWrapped({ message }) }),
    /^signature is/,
  );
  const code = await fetch(running.chain.url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getCode', params: [own.address, 'latest'] }),
  });
  expect(await jsonBody(code)).toEqual({ jsonrpc: '2.0', id: 1, result: '0x' });
});

test('every mismatch is 400 and named, and does not use up the challenge (contract/wallets#link)', async () => {
  const wallet = account();
  const other = account();
  const message = await running.challenge('alice', wallet.address);
  const signed = async (text: string, by = wallet) => ({
    message: text,
    signature: await by.signMessage({ message: text }),
  });
  const { host } = new URL(running.gateway.url);
  const changed: readonly (readonly [string, RegExp])[] = [
    [message.replace(`${host} wants`, 'evil.example wants'), /^message names another domain than/],
    [message.replace(/URI: .*/, 'URI: https://evil.example'), /^message names another URI than/],
    [message.replace(wallet.address, other.address), /^message names another address/],
    [message.replace('Chain ID: 31337', 'Chain ID: 1'), /^message names another chain/],
    [message.replace(/Nonce: \w+/, 'Nonce: 0123456789abcdef'), /^nonce of the message is unknown or expired/],
    [message.replace('Version: 1', 'Version: 2'), /^message must be the text of the challenge, unchanged/],
    [message.replace(/Expiration Time: .*/, 'Expiration Time: 2999-01-01T00:00:00.000Z'), /unchanged/],
    [message.replaceAll('\n', '\r\n'), /^message does not have the form/],
    [`${message}\n`, /unchanged/],
    ['hello', /^message does not have the form of a challenge/],
    ['', /^message does not have the form of a challenge/],
  ];
  for (const [text, problem] of changed) await expectProblem(await post('alice', await signed(text)), problem);
  // All problems are reported at once.
  const everything = message
    .replace(`${host} wants`, 'evil.example wants')
    .replace(/URI: .*/, 'URI: https://evil.example');
  await expectProblem(await post('alice', await signed(everything)), /domain.*; message names another URI/);

  await expectProblem(await post('bob', await signed(message)), /^nonce of the message is unknown or expired/);
  await expectProblem(await post('alice', await signed(message, other)), /^signature is not one of/);
  await expectProblem(await post('alice', { message, signature: `0x${'00'.repeat(65)}` }), /^signature is not one of/);
  await expectProblem(await post('alice', { message, signature: '0x12' }), /^signature is not one of/);
  for (const signature of ['', '0x', '0x1', 'zz', `0x${'ab'.repeat(20_000)}`])
    await expectProblem(await post('alice', { message, signature }), /^signature must/);
  await expectProblem(await post('alice', {}), 'message is required; signature is required');
  await expectProblem(await post('alice', { ...(await signed(message)), label: '' }), /^label must/);
  await expectProblem(
    await post('alice', { message: 'x'.repeat(5_000), signature: '0x12' }),
    /^message must have at most/,
  );

  expect((await post('alice', await signed(message))).status).toBe(201);
  await expectProblem(await post('alice', await signed(message)), /^nonce of the message was used/);
});

test('a challenge requires an address and the chain of a configured network', async () => {
  const ask = (body: unknown) => running.as('alice', 'POST', `${path}/challenge`, body);
  const { address } = account();
  const wrong: readonly (readonly [unknown, string])[] = [
    [{}, 'address is required'],
    [{ address: 'x' }, 'address must be an address'],
    [
      {
        address: address
          .replace(/[a-f]/, (letter) => letter.toUpperCase())
          .replace(/[A-F](?=[^A-F]*$)/, (letter) => letter.toLowerCase()),
      },
      'address must be',
    ],
    [{ address, chainId: 1 }, 'chainId is not the chain id of a network of this gateway'],
    [{ address, chainId: '1' }, 'chainId must be a whole number'],
    [{ address, chainId: 1.5 }, 'chainId must be a whole number'],
    [[], 'the body must be a JSON object'],
  ];
  for (const [body, problem] of wrong) {
    const answer = await ask(body);
    expect([answer.status, String((await jsonBody(answer))['message'])]).toEqual([
      400,
      expect.stringContaining(problem),
    ]);
  }
  expect((await ask({ address, chainId: 31337 })).status).toBe(200);
  expect((await ask({ address, chainId: null })).status).toBe(200);
});

test('of two concurrent links with one nonce, one succeeds and the other reports that it was used', async () => {
  for (let round = 0; round < 4; round++) {
    const wallet = account();
    const message = await running.challenge('racer', wallet.address);
    const body = { message, signature: await wallet.signMessage({ message }) };
    const answers = await Promise.all([1, 2, 3].map(() => post('racer', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  }
  expect((await jsonBody(await running.as('racer', 'GET', path)))['data']).toHaveLength(4);
});

test('a user links a wallet once, several users may each link it, and a user has at most twenty, also with concurrent requests (contract/wallets#link)', async () => {
  const shared = account();
  await running.link('one', shared);
  await running.link('two', shared);
  const message = await running.challenge('one', shared.address);
  const again = { message, signature: await shared.signMessage({ message }) };
  await expectConflict(await post('one', again), 'already');
  expect((await running.as('one', 'DELETE', `${path}/${shared.address}`)).status).toBe(204);
  expect((await jsonBody(await running.as('two', 'GET', path)))['data']).toHaveLength(1);
  // The conflict used up no challenge.
  expect((await post('one', again)).status).toBe(201);

  for (let linked = 0; linked < 19; linked++) await running.link('many', account());
  const bodies = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const wallet = account();
      const text = await running.challenge('many', wallet.address);
      return { message: text, signature: await wallet.signMessage({ message: text }) };
    }),
  );
  const answers = await Promise.all(bodies.map((body) => post('many', body)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  const refused = answers.find(({ status }) => status === 409) ?? new Response('{}');
  await expectConflict(refused, 'at most 20 wallets');
  expect((await jsonBody(await running.as('many', 'GET', `${path}?limit=100`)))['data']).toHaveLength(20);
});

test('the list has pages like every list (contract/conventions#lists)', async () => {
  for (let at = 0; at < 5; at++) await running.link('pager', account());
  const seen: unknown[] = [];
  let next = `${path}?limit=2`;
  for (let pages = 0; pages < 3; pages++) {
    const { data, nextCursor } = await jsonBody(await running.as('pager', 'GET', next));
    if (Array.isArray(data)) seen.push(...data);
    next = `${path}?limit=2&cursor=${encodeURIComponent(String(nextCursor))}`;
    if (pages === 2) expect(nextCursor).toBeUndefined();
  }
  expect(new Set(seen.map((wallet) => JSON.stringify(wallet))).size).toBe(5);
  for (const bad of ['limit=0', 'limit=101', 'cursor=x'])
    await expectStandardError(await running.as('pager', 'GET', `${path}?${bad}`), {
      status: 400,
      error: 'Bad request',
      path,
    });
});
