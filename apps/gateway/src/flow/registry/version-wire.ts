/** A published version as callers see it (contract/flow-apps#versions). */

import { isoTime } from '@flowgate/base/iso-time';
import { time } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { manifestMembers } from '@flowgate/flow-format/manifest/manifest-input';
import { appId, exampleAppId, exampleTime, version } from '@flowgate/flow-format/manifest/registry-members';
import { exampleManifest, signingSecret } from '@flowgate/flow-format/manifest/version-input';
import { z } from 'zod';
import type { VersionRecord } from './version.ts';

export const versionBody = bodySchema(
  'Version',
  'A published version.',
  () =>
    z.object({
      appId: appId(),
      version: version(),
      baseUrl: z.string().describe('The address of the app; `embedded:` for an app that runs in the gateway.'),
      ...manifestMembers(),
      status: z.enum(['active', 'retired']),
      createdAt: time('The time of the publication.'),
      signingSecret: signingSecret()
        .describe('Present only in the response to the publication, and only if the gateway generated the secret.')
        .exactOptional(),
    }),
  { appId: exampleAppId, ...exampleManifest, status: 'active', createdAt: exampleTime },
);

export type Version = BodyOf<typeof versionBody>;

export const versionPage = pageSchema('VersionPage', 'Versions, newest first.', versionBody);

/** Includes `signingSecret` only in the response to the publication for which it was generated. */
export function versionView(record: VersionRecord, signingSecret?: string): Version {
  const { manifest } = record;
  return {
    appId: record.appId,
    version: record.version,
    baseUrl: manifest.baseUrl,
    startSteps: manifest.startSteps,
    steps: manifest.stepIds.map((stepId) => ({ stepId })),
    queries: manifest.queries,
    events: manifest.eventTypes.map((type) => ({ type })),
    linkDomains: manifest.linkDomains ?? [],
    status: record.status,
    createdAt: isoTime(record.createdAtMs),
    ...(signingSecret === undefined ? {} : { signingSecret }),
  };
}
