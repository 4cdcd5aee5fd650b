/** What the gateway asks of a published app, below the `baseUrl` of its version (contract/flow-apps#downstream). */

import { renderResponse } from '@flowgate/flow-format/app-responses/render-response-wire';
import { z } from 'zod';
import type { OutgoingRoute } from '../../api/outgoing-route.ts';
import { renderRequest } from './render-request-wire.ts';

const tag = 'Flow Apps';
const idMeans = 'Unique for each request.';

export const appRoutes: readonly OutgoingRoute[] = [
  {
    name: 'renderStep',
    method: 'POST',
    url: '{baseUrl}/renderStep',
    summary: 'Render a step',
    description:
      'A reducer: the state and a submission go in, the next step, state, app data and events come out. Signed with the version’s secret, limited in time and size. A 5xx, 429, time-out or broken connection is tried once more and then reported to the caller as retryable; act once for each `submission.idempotencyKey`.',
    tag,
    idMeans,
    headers: [
      {
        name: 'X-Request-Id',
        description: "The caller's request, as the gateway logs it.",
        required: true,
        schema: () => z.string(),
      },
    ],
    body: renderRequest,
    responses: [
      { status: 200, description: 'What comes next.', schema: renderResponse },
      { status: 401, description: 'The signature is missing, wrong or too old.' },
    ],
  },
  {
    name: 'health',
    method: 'GET',
    url: '{baseUrl}/health',
    summary: 'Is the app alive?',
    description:
      'Signed over an empty body. Asked when a version is published and every 30 seconds; after three misses new sessions are refused.',
    tag,
    idMeans,
    headers: [],
    responses: [{ status: 200, description: 'Alive.' }],
  },
];
