/** The parameters of paths that name apps, versions and sessions. */

import {
  appId,
  exampleAppId,
  exampleSessionId,
  exampleVersion,
  sessionId,
  version,
} from '@flowgate/flow-format/manifest/registry-members';
import type { PathParameterDoc } from '../../api/route.ts';

export const appPath = {
  appId: {
    description: 'The id of the app, `publisher/slug`, unchanged or with `%2F` for the slash.',
    schema: appId,
    example: exampleAppId,
  },
} as const satisfies Readonly<Record<string, PathParameterDoc>>;

export const versionPath = {
  ...appPath,
  version: { description: 'The version, as published.', schema: version, example: exampleVersion },
} as const satisfies Readonly<Record<string, PathParameterDoc>>;

export const sessionPath = {
  sessionId: { description: 'The id of the session.', schema: sessionId, example: exampleSessionId },
} as const satisfies Readonly<Record<string, PathParameterDoc>>;
