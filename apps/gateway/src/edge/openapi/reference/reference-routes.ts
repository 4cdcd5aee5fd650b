/** The gateway's description of itself: the OpenAPI document for programs, and a page built from it for people. */

import { runInSlices, type TimeSlices } from '@flowgate/async/time-slices';
import type { PublicRoute } from '../../../api/route.ts';
import { htmlPage, openApiDocumentBody } from '../../pages/edge-wire.ts';
import type { OpenApiDocument } from '../openapi-document.ts';
import { contentSecurityPolicy, referencePage } from './reference-page.ts';

const tag = 'Operation';
const cached = { 'Cache-Control': 'public, max-age=300', 'X-Content-Type-Options': 'nosniff' };

/** `documentWith` is called once, at the first request, with these routes, which the document describes too. Other requests are served meanwhile. */
export function referenceRoutes(
  documentWith: (own: readonly PublicRoute[]) => Iterator<undefined, OpenApiDocument>,
  slices: TimeSlices,
): readonly PublicRoute[] {
  let document: Promise<OpenApiDocument> | undefined;
  // Bytes, not texts: with texts, every slow connection would have its own copy.
  let json: Promise<Uint8Array> | undefined;
  let html: Promise<Uint8Array> | undefined;
  const made = () => (document ??= runInSlices(slices, documentWith(routes)));
  const routes: readonly PublicRoute[] = [
    {
      method: 'GET',
      path: '/openapi.json',
      accessLevel: 'public',
      doc: {
        summary: 'The OpenAPI document',
        description: 'OpenAPI 3.1, built from the tables that the router uses.',
        tag,
        responses: [
          { status: 200, description: 'The document.', schema: openApiDocumentBody, headers: Object.keys(cached) },
        ],
        refusals: ['unavailable'],
      },
      handle: async () => {
        json ??= made().then((value) => Buffer.from(JSON.stringify(value)));
        return { status: 200, body: await json, contentType: 'application/json', headers: cached };
      },
    },
    {
      method: 'GET',
      path: '/reference',
      accessLevel: 'public',
      doc: {
        summary: 'The reference page',
        description: 'One page with search and examples to copy.',
        tag,
        responses: [{ status: 200, description: 'The page.', schema: htmlPage, headers: Object.keys(pageHeaders) }],
        refusals: ['unavailable'],
      },
      handle: async () => {
        html ??= made()
          .then((value) => runInSlices(slices, referencePage(value)))
          .then((page) => Buffer.from(page));
        return { status: 200, body: await html, contentType: 'text/html; charset=utf-8', headers: pageHeaders };
      },
    },
  ];
  return routes;
}

const pageHeaders = {
  ...cached,
  'Content-Security-Policy': contentSecurityPolicy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
};
