/** An x402 facilitator for development: the official packages behind HTTP, settling on a local chain, with faults on request. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { x402Facilitator } from '@x402/core/facilitator';
import { type FacilitatorEvmSigner, toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator';
import { EVM_NETWORK_CHAIN_ID_MAP } from '@x402/evm/v1';
import { getAddress } from 'viem';
import { clientsOf, devAccount } from './dev-token.ts';

export type FacilitatorOptions = {
  /** The chain on which it settles. Its network name in x402's first version exists only for ids of public chains. */
  readonly rpcUrl: string;
  /** 0, the default, chooses a free port. */
  readonly port?: number;
  /** Index of anvil's account that pays the gas. Default 8. */
  readonly accountIndex?: number;
};

/** The fault of one request. `before`, the default of a refusal: the request has no effect; `after`: it has its full effect. */
export type FacilitatorFault =
  | { readonly kind: 'refuse'; readonly reason: string; readonly when?: 'before' | 'after' }
  | { readonly kind: 'hang' | 'crash' | 'error'; readonly when: 'before' | 'after' };

type Operation = 'verify' | 'settle';

export type Facilitator = {
  readonly url: string;
  readonly port: number;
  /** `eip155:<chain id>`. */
  readonly network: `eip155:${number}`;
  /** The next requests of this kind fail in this order, one fault each; `undefined` lets one request pass. */
  readonly failNext: (operation: Operation, ...faults: readonly (FacilitatorFault | undefined)[]) => void;
  /** Drops the faults that have not happened yet. */
  readonly heal: () => void;
  /** Number of requests of this kind so far. */
  readonly requests: (operation: Operation) => number;
  /** Resolves when the next request of this kind arrives. */
  readonly nextRequest: (operation: Operation) => Promise<void>;
  readonly stop: () => Promise<void>;
};

const bodyLimitBytes = 256 * 1024;

export async function startFacilitator(options: FacilitatorOptions): Promise<Facilitator> {
  const { facilitator, network } = await facilitatorOn(options);
  const faults: Record<Operation, (FacilitatorFault | undefined)[]> = { verify: [], settle: [] };
  const counts: Record<Operation, number> = { verify: 0, settle: 0 };
  const waiting: Record<Operation, (() => void)[]> = { verify: [], settle: [] };

  async function operate(operation: Operation, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { paymentPayload, paymentRequirements } = JSON.parse(await bodyOf(request));
    counts[operation] += 1;
    for (const resolve of waiting[operation].splice(0)) resolve();
    const fault = faults[operation].shift();
    const { when = 'before' } = fault ?? {};
    const result =
      fault === undefined || when === 'after'
        ? await facilitator[operation](paymentPayload, paymentRequirements)
        : undefined;
    if (fault === undefined) answer(response, 200, result);
    else if (fault.kind !== 'refuse') misbehave(response, fault.kind);
    else answer(response, 200, refusalOf(operation, fault.reason, paymentPayload));
  }

  const server = createServer((request, response) => {
    route(request, response).catch((error: unknown) => {
      answer(response, 500, { error: error instanceof Error ? error.message : 'unknown' });
    });
  });
  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const place = `${request.method} ${request.url}`;
    if (place === 'GET /supported') return answer(response, 200, facilitator.getSupported());
    if (place === 'POST /verify') return await operate('verify', request, response);
    if (place === 'POST /settle') return await operate('settle', request, response);
    answer(response, 404, { error: 'not found' });
  }

  const port = await listen(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    network,
    failNext: (operation, ...next) => faults[operation].push(...next),
    heal: () => {
      faults.verify.length = 0;
      faults.settle.length = 0;
    },
    requests: (operation) => counts[operation],
    nextRequest: (operation) => new Promise((resolve) => waiting[operation].push(resolve)),
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The exact scheme in both protocol versions, on one chain. */
async function facilitatorOn({ rpcUrl, accountIndex = 8 }: FacilitatorOptions) {
  const { signer, chainId } = await signerOn(rpcUrl, accountIndex);
  const network = `eip155:${chainId}` as const;
  const facilitator = new x402Facilitator().register(network, new ExactEvmScheme(signer));
  for (const [name, id] of Object.entries(EVM_NETWORK_CHAIN_ID_MAP)) {
    // The package's type requires a colon in each network name; names of the first version have none.
    if (id === chainId) facilitator.registerV1(name as `${string}:${string}`, new ExactEvmSchemeV1(signer));
  }
  return { facilitator, network };
}

/** Serializes transactions: two concurrent ones of the same account would use the same nonce. */
async function signerOn(rpcUrl: string, accountIndex: number) {
  const { reader, writer, chainId } = await clientsOf(rpcUrl, accountIndex);
  const account = devAccount(accountIndex);
  const by = { account, chain: writer.chain };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(send: () => Promise<T>): Promise<T> => {
    const sent = last.then(send);
    last = sent.catch(() => undefined);
    return sent;
  };
  const signer: FacilitatorEvmSigner = toFacilitatorEvmSigner({
    address: account.address,
    readContract: (call) => reader.readContract({ ...call, args: call.args ?? [] }),
    // viem derives its types from the typed data, whose type is unknown here.
    verifyTypedData: (typed) => reader.verifyTypedData(typed as Parameters<typeof reader.verifyTypedData>[0]),
    writeContract: (call) => inTurn(() => writer.writeContract({ ...call, address: getAddress(call.address), ...by })),
    sendTransaction: (transaction) => inTurn(() => writer.sendTransaction({ ...transaction, ...by })),
    waitForTransactionReceipt: ({ hash }) => reader.waitForTransactionReceipt({ hash }),
    getCode: ({ address }) => reader.getCode({ address }),
  });
  return { signer, chainId };
}

function refusalOf(operation: Operation, reason: string, payload: { readonly network?: string; accepted?: unknown }) {
  if (operation === 'verify') return { isValid: false, invalidReason: reason };
  const accepted = payload.accepted;
  const network = typeof accepted === 'object' && accepted !== null && 'network' in accepted ? accepted.network : '';
  return { success: false, errorReason: reason, transaction: '', network: payload.network ?? network };
}

function misbehave(response: ServerResponse, kind: 'hang' | 'crash' | 'error'): void {
  if (kind === 'crash') response.socket?.destroy();
  if (kind === 'error') answer(response, 500, { error: 'as asked for' });
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) {
    text += String(piece);
    if (text.length > bodyLimitBytes) throw new Error('The body is too long.');
  }
  return text;
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The facilitator has no port');
  return address.port;
}
