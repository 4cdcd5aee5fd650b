/** The gateway's own description: the OpenAPI document for programs, and a page made from it for people. */

import type { PublicRoute } from '../../api/route.ts';
import { htmlPage, openApiDocumentBody } from '../edge-wire.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { contentSecurityPolicy, referencePage } from './reference/page.ts';

const tag = 'Operation';
const cached = { 'Cache-Control': 'public, max-age=300', 'X-Content-Type-Options': 'nosniff' };

/** `document` is asked once, at the first request: it describes these routes too, so that it cannot exist before them. */
export function referenceRoutes(document: () => OpenApiDocument): readonly PublicRoute[] {
  let json: string | undefined;
  let html: string | undefined;
  return [
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
        json ??= JSON.stringify(document());
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
        html ??= referencePage(document());
        return { status: 200, body: html, contentType: 'text/html; charset=utf-8', headers: pageHeaders };
      },
    },
  ];
}

const pageHeaders = {
  ...cached,
  'Content-Security-Policy': contentSecurityPolicy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
};
