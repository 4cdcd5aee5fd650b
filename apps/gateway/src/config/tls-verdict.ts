/** Checks the configured certificate: what callers would refuse, and what to reconsider. */

import { type CertificateFiles, dateProblem, loadCertificate, renewalAdvice } from '@flowgate/http1/tls/certificate';
import type { ConfigVerdict } from './config-verdict.ts';

export async function tlsVerdict(tls: CertificateFiles, nowMs: number): Promise<ConfigVerdict> {
  const loaded = await loadCertificate(tls);
  if (!loaded.ok) {
    const { file, message } = loaded.problem;
    return { problems: [{ path: `server.tls.${file}`, message }], warnings: [] };
  }
  const { certificate } = loaded;
  const path = 'server.tls.certificate';
  const reported = (messages: readonly (string | undefined)[]) =>
    messages.flatMap((message) => (message === undefined ? [] : [{ path, message }]));
  return {
    problems: reported([dateProblem(certificate, nowMs), certificate.weakness]),
    warnings: [
      ...reported([renewalAdvice(certificate, nowMs), certificate.rarity]),
      ...(certificate.isKeyExposed
        ? [{ path: 'server.tls.key', message: 'can be read or changed by other users of this machine' }]
        : []),
    ],
  };
}
