/** What `npm start` ends with: addresses, a token, a key, and `curl` lines to paste. */
import { mintCommand } from './token-page.ts';

export type SummaryFacts = {
  readonly gatewayUrl: string;
  readonly issuer: string;
  readonly chainUrl: string;
  readonly user: string;
  readonly token: string;
  readonly apiKey: string;
  readonly appIds: readonly string[];
};

const BLOCK_NUMBER = `-H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'`;

/** Each command is one line, so that it can be pasted whole. */
export function startSummary({ gatewayUrl, issuer, chainUrl, user, token, apiKey, appIds }: SummaryFacts): string {
  return `
Flowgate is ready.

  Gateway            ${gatewayUrl}
  Reference          ${gatewayUrl}/reference
  Sign in, tokens    ${issuer}   (users: alice, admin)
  Local chain        ${chainUrl}   (reached through the gateway below)
  Flow Apps          ${appIds.join(', ')}

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

Walk through a Flow App (flow-transfer.ts and flow-paid-report.ts are others), from the project's directory:
${flowCommand(gatewayUrl, apiKey)}

Ctrl-C stops everything; data and logs stay.`;
}

function flowCommand(gatewayUrl: string, apiKey: string): string {
  return `FLOWGATE_URL=${gatewayUrl} FLOWGATE_API_KEY='${apiKey}' npx bun client/examples/flow-deploy.ts`;
}
