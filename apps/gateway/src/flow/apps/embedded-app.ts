/** Flow Apps that run in this process. They have the same interface as apps that are called over HTTP (contract/flow-apps#downstream). */

import { settledWithin } from '@flowgate/async/bounded-waits';
import { ok } from '@flowgate/base/result';
import type { AppFailure } from '@flowgate/flow-format/app-responses/app-failure';
import type { Manifest } from '@flowgate/flow-format/manifest/manifest';
import type { OpenFlowApp } from './flow-app.ts';
import type { RenderRequest } from './render-request-wire.ts';

/** A module of `flow.embeddedApps`, as validated by `load-embedded-apps`. */
export type LoadedApp = {
  /** `publisher/slug`; the publisher must not belong to a user. */
  readonly appId: string;
  readonly name: string;
  readonly description?: string;
  /** Strict semver. */
  readonly version: string;
  readonly manifest: Manifest;
  /** A reducer like `POST {baseUrl}/renderStep`. The gateway copies its argument and its result, and shares no object with it. Throwing counts like status 500 over HTTP. */
  readonly renderStep: (request: RenderRequest) => unknown;
  /** The app is unhealthy when this returns or resolves to `false`, or throws. */
  readonly health: () => unknown;
};

export type EmbeddedOptions = {
  /** The maximum time for a response. Code that never awaits cannot be interrupted. */
  readonly renderTimeoutMs: number;
  /** Called with errors that an app throws, for the operator. */
  readonly onError: (appId: string, error: unknown) => void;
};

const maxResponseBytes = 1_048_576;
const late = Symbol('late');

const temporary = (detail: string): AppFailure => ({ ok: false, detail, retryable: true });
const final = (detail: string): AppFailure => ({ ok: false, detail, retryable: false });

/** A version that this process does not run fails as if the app were unreachable. That happens while gateways with different configurations are running. */
export function createEmbeddedApps(apps: readonly LoadedApp[], options: EmbeddedOptions): OpenFlowApp {
  const running = new Map(apps.map((app) => [nameOf(app), app]));

  async function call<T>(app: LoadedApp, run: () => unknown, take: (answer: unknown) => T): Promise<T | AppFailure> {
    try {
      const answer = await settledWithin(options.renderTimeoutMs, Promise.resolve(run()), late);
      return answer === late
        ? temporary(`the app did not answer within ${options.renderTimeoutMs / 1000} seconds`)
        : take(answer);
    } catch (error) {
      options.onError(app.appId, error);
      return temporary('the app failed');
    }
  }

  return (version) => {
    const app = running.get(nameOf(version));
    if (app === undefined) {
      const absent = async () => temporary('the app does not run in this gateway');
      return { render: absent, health: absent };
    }
    return {
      render: (request) => call(app, () => app.renderStep(structuredClone(request)), answerOf),
      health: () =>
        call(app, app.health, (well) =>
          well === false ? temporary('the app says that it is not well') : ok(undefined),
        ),
    };
  };
}

function nameOf({ appId, version }: { readonly appId: string; readonly version: string }): string {
  return `${appId}@${version}`;
}

/** Serializes the response as if it came over HTTP. */
function answerOf(answer: unknown) {
  let text: string | undefined;
  try {
    text = JSON.stringify(answer, refuseNoNumber);
  } catch {
    // A circular reference, a bigint, or a number that JSON cannot represent and would turn into null.
  }
  if (text === undefined) return final("the app's answer is not JSON");
  const bytes = new TextEncoder().encode(text);
  return bytes.length > maxResponseBytes ? final("the app's answer is larger than 1 MiB") : ok(bytes);
}

function refuseNoNumber(_name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error('JSON has no such number');
  return value;
}
