/** What `npm start` ends with: addresses, a token, a key, and `curl` lines to paste. */
import { mintCommand } from './token-page.ts';

export type SummaryFacts = {
  readonly gatewayUrl: string;
  readonly issuer: string;
  readonly chainUrl: string;
  readonly user: string;
  readonly token: string;
  readonly apiKey: string;
};

const BLOCK_NUMBER = `-H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'`;

/** Each command is one line, so that it can be pasted whole. */
export function startSummary({ gatewayUrl, issuer, chainUrl, user, token, apiKey }: SummaryFacts): string {
  return `
Flowgate is ready.

  Gateway            ${gatewayUrl}
  Reference          ${gatewayUrl}/reference
  Sign in, tokens    ${issuer}   (users: alice, admin)
  Local chain        ${chainUrl}   (reached through the gateway below)

Access token of ${user}:
${token}

API key of ${user}:
${apiKey}

Read a block number, key in the header (preferred):
curl -s -X POST ${gatewayUrl}/rpc -H 'X-API-Key: ${apiKey}' ${BLOCK_NUMBER}

The same, key in the path (such a URL is itself a credential, and proxies may log it):
curl -s -X POST ${gatewayUrl}/rpc/${apiKey} ${BLOCK_NUMBER}

Mint another key with the token:
${mintCommand(gatewayUrl, token)}

Ctrl-C stops everything; data and logs stay.`;
}
