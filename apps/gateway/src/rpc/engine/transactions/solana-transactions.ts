/** Transactions of the Solana family: `sendTransaction`, identified by their first signature in base 58 (contract/transactions). */

import { rangeOf } from '@flowgate/bytes/byte-range';
import { base58Of, bytesOfBase58 } from '@flowgate/chain/base58';
import { isJsonObject } from '@flowgate/json/json-object';
import { shortTextOf } from './given-texts.ts';
import { type SubmissionPhrases, submissionVerdict } from './submission-errors.ts';
import type { TransactionKind } from './transaction-kind.ts';

const phrases: SubmissionPhrases = {
  known: ['already been processed', 'alreadyprocessed'],
  invalid: [
    'signature verification failure',
    'failed to deserialize',
    'sanitize',
    'too large',
    'invalid base58',
    'invalid base64',
  ],
};
/** A transaction fits in one packet (1,232 bytes). `maxDigits` is more than such a packet needs in base58 or base64. */
const maxBytes = 1_232;
const maxDigits = 1_700;
const signatureBytes = 64;

export const solanaTransactions: TransactionKind = {
  method: 'sendTransaction',
  read(params) {
    const given: unknown = JSON.parse(params.text());
    if (!Array.isArray(given)) return undefined;
    const [text, settings]: readonly unknown[] = given;
    if (typeof text !== 'string' || text.length > maxDigits) return undefined;
    const encoding = isJsonObject(settings) ? (settings['encoding'] ?? 'base58') : 'base58';
    const bytes =
      encoding === 'base64' ? Buffer.from(text, 'base64') : encoding === 'base58' ? bytesOfBase58(text) : undefined;
    // A transaction begins with its number of signatures. A packet has space for at most 19.
    const [signatures = 0] = bytes ?? [];
    if (bytes === undefined || bytes.length > maxBytes || signatures === 0 || signatures > 19) return undefined;
    if (bytes.length < 1 + signatures * signatureBytes) return undefined;
    const signature = base58Of(bytes.subarray(1, 1 + signatureBytes));
    return { id: () => signature, verdict: (error) => submissionVerdict(error, phrases, () => false) };
  },
  isId: (result, id) => shortTextOf(result) === id,
  lookUp: (signature) => ({
    method: 'getSignatureStatuses',
    params: rangeOf(`[["${signature}"],{"searchTransactionHistory":true}]`),
  }),
  isFound(result) {
    const found: unknown = JSON.parse(result.text());
    if (!isJsonObject(found) || !Array.isArray(found['value'])) return false;
    return isJsonObject(found['value'][0]);
  },
};
