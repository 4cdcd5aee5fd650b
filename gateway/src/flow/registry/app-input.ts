/** The body of a registration, checked (contract/flow-apps#registry). */

import type { AppVisibility } from '@flowgate/client/flow-wire';
import { z } from 'zod';
import { mustBe, optional, plainText } from '../../api/body-members.ts';
import type { BodyRefusal } from '../../api/body-problems.ts';
import { checkedBody } from '../../api/checked-body.ts';
import type { Ok } from '../../platform/result.ts';
import { isAppId } from './app-id.ts';

export type CheckedApp = {
  readonly appId: string;
  readonly name: string;
  readonly description?: string;
  readonly visibility: AppVisibility;
};

export const appIdSchema = z.string(mustBe('a string')).refine(isAppId, {
  error:
    'must be publisher/slug, each 1 to 64 lower-case letters, digits, dots or dashes that begins and ends with a letter or digit',
});
export const appName = plainText(100);
export const appDescription = plainText(2_000);

const appInput = z.object({
  appId: appIdSchema,
  name: appName,
  description: optional(appDescription),
  visibility: optional(z.enum(['public', 'private'], { error: 'must be "public" or "private"' })),
});

export function parseAppInput(body: unknown): Ok<CheckedApp> | BodyRefusal {
  const checked = checkedBody(appInput, body);
  if (!checked.ok) return checked;
  const { appId, name, description, visibility = 'private' } = checked.value;
  return { ok: true, value: { appId, name, visibility, ...(description === undefined ? {} : { description }) } };
}
