/** The requests of the gateway to a published app, below the `baseUrl` of its version (contract/flow-apps#downstream). */

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
      'A reducer: it receives the state and a submission, and returns the next step, state, app data and events. The request is signed with the version’s secret and limited in time and size. After a 5xx, 429, time-out or broken connection the gateway retries once, and then reports a retryable error to the caller. Act once for each `submission.idempotencyKey`.',
    tag,
    idMeans,
    headers: [
      {
        name: 'X-Request-Id',
        description: "The id of the caller's request in the gateway's log.",
        required: true,
        schema: () => z.string(),
      },
    ],
    body: renderRequest,
    responses: [
      { status: 200, description: 'The next step and the changes.', schema: renderResponse },
      { status: 401, description: 'The signature is missing, invalid or too old.' },
    ],
  },
  {
    name: 'health',
    method: 'GET',
    url: '{baseUrl}/health',
    summary: "Check the app's health",
    description:
      'A request signed over an empty body. Sent when a version is published, and then every 30 seconds. After three failures the gateway refuses new sessions.',
    tag,
    idMeans,
    headers: [],
    responses: [{ status: 200, description: 'Alive.' }],
  },
];
