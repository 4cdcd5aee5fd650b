/** The routes by which users read their app data. */

import { bodySchema } from '@flowgate/body-schema/body-schema';
import { manifestName } from '@flowgate/flow-format/manifest/registry-members';
import { z } from 'zod';
import { okReply } from '../../api/reply-of.ts';
import type { CallerRequest, CallerRoute, HttpMethod } from '../../api/route.ts';
import { appPath } from '../registry/registry-paths.ts';
import { type QueryDeps, queryApp } from './query-app.ts';

export const queryResult = bodySchema(
  'QueryResult',
  "The caller's app data at the query's path.",
  () => z.object({ data: z.unknown().describe('Any JSON value.') }),
  { data: { number: 'INV-7', amount: '120.00' } },
);

export function queryRoutes(deps: QueryDeps): readonly CallerRoute[] {
  const handle = async ({ caller, params }: CallerRequest) =>
    okReply(await queryApp(deps, caller, params['appId'] ?? '', params['queryId'] ?? ''));
  const route = (method: HttpMethod, summary: string): CallerRoute => ({
    method,
    path: '/flow/queries/{appId/2}/{queryId}',
    accessLevel: 'caller',
    doc: {
      summary,
      description:
        "Returns the caller's app data for a query that the latest active version declares. `data` is null if there is none. The app is not called. GET and POST return the same.",
      tag: 'Flow queries',
      path: {
        ...appPath,
        queryId: {
          description: 'The name of a query that the version declares.',
          schema: manifestName,
          example: 'lastInvoice',
        },
      },
      responses: [{ status: 200, description: 'The value.', schema: queryResult }],
      refusals: ['denied', 'not-found', 'gone', 'bad-gateway'],
    },
    handle,
  });
  return [route('GET', 'Query an app'), route('POST', 'Query an app by POST')];
}
