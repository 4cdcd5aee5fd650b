/** The body of a registration (contract/flow-apps#registry). */

import type { Ok } from '@flowgate/base/result';
import { optional, plainText } from '@flowgate/body-schema/body-members';
import type { BodyRefusal } from '@flowgate/body-schema/body-problems';
import { bodySchema } from '@flowgate/body-schema/body-schema';
import { checkedBody } from '@flowgate/body-schema/checked-body';
import { z } from 'zod';
import { appId, exampleAppId } from './registry-members.ts';

export const appVisibilities = ['public', 'private'] as const;
export type AppVisibility = (typeof appVisibilities)[number];

export type CheckedApp = {
  readonly appId: string;
  readonly name: string;
  readonly description?: string;
  readonly visibility: AppVisibility;
};

export const exampleAppName = 'Pay an invoice';

export const appName = () =>
  plainText(100).describe('The name to show to users, without control and format characters.');
export const appDescription = () =>
  plainText(2_000, { label: false }).describe('The description to show to users, without control characters.');

export const appInput = bodySchema(
  'AppInput',
  'An app to register. Its publisher is the part of `appId` before the slash, and belongs to the first user who registers an app under it.',
  () =>
    z.object({
      appId: appId(),
      name: appName(),
      description: optional(appDescription()),
      visibility: optional(z.enum(appVisibilities, { error: 'must be "public" or "private"' })).describe(
        'A private app is visible to its owner only. Default: `private`.',
      ),
    }),
  { appId: exampleAppId, name: exampleAppName, visibility: 'public' },
);

export function parseAppInput(body: unknown): Ok<CheckedApp> | BodyRefusal {
  const checked = checkedBody(appInput.schema(), body);
  if (!checked.ok) return checked;
  const { appId, name, description, visibility = 'private' } = checked.value;
  return { ok: true, value: { appId, name, visibility, ...(description === undefined ? {} : { description }) } };
}
