/** The local rollup of a console installation: its chains for a wallet, its control routes, and transactions sent straight to it. */
import { devAccount } from '@flowgate/devkit/dev-token';
import { createPublicClient, createWalletClient, type Hex, http } from 'viem';
import type { ConsoleInstallation } from './console-installation.ts';

export function rollupOf({ bridge, chainUrl }: ConsoleInstallation) {
  if (bridge === undefined) throw new Error('The rollup was not started.');
  return {
    ...bridge,

    /** Of a test wallet, which is on the development chain at first. */
    chains: { 31337: chainUrl, [bridge.l1.chainId]: bridge.l1.url, [bridge.l2.chainId]: bridge.l2.url },

    async control(path: string, body: object = {}): Promise<Readonly<Record<string, unknown>>> {
      const response = await fetch(bridge.controlUrl + path, { method: 'POST', body: JSON.stringify(body) });
      const answer = (await response.json()) as Readonly<Record<string, unknown>>;
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`);
      return answer;
    },

    /** Signed by a development account, and mined; throws when it fails. The transaction's hash. */
    async send(index: number, side: 'l1' | 'l2', to: Hex, data: Hex, value = 0n): Promise<Hex> {
      const transport = http(bridge[side].url);
      const wallet = createWalletClient({ account: devAccount(index), transport });
      const hash = await wallet.sendTransaction({ to, data, value, gas: 3_000_000n, chain: null });
      const reader = createPublicClient({ transport, pollingInterval: 50, cacheTime: 0 });
      const { status } = await reader.waitForTransactionReceipt({ hash });
      if (status !== 'success') throw new Error(`${hash} failed`);
      return hash;
    },
  };
}
