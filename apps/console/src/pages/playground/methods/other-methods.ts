/** Example calls for networks outside the EVM family, with raw JSON parameters to edit. */

export type FirstCall = { readonly name: string; readonly params: string };

const call = (name: string, params = '[]'): FirstCall => ({ name, params });

export const otherMethods: Readonly<Record<'solana' | 'bitcoin', readonly FirstCall[]>> = {
  solana: [
    call('getSlot'),
    call('getBlockHeight'),
    call('getLatestBlockhash'),
    call('getEpochInfo'),
    call('getVersion'),
    call('getSupply'),
    call('getBalance', '["11111111111111111111111111111111"]'),
    call('getAccountInfo', '["11111111111111111111111111111111", { "encoding": "base64" }]'),
    call('getSignaturesForAddress', '["11111111111111111111111111111111", { "limit": 10 }]'),
    call('getTransaction', '["SIGNATURE", { "maxSupportedTransactionVersion": 0 }]'),
  ],
  bitcoin: [
    call('getblockcount'),
    call('getbestblockhash'),
    call('getblockchaininfo'),
    call('getmempoolinfo'),
    call('getdifficulty'),
    call('getblockhash', '[0]'),
    call('getblock', '["BLOCK-HASH", 1]'),
    call('getrawtransaction', '["TXID", true]'),
    call('estimatesmartfee', '[6]'),
  ],
};
