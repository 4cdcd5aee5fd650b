/** The routes on which users read what apps keep for them. */

import type { CallerRequest, CallerRoute, HttpMethod, RouteAnswer } from '../../api/route.ts';
import { type QueryParts, queryApp } from './query-app.ts';

export function queryRoutes(parts: QueryParts): readonly CallerRoute[] {
  const handle = async ({ caller, params }: CallerRequest): Promise<RouteAnswer> => {
    const answer = await queryApp(parts, caller.userId, params['appId'] ?? '', params['queryId'] ?? '');
    return answer.ok ? { status: 200, body: answer.value } : answer;
  };
  const route = (method: HttpMethod): CallerRoute => ({
    method,
    path: '/flow/queries/{appId/2}/{queryId}',
    admittance: 'caller',
    doc: {
      summary: 'Query an app',
      description:
        'What the app keeps for the caller under a query that its latest active version declares; `data` is null where there is nothing. The app is not called, so GET and POST answer alike.',
      tag: 'Flow queries',
      responses: [{ status: 200, description: 'The value.', schema: 'QueryResult' }],
      refusals: ['not-found', 'gone', 'bad-gateway'],
    },
    handle,
  });
  return [route('GET'), route('POST')];
}
