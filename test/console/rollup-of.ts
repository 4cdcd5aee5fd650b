/** The local rollup of a console installation: chains for a test wallet, control routes, and direct transactions. */
import { devAccount } from '@flowgate/devkit/dev-token';
import { createPublicClient, createWalletClient, type Hex, http } from 'viem';
import type { ConsoleInstallation } from './console-installation.ts';

export function rollupOf({ bridge, chainUrl }: ConsoleInstallation) {
  if (bridge === undefined) throw new Error('The rollup was not started.');
  return {
    ...bridge,

    /** Options of a test wallet that starts on the development chain. */
    chains: { 31337: chainUrl, [bridge.l1.chainId]: bridge.l1.url, [bridge.l2.chainId]: bridge.l2.url },

    async control(path: string, body: object = {}): Promise<Readonly<Record<string, unknown>>> {
      const response = await fetch(bridge.controlUrl + path, { method: 'POST', body: JSON.stringify(body) });
      const answer = (await response.json()) as Readonly<Record<string, unknown>>;
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`);
      return answer;
    },

    /** Sends a transaction from a development account and waits until it is mined. Returns its hash; throws when it fails. */
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
