/** An x402 payer: the official client with one of anvil's accounts, in the protocol's first or second version. */
import { x402Client } from '@x402/core/client';
import { encodePaymentSignatureHeader } from '@x402/core/http';
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client';
import { EVM_NETWORK_CHAIN_ID_MAP } from '@x402/evm/v1';
import { devAccount } from './dev-token.ts';

/** Signs for the first acceptable requirement. */
export async function paymentFor(
  accepts: readonly object[],
  { version = 2, account = 0 }: { readonly version?: 1 | 2; readonly account?: number } = {},
): Promise<PaymentPayload> {
  const signer = devAccount(account);
  const client = new x402Client().setSpendControls(false).register('eip155:*', new ExactEvmScheme(signer));
  for (const name of Object.keys(EVM_NETWORK_CHAIN_ID_MAP))
    client.registerV1(name as never, new ExactEvmSchemeV1(signer));
  const required = {
    x402Version: version,
    accepts: accepts as PaymentRequirements[],
    resource: { url: 'http://resource' },
  };
  return await client.createPaymentPayload(required as PaymentRequired);
}

/** The payment encoded for the `X-Payment` and `PAYMENT-SIGNATURE` headers. */
export function paymentHeaderOf(payload: PaymentPayload): string {
  return encodePaymentSignatureHeader(payload);
}
