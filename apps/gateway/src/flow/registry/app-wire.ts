/** A registered app as callers see it (contract/flow-apps#registry). */

import { isoTime } from '@flowgate/base/iso-time';
import { time } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { appDescription, appName, appVisibilities, exampleAppName } from '@flowgate/flow-format/manifest/app-input';
import {
  appId,
  exampleAppId,
  exampleTime,
  exampleVersion,
  version,
} from '@flowgate/flow-format/manifest/registry-members';
import { z } from 'zod';
import type { AppRecord } from './app.ts';

export const app = bodySchema(
  'App',
  'A registered app.',
  () =>
    z.object({
      appId: appId(),
      name: appName(),
      description: appDescription().exactOptional(),
      visibility: z.enum(appVisibilities),
      latestVersion: version()
        .meta({ description: 'The version that a start without `version` uses. Absent while no version is active.' })
        .exactOptional(),
      createdAt: time('The time of the registration.'),
    }),
  {
    appId: exampleAppId,
    name: exampleAppName,
    visibility: 'public',
    latestVersion: exampleVersion,
    createdAt: exampleTime,
  },
);

export type App = BodyOf<typeof app>;

export const appPage = pageSchema('AppPage', 'Apps, newest first.', app);

/** `latestVersion`: the version that a start without `version` uses. */
export function appView(record: AppRecord, latestVersion: string | undefined): App {
  const { appId, name, description, visibility, createdAtMs } = record;
  return {
    appId,
    name,
    ...(description === undefined ? {} : { description }),
    visibility,
    ...(latestVersion === undefined ? {} : { latestVersion }),
    createdAt: isoTime(createdAtMs),
  };
}
