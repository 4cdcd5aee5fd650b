/** Scenes of the screenshots in addition to the plain pages: dialogs, steps, filled and failed lists. */
import type { Page } from 'playwright-core';
import type { ConsoleInstallation } from './console-installation.ts';
import { addTestWallet } from './test-wallet.ts';

export type Scene = {
  readonly name: string;
  /** Below `/console`. */
  readonly path: string;
  readonly arrange?: (page: Page, installation: ConsoleInstallation) => Promise<unknown>;
  /** Captures the viewport only; for dialogs. */
  readonly isView?: boolean;
};

const minuteMs = 60_000;
const hash = (digits: string) => `0x${digits.repeat(64).slice(0, 64)}`;
const address = (digits: string) => `0x${digits.repeat(40).slice(0, 40)}`;
const ago = (minutes: number) => new Date(Date.now() - minutes * minuteMs).toISOString();
const l1 = { dlt: 'ethereum', networkId: 'l1' };
const l2 = { dlt: 'ethereum', networkId: 'l2' };
const ether = { native: true, symbol: 'ETH', decimals: 18 };
const token = { native: false, symbol: 'USDC', decimals: 6, l1: address('a0b8'), l2: address('7f5c') };
const oneEther = '1250000000000000001';

const deposits = (['pending', 'confirmed', 'relaying', 'completed', 'failed'] as const).map((status, at) => ({
  ...{ depositId: `dep_${at}`, bridgeId: 'main', kind: at % 2 === 0 ? 'native' : 'token', status },
  ...{ stalled: status === 'relaying', source: l1, destination: l2 },
  ...(status === 'failed' && { failureReason: 'relay_failed', messageHash: hash('4e') }),
  ...(at === 3 && { staleSince: ago(9) }),
  ...{ token: at % 2 === 0 ? ether : token, amount: oneEther, from: address('5a'), to: address('c3') },
  ...{ l1TransactionHash: hash('1a'), l1LogIndex: 0, l1BlockNumber: 12_345_678, l2TransactionHash: hash('2b') },
  ...{ confirmations: 2, requiredConfirmations: 3, createdAt: ago(2 + at * 40), updatedAt: ago(1) },
  statusChangedAt: ago(1 + at),
}));

const withdrawals = (
  [
    ...(['initiated', 'awaiting_state_root', 'ready_to_prove', 'in_dispute_window'] as const),
    ...(['challenged', 'ready_to_finalise', 'finalised', 'failed'] as const),
  ] as const
).map((status, at) => ({
  ...{ withdrawalId: `wdr_${at}`, bridgeId: 'main', kind: at === 4 ? 'message' : 'native', withdrawalHash: hash('7c') },
  ...{ nonce: '1', status, source: l2, destination: l1, token: ether, amount: at === 4 ? '0' : oneEther },
  blockers:
    status === 'in_dispute_window' ? ['dispute_window_open', 'paused'] : status === 'finalised' ? [] : ['not_proven'],
  ...(at >= 3 && { proveTransactionHash: hash('3d'), proofSubmitter: address('5a'), disputeWindowEndsAt: ago(-90) }),
  ...(at >= 6 && { finalizeTransactionHash: hash('6f') }),
  ...(status === 'failed' && { failureReason: 'relay_failed', messageHash: hash('4e') }),
  ...{ from: address('5a'), to: address('c3'), l2TransactionHash: hash('2b'), createdAt: ago(3 + at * 300) },
  ...{ updatedAt: ago(1), statusChangedAt: ago(2) },
}));

const history = Array.from({ length: 6 }, (_, at) => ({
  ...{ type: (['deposit', 'swap', 'withdrawal'] as const)[at % 3], id: `h_${at}` },
  ...{ status: (['relaying', 'completed', 'challenged', 'failed', 'failed', 'finalised'] as const)[at] },
  ...{ createdAt: ago(at * 200), ...(at % 3 === 2 ? l2 : l1), wallet: address('5a') },
  sent: { token: ether, amount: oneEther },
  ...(at % 3 === 1 && { received: { token, amount: '2500000000' } }),
  transactions: [{ ...l1, hash: hash('1a'), purpose: 'deposit' }],
}));

/** Serves lists and single records with these, including unusual ones. */
async function withTransfers(page: Page): Promise<void> {
  const answer = async (path: string, records: readonly object[], idName: string) => {
    await page.route(new RegExp(`/users/me/${path}(/|\\?|$)`), (route) => {
      const id = new URL(route.request().url()).pathname.split('/')[4];
      const found = records.find((record) =>
        Object.entries(record).some(([name, value]) => name === idName && value === id),
      );
      return route.fulfill({ json: id === undefined ? { data: records } : found });
    });
  };
  await answer('deposits', deposits, 'depositId');
  await answer('withdrawals', withdrawals, 'withdrawalId');
  await answer('history', history, 'id');
  await page.reload({ waitUntil: 'networkidle' });
}

const click =
  (name: string | RegExp, at = 0) =>
  (page: Page) =>
    page.getByRole('button', { name }).nth(at).click();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();

async function withWallet(page: Page, { bridge, chainUrl }: ConsoleInstallation): Promise<void> {
  const { l1: first, l2: second } = bridge ?? {};
  await addTestWallet(page, {
    accounts: [4],
    chains: {
      31337: chainUrl,
      ...(first && { [first.chainId]: first.url }),
      ...(second && { [second.chainId]: second.url }),
    },
  });
}

async function connect(page: Page): Promise<void> {
  await button(page, 'Connect wallet').click();
  await page.getByRole('dialog').last().getByRole('button', { name: 'Test Wallet' }).click();
}

async function transfer(page: Page, installation: ConsoleInstallation): Promise<void> {
  await withWallet(page, installation);
  await button(page, 'Start session').click();
  await page.getByLabel('From').fill('0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65');
  await page.getByLabel('To', { exact: true }).fill('0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
  await page.getByLabel('Amount in dollars').fill('1.25');
}

async function transferToSign(page: Page, installation: ConsoleInstallation): Promise<void> {
  await transfer(page, installation);
  await button(page, 'Prepare the transfer').click();
  await page.getByRole('heading', { name: 'Sign the transfer' }).waitFor();
  await connect(page);
}

async function deployment(page: Page, installation: ConsoleInstallation): Promise<void> {
  await withWallet(page, installation);
  await button(page, 'Start session').click();
  await page.getByLabel('Account that deploys and pays').fill('0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65');
  await button(page, 'Prepare the transaction').click();
  await page.getByRole('heading', { name: 'Sign the deployment' }).waitFor();
  await connect(page);
  await button(page, 'Sign with Test Wallet').click();
  await page.getByText('Continue below').waitFor();
  await button(page, 'Deploy').click();
  await page.getByRole('heading', { name: 'Deployed', exact: true }).waitFor();
}

const failing = (pattern: RegExp) => async (page: Page) => {
  await page.route(pattern, (route) =>
    route.fulfill({
      status: 503,
      headers: { 'X-Request-Id': '01JDEXAMPLE0000000000000000', 'Retry-After': '30' },
      json: { timestamp: 0, status: 503, error: 'Service unavailable', message: 'The storage is away.', path: '/' },
    }),
  );
  await page.reload({ waitUntil: 'networkidle' });
};

export const scenes: readonly Scene[] = [
  { name: 'palette', path: '/', arrange: (page) => page.keyboard.press('Control+k'), isView: true },
  { name: 'not-found', path: '/nothing-here' },
  { name: 'keys-failed', path: '/keys', arrange: failing(/\/users\/me\/api-keys/) },
  { name: 'keys-dialog', path: '/keys', arrange: click('Create key'), isView: true },
  {
    ...{ name: 'keys-created', path: '/keys', isView: true },
    async arrange(page) {
      await click('Create key')(page);
      await page.getByRole('dialog').getByLabel('Label').fill('docs');
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('button', { name: 'I saved the key' }).waitFor();
    },
  },
  { name: 'keys-revoke', path: '/keys', arrange: click('Revoke'), isView: true },
  {
    ...{ name: 'playground-answer', path: '/playground?method=eth_getBlockByNumber' },
    async arrange(page) {
      await page.getByRole('button', { name: /^Send/ }).first().click();
      await button(page, 'Create key for this tab').click();
      await page.getByText(/ ms/).first().waitFor();
    },
  },
  { name: 'node-dialog', path: '/networks/ethereum/dev', arrange: click('Register node'), isView: true },
  { name: 'policy-dialog', path: '/firewall', arrange: click('Add policy'), isView: true },
  {
    ...{ name: 'policy-remove', path: '/firewall', isView: true },
    arrange: (page) =>
      page
        .getByRole('button', { name: /^Remove/ })
        .first()
        .click(),
  },
  { name: 'apps-sessions', path: '/apps', arrange: (page) => page.getByRole('tab', { name: 'Your sessions' }).click() },
  { name: 'apps-register', path: '/apps', arrange: click(/Register|Publish/), isView: true },
  {
    ...{ name: 'app-versions', path: '/apps/flowgate/token-transfer' },
    arrange: (page) => page.getByRole('tab', { name: 'Versions' }).click(),
  },
  {
    ...{ name: 'app-webhooks', path: '/apps/flowgate/token-transfer' },
    arrange: (page) => page.getByRole('tab', { name: 'Webhooks' }).click(),
  },
  { name: 'runner-form', path: '/apps/flowgate/token-transfer', arrange: transfer },
  { name: 'runner-sign', path: '/apps/flowgate/token-transfer', arrange: transferToSign },
  { name: 'runner-deployed', path: '/apps/flowgate/deploy-contract', arrange: deployment },
  {
    ...{ name: 'runner-done', path: '/apps/flowgate/deploy-contract' },
    async arrange(page, installation) {
      await deployment(page, installation);
      await button(page, 'Finish').click();
      await page.getByRole('region', { name: 'Results' }).getByText('Contracts').waitFor();
    },
  },
  { name: 'wallets-link', path: '/wallets', arrange: click('Link wallet'), isView: true },
  { name: 'stakes-dialog', path: '/stakes', arrange: click('Stake'), isView: true },
  { name: 'deposits-list', path: '/deposits', arrange: withTransfers },
  { name: 'deposits-filtered', path: '/deposits?state=failed&since=2026-11-01' },
  { name: 'deposit-failed', path: '/deposits/dep_4', arrange: withTransfers },
  { name: 'deposit-stalled', path: '/deposits/dep_2', arrange: withTransfers },
  { name: 'deposit-missing', path: '/deposits/dep_01JDEXAMPLE000000000000000' },
  { name: 'deposit-dialog', path: '/deposits', arrange: click('Deposit'), isView: true },
  {
    ...{ name: 'deposit-sign', path: '/deposits', isView: true },
    async arrange(page, installation) {
      await withWallet(page, installation);
      await connect(page);
      await click(/^Deposit$/)(page);
      await page.getByRole('dialog').getByLabel('Amount').fill('0.25');
      await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
      await button(page, 'Sign with Test Wallet').waitFor();
    },
  },
  {
    ...{ name: 'deposits-states', path: '/deposits', isView: true },
    async arrange(page) {
      await withTransfers(page);
      await page.getByRole('button', { name: /^State/ }).click();
      await page.getByRole('menuitemcheckbox').nth(1).click();
    },
  },
  { name: 'withdrawals-list', path: '/withdrawals', arrange: withTransfers },
  { name: 'withdrawal-window', path: '/withdrawals/wdr_3', arrange: withTransfers },
  { name: 'withdrawal-prove', path: '/withdrawals/wdr_2', arrange: withTransfers },
  { name: 'withdrawal-failed', path: '/withdrawals/wdr_7', arrange: withTransfers },
  { name: 'history-list', path: '/history', arrange: withTransfers },
  {
    ...{ name: 'navigation', path: '/keys', isView: true },
    async arrange(page) {
      await page.setViewportSize({ width: 390, height: 900 });
      await click('Open navigation')(page);
    },
  },
  {
    ...{ name: 'person-menu', path: '/keys', isView: true },
    arrange: (page) => page.getByRole('button', { name: /Administrator/ }).click(),
  },
  { name: 'admin-nodes', path: '/admin/nodes' },
  { name: 'admin-indexers', path: '/admin/indexers' },
  { name: 'admin-audit', path: '/admin/audit' },
  {
    ...{ name: 'maintenance-banner', path: '/admin' },
    async arrange(page, { clientOf }) {
      const client = await clientOf('admin');
      await client.admin.maintenance.set({
        ...{ active: true, surfaces: ['flow'], message: 'Back at noon.' },
        ...{ startsAt: ago(-90), endsAt: ago(-150), noticeMinutes: 120 },
      });
      await page.reload({ waitUntil: 'networkidle' });
    },
  },
];
