/** A registered Flow App: its name, its owner and its visibility. */

import type { AppVisibility } from '@flowgate/flow-format/manifest/app-input';

export type AppRecord = {
  /** `publisher/slug`. */
  readonly appId: string;
  /** The user who owns the publisher's name. */
  readonly ownerId: string;
  readonly name: string;
  readonly description?: string;
  readonly visibility: AppVisibility;
  /** A salt that makes pairwise user ids differ for each app. Never shown. */
  readonly subjectSalt: string;
  readonly createdAtMs: number;
};

/** Another user's private app looks absent (contract/conventions). */
export function isVisibleTo(app: Pick<AppRecord, 'ownerId' | 'visibility'>, userId: string): boolean {
  return app.visibility === 'public' || app.ownerId === userId;
}
