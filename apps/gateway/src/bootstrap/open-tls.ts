/** Opens the certificate of the listening socket, if the gateway terminates TLS itself. */

import { constants } from 'node:crypto';
import type { ServerTls } from '@flowgate/http1/server/http-server';
import { loadCertificate } from '@flowgate/http1/tls/certificate';
import { RenewedCertificate } from '@flowgate/http1/tls/renewed-certificate';
import type { Config } from '../config/config.ts';
import { tlsVerdict } from '../config/tls-verdict.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Runtime } from './runtime.ts';

export type Tls = {
  /** The settings for new connections; undefined when the gateway speaks plain HTTP. */
  readonly settings: (() => ServerTls) | undefined;
  /** Checks the files now. Returns what was checked. */
  readonly reload: () => Promise<readonly string[]>;
  readonly hooks: ModuleHooks;
};

/** For TLS 1.2 only cipher suites with forward secrecy and authenticated encryption; all suites of TLS 1.3 have both. */
const ciphers = 'ECDHE+AESGCM:ECDHE+CHACHA20';

/** Rejects with a sentence for the operator when certificate or key cannot be used. */
export async function openTls({ server }: Pick<Config, 'server'>, { clock, log }: Runtime): Promise<Tls> {
  const { tls } = server;
  if (tls === undefined) return { settings: undefined, reload: async () => [], hooks: moduleHooks() };
  const loaded = await loadCertificate(tls);
  if (!loaded.ok) throw new Error(`server.tls.${loaded.problem.file} ${loaded.problem.message}`);
  const { problems, warnings } = await tlsVerdict(tls, clock.now());
  for (const { path, message } of problems) log.warn('config.unsafe', { path, problem: message });
  for (const { path, message } of warnings) log.warn('config.unwise', { path, advice: message });
  const until = (validToMs: number) => new Date(validToMs).toISOString();
  const renewed = new RenewedCertificate(loaded.certificate, {
    files: tls,
    load: loadCertificate,
    now: clock.now,
    report: {
      replaced: ({ validToMs }) => log.info('tls.certificate-replaced', { validTo: until(validToMs) }),
      refused: (problem) => log.error('tls.certificate-refused', { problem }),
      expiring: (advice) => log.warn('tls.certificate-expiring', { advice }),
    },
  });
  const secureOptions =
    constants.SSL_OP_NO_TLSv1 |
    constants.SSL_OP_NO_TLSv1_1 |
    (tls.minVersion === 'TLSv1.3' ? constants.SSL_OP_NO_TLSv1_2 : 0);
  return {
    settings: () => ({ cert: renewed.current.cert, key: renewed.current.key, ciphers, secureOptions }),
    async reload() {
      await renewed.look();
      return ['server.tls'];
    },
    hooks: moduleHooks({
      start: () => renewed.start(tls.reloadSeconds * 1000),
      close: () => renewed.stop(),
    }),
  };
}
