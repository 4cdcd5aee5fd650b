/** The sample Flow Apps on one port, with the development dollar, the facilitator and an optional rollup. */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createFlowAppHandler } from '@flowgate/client/flow-app';
import type { AppInput, VersionInput } from '@flowgate/client/flow-wire';
import type { BridgeAppOptions } from './apps/bridge-place.ts';
import { deployContract } from './apps/deploy-contract.ts';
import { paidReport } from './apps/paid-report.ts';
import { reducerOf, type SampleApp } from './apps/sample-app.ts';
import { tokenTransfer } from './apps/token-transfer.ts';
import { devAccount } from './dev-token.ts';
import { ensureDevToken } from './ensure-dev-token.ts';
import { startFacilitator } from './facilitator.ts';
import { openAnswerFile } from './open-answer-file.ts';

export type SampleAppsOptions = {
  readonly rpcUrl: string;
  readonly chainId: number;
  /** The local rollup; without it `flowgate/bridge` is not served. */
  readonly bridge?: BridgeAppOptions | undefined;
  /** 0, the default, chooses a free port. */
  readonly appsPort?: number;
  readonly facilitatorPort?: number;
  /** The `whsec_…` secret of an app. It survives a restart, because published versions contain it. */
  readonly signingSecret: (appId: string) => string;
  /** Contains the token's address, the apps' answers and the log of their errors. */
  readonly directory: string;
};

/** An app's publication without the version number, which depends on the versions that the gateway already has. */
export type Publication = { readonly app: AppInput; readonly version: Omit<VersionInput, 'version'> };

export type SampleApps = {
  readonly facilitatorUrl: string;
  readonly publications: readonly Publication[];
  readonly stop: () => Promise<void>;
};

/** The address that receives the paid report's revenue. */
const payeeIndex = 7;

export async function startSampleApps(options: SampleAppsOptions): Promise<SampleApps> {
  const { rpcUrl, chainId, directory } = options;
  const token = await ensureDevToken(rpcUrl, join(directory, 'dev-token'));
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

/** Loaded only with a rollup. */
async function bridgeApp(rollup: BridgeAppOptions): Promise<SampleApp> {
  const { bridge } = await import('./apps/bridge.ts');
  return bridge(rollup);
}

/** The app's slug is the path: several apps share one port. */
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
