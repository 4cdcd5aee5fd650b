/** Links a development account to a user over the routes, as a precondition of other tests. */
import type { Flowgate } from '@flowgate/client';
import { devAccount } from '@flowgate/devkit/dev-token';

export async function linkWallet(client: Flowgate, index: number, label?: string): Promise<string> {
  const account = devAccount(index);
  const { message } = await client.wallets.challenge({ address: account.address });
  const signature = await account.signMessage({ message });
  const { address } = await client.wallets.link({ message, signature, ...(label === undefined ? {} : { label }) });
  return address;
}
