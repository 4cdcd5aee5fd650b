/** The gateway's own description: the OpenAPI document for programs, and a page made from it for people. */

import type { PublicRoute } from '../../api/route.ts';
import { htmlPage, openApiDocumentBody } from '../edge-wire.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { contentSecurityPolicy, referencePage } from './reference/page.ts';

const tag = 'Operation';
const cached = { 'Cache-Control': 'public, max-age=300', 'X-Content-Type-Options': 'nosniff' };

/** `documentWith` is asked at the first request for each form, with these routes: the document describes them, too. */
export function referenceRoutes(
  documentWith: (own: readonly PublicRoute[]) => OpenApiDocument,
): readonly PublicRoute[] {
  let json: string | undefined;
  let html: string | undefined;
  const routes: readonly PublicRoute[] = [
    {
      method: 'GET',
      path: '/openapi.json',
      admittance: 'public',
      doc: {
        summary: 'This description, for programs',
        description: 'OpenAPI 3.1, made from the tables that the router is made from.',
        tag,
        responses: [
          { status: 200, description: 'The document.', schema: openApiDocumentBody, headers: Object.keys(cached) },
        ],
        refusals: ['unavailable'],
      },
      handle: () => {
        json ??= JSON.stringify(documentWith(routes));
        return { status: 200, body: json, contentType: 'application/json', headers: cached };
      },
    },
    {
      method: 'GET',
      path: '/reference',
      admittance: 'public',
      doc: {
        summary: 'This description, for people',
        description: 'One page, with search and examples to copy.',
        tag,
        responses: [{ status: 200, description: 'The page.', schema: htmlPage, headers: Object.keys(pageHeaders) }],
        refusals: ['unavailable'],
      },
      handle: () => {
        html ??= referencePage(documentWith(routes));
        return { status: 200, body: html, contentType: 'text/html; charset=utf-8', headers: pageHeaders };
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
