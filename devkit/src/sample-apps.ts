/** The sample Flow Apps, with what they stand on: the development dollar, a facilitator, one port, and a rollup for one of them. */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createFlowAppHandler } from '@flowgate/client/flow-app';
import type { AppInput, VersionInput } from '@flowgate/client/flow-wire';
import { openAnswerFile } from './answer-file.ts';
import type { BridgeAppOptions } from './apps/bridge-place.ts';
import { deployContract } from './apps/deploy-contract.ts';
import { paidReport } from './apps/paid-report.ts';
import { reducerOf, type SampleApp } from './apps/sample-app.ts';
import { tokenTransfer } from './apps/token-transfer.ts';
import { devAccount } from './dev-token.ts';
import { startFacilitator } from './facilitator.ts';
import { keptDevToken } from './kept-dev-token.ts';

export type SampleAppsOptions = {
  readonly rpcUrl: string;
  readonly chainId: number;
  /** The local rollup; without it there is no `flowgate/bridge`. */
  readonly bridge?: BridgeAppOptions | undefined;
  /** 0, the default, lets the system choose. */
  readonly appsPort?: number;
  readonly facilitatorPort?: number;
  /** The `whsec_…` of an app; the same after a restart, since versions are published with it. */
  readonly signingSecret: (appId: string) => string;
  /** Holds the token's address, the answers of the apps, and the errors that apps throw. */
  readonly directory: string;
};

/** What a publisher tells a gateway about an app; the version's number is the gateway's and ours to agree upon. */
export type Publication = { readonly app: AppInput; readonly version: Omit<VersionInput, 'version'> };

export type SampleApps = {
  readonly facilitatorUrl: string;
  readonly publications: readonly Publication[];
  readonly stop: () => Promise<void>;
};

/** Who gets what the paid report earns. */
const payeeIndex = 7;

export async function startSampleApps(options: SampleAppsOptions): Promise<SampleApps> {
  const { rpcUrl, chainId, directory } = options;
  const token = await keptDevToken(rpcUrl, join(directory, 'dev-token'));
  const facilitator = await startFacilitator({ rpcUrl, port: options.facilitatorPort ?? 0 });
  const apps = [
    deployContract({ rpcUrl }),
    tokenTransfer({ rpcUrl, token }),
    paidReport({ rpcUrl, chainId, token, payTo: devAccount(payeeIndex).address }),
    ...(options.bridge === undefined ? [] : [await bridgeApp(options.bridge)]),
  ];
  const served = serve(apps, options);
  return {
    facilitatorUrl: facilitator.url,
    publications: apps.map(({ app, manifest }) => ({
      app,
      version: {
        ...manifest,
        baseUrl: `${served.url}${pathOf(app)}`,
        signingSecret: options.signingSecret(app.appId),
      },
    })),
    stop: async () => {
      await Promise.all([served.stop(), facilitator.stop()]);
    },
  };
}

/** Loaded only where there is a rollup. */
async function bridgeApp(rollup: BridgeAppOptions): Promise<SampleApp> {
  const { bridge } = await import('./apps/bridge.ts');
  return bridge(rollup);
}

/** Below the app's slug: several apps may share a port, as they may share a host. */
function pathOf({ appId }: AppInput): string {
  return `/${appId.slice(appId.indexOf('/') + 1)}`;
}

function serve(apps: readonly SampleApp[], { appsPort = 0, signingSecret, directory }: SampleAppsOptions) {
  const store = openAnswerFile(join(directory, 'flow-apps.db'));
  mkdirSync(join(directory, 'logs'), { recursive: true });
  const onError = (error: unknown) =>
    appendFileSync(
      join(directory, 'logs', 'flow-apps.log'),
      `${error instanceof Error ? error.stack : String(error)}\n`,
    );
  const handlers = apps.map((each) => {
    const [path, secret] = [pathOf(each.app), signingSecret(each.app.appId)];
    const handle = createFlowAppHandler(reducerOf(each), { signingSecret: secret, store, onError, basePath: path });
    return { path, handle };
  });
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: appsPort,
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      const found = handlers.find(({ path }) => pathname.startsWith(`${path}/`));
      return found === undefined ? new Response(undefined, { status: 404 }) : found.handle(request);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    stop: async () => {
      await server.stop(true);
      store.close();
    },
  };
}
