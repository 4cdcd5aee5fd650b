/** Paths below `/console` and shared query keys. An app ID is safe in a path without encoding (contract/flow-apps#registry). */
import type { Session } from '@flowgate/client/flow-wire';

export const appsPath = '/apps';
export const appPath = (appId: string): string => `${appsPath}/${appId}`;
export const sessionPath = ({ appId, sessionId }: Pick<Session, 'appId' | 'sessionId'>): string =>
  `${appPath(appId)}/sessions/${sessionId}`;

export const appsQuery = ['flow-apps'];
export const sessionsQuery = ['flow-sessions'];
export const versionsQuery = (appId: string) => ['flow-versions', appId];
export const subscriptionsQuery = (appId: string) => ['flow-subscriptions', appId];
