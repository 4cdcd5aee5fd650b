/**
 * The routes at the gateway's root address, and the icon. Browsers are redirected to the console, or receive a page if there is no console; programs are
 * redirected to the OpenAPI document.
 */

import type { PublicRoute } from '../../api/route.ts';
import { htmlPage, svgImage } from './edge-wire.ts';
import { type LandingFacts, landingPage, landingPolicy } from './landing-page.ts';

const tag = 'Operation';
const cached = { 'Cache-Control': 'public, max-age=300', 'X-Content-Type-Options': 'nosniff' };
/** Both answers depend on the media types that the caller accepts. */
const redirectHeaders = { ...cached, Vary: 'Accept' };
const pageHeaders = {
  ...cached,
  Vary: 'Accept',
  'Content-Security-Policy': landingPolicy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** The gateway's icon at `/favicon.ico`: an open gate. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b57c4"/><path d="M8 25V13a8 8 0 0 1 16 0v12" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/><path d="M16 25V15" stroke="#7db3ff" stroke-width="3" stroke-linecap="round"/></svg>';

/** The page is built at its first request. */
export function landingRoutes({
  hasConsole,
  ...facts
}: LandingFacts & { readonly hasConsole: () => Promise<boolean> }): readonly PublicRoute[] {
  let page: string | undefined;
  return [
    {
      method: 'GET',
      path: '/',
      accessLevel: 'public',
      doc: {
        summary: 'The root address',
        description:
          'Redirects browsers, which accept HTML, to the console, and other clients to this document. Without a console, browsers receive a page.',
        tag,
        responses: [
          {
            status: 200,
            description: 'A page about this gateway.',
            schema: htmlPage,
            headers: Object.keys(pageHeaders),
          },
          {
            status: 302,
            description: 'To `/console` or `/openapi.json`.',
            headers: ['Location', ...Object.keys(redirectHeaders)],
          },
        ],
        refusals: [],
      },
      handle: async ({ header }) => {
        if (!wantsHtml(header('accept'))) return redirectTo('/openapi.json');
        if (await hasConsole()) return redirectTo('/console');
        page ??= landingPage(facts);
        return { status: 200, body: page, contentType: 'text/html; charset=utf-8', headers: pageHeaders };
      },
    },
    {
      method: 'GET',
      path: '/favicon.ico',
      accessLevel: 'public',
      doc: {
        summary: 'The icon',
        description: 'For the tabs of browsers.',
        tag,
        responses: [{ status: 200, description: 'The icon.', schema: svgImage, headers: Object.keys(cached) }],
        refusals: [],
      },
      handle: () => ({ status: 200, body: icon, contentType: 'image/svg+xml', headers: cached }),
    },
  ];
}

/** Browsers list `text/html`. `*` followed by `/*`, which curl and fetch send, does not count. */
function wantsHtml(accept: string | null): boolean {
  return accept !== null && /(?:^|[\s,])text\/html(?:[\s;,]|$)/i.test(accept.slice(0, 1_000));
}

function redirectTo(location: string) {
  return { status: 302, headers: { ...redirectHeaders, Location: location } };
}
