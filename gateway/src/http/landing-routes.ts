/** The routes at the gateway's bare address, which people paste into a browser: a page for them, a pointer for programs, and the icon. */

import type { BodyOf } from '../api/body-schema.ts';
import type { PublicRoute } from '../api/route.ts';
import { htmlPage, pointer, svgImage } from './edge-wire.ts';
import { icon } from './landing/icon.ts';
import { type LandingFacts, landingPage, landingPolicy } from './landing/landing-page.ts';

const tag = 'Operation';
const cached = { 'Cache-Control': 'public, max-age=300', 'X-Content-Type-Options': 'nosniff' };
const pageHeaders = {
  ...cached,
  Vary: 'Accept',
  'Content-Security-Policy': landingPolicy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** The page is built at its first request. */
export function landingRoutes(facts: LandingFacts): readonly PublicRoute[] {
  let page: string | undefined;
  return [
    {
      method: 'GET',
      path: '/',
      admittance: 'public',
      doc: {
        summary: 'What is here?',
        description: 'A page for people whose browser asks for HTML; for programs where everything is.',
        tag,
        responses: [
          {
            status: 200,
            description: 'Where everything is.',
            schema: pointer,
            alternatives: [htmlPage],
            headers: Object.keys(pageHeaders),
          },
        ],
        refusals: [],
      },
      handle: ({ header }) => {
        if (!wantsHtml(header('accept')))
          return { status: 200, body: pointerOf(facts), headers: { ...cached, Vary: 'Accept' } };
        page ??= landingPage(facts);
        return { status: 200, body: page, contentType: 'text/html; charset=utf-8', headers: pageHeaders };
      },
    },
    {
      method: 'GET',
      path: '/favicon.ico',
      admittance: 'public',
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

function pointerOf({ publicUrl, version }: LandingFacts): BodyOf<typeof pointer> {
  return {
    name: 'Flowgate',
    version,
    rpc: `${publicUrl}/rpc`,
    agents: `${publicUrl}/mcp`,
    reference: `${publicUrl}/reference`,
    openapi: `${publicUrl}/openapi.json`,
    ready: `${publicUrl}/readyz`,
  };
}
