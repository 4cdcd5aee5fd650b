/** The routes of the console: its page at every address below `/console`, its files, and the configuration that the page needs (contract/console#serving). */

import { refused } from '@flowgate/base/result';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import { acceptedCoding } from '@flowgate/http1/compression/accepted-coding';
import type { PublicRoute, RouteAnswer, RouteRequest } from '../../api/route.ts';
import type { ConsoleBundle, ConsoleFile } from './console-bundle.ts';
import { consoleConfig, consolePath } from './console-wire.ts';
import { htmlPage } from './edge-wire.ts';

const tag = 'Operation';

export type ConsoleFacts = BodyOf<typeof consoleConfig> & {
  /** Further origins that the page may connect to: those of the issuer's endpoints. */
  readonly connectOrigins: readonly string[];
};

const always = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};
/** The names of files contain a hash of their content. */
const assetHeaders = { ...always, 'Cache-Control': 'public, max-age=31536000, immutable' };

/** `bundle` is called at each request for a file; undefined: this installation was built without the console. */
export function consoleRoutes(
  { connectOrigins, ...facts }: ConsoleFacts,
  bundle: () => Promise<ConsoleBundle | undefined>,
): readonly PublicRoute[] {
  const pageHeaders = {
    ...always,
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': contentSecurityPolicy([new URL(facts.issuer).origin, ...connectOrigins]),
    // Wallets and sign-in open windows of their own.
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  };
  const page = async (request: RouteRequest): Promise<RouteAnswer> => {
    const file = (await bundle())?.file('index.html');
    return file === undefined ? notBuilt() : answerWith(request, file, pageHeaders);
  };
  const pageDoc = {
    tag,
    responses: [
      {
        status: 200,
        description: 'The page.',
        schema: htmlPage,
        headers: [...Object.keys(pageHeaders), 'ETag', 'Vary'],
      },
      { status: 304, description: 'The file has not changed.', headers: [...Object.keys(pageHeaders), 'ETag', 'Vary'] },
    ],
    refusals: ['not-found'],
  } as const;
  return [
    {
      method: 'GET',
      path: '/console',
      accessLevel: 'public',
      doc: {
        ...pageDoc,
        summary: 'The console',
        description: 'A web page for users. It uses only the routes of this document.',
      },
      handle: page,
    },
    {
      method: 'GET',
      path: '/console/config.json',
      accessLevel: 'public',
      doc: {
        summary: 'How to sign in',
        description: 'The issuer, and the id of the console as its client.',
        tag,
        responses: [
          {
            status: 200,
            description: 'The configuration of the console.',
            schema: consoleConfig,
            headers: [...Object.keys(always), 'Cache-Control'],
          },
        ],
        refusals: [],
      },
      handle: () => ({ status: 200, body: facts, headers: { ...always, 'Cache-Control': 'no-cache' } }),
    },
    {
      method: 'GET',
      path: '/console/{path*}',
      accessLevel: 'public',
      doc: {
        ...pageDoc,
        summary: 'A page or a file of the console',
        description: 'Below `assets/` a file, whose name contains a hash of its content; elsewhere the page.',
        path: {
          path: {
            description: 'A page, or the name of a file.',
            schema: consolePath,
            example: 'keys',
          },
        },
      },
      handle: async (request) => {
        const path = request.params['path'] ?? '';
        if (!path.startsWith('assets/')) return page(request);
        const file = (await bundle())?.file(path);
        return file === undefined
          ? refused('not-found', 'the console has no file of this name')
          : answerWith(request, file, assetHeaders);
      },
    },
  ];
}

function answerWith(
  { header }: RouteRequest,
  file: ConsoleFile,
  headers: Readonly<Record<string, string>>,
): RouteAnswer {
  const { coding, bytes } = file.inCoding(acceptedCoding(header('accept-encoding')));
  // A weak tag, because it is the same in all codings.
  const reported = { ...headers, ETag: `W/"${file.etag}"`, Vary: 'Accept-Encoding' };
  if (header('if-none-match')?.includes(`"${file.etag}"`) === true) return { status: 304, headers: reported };
  return {
    status: 200,
    body: bytes,
    contentType: file.type,
    headers: coding === 'identity' ? reported : { ...reported, 'Content-Encoding': coding },
  };
}

const notBuilt = () => refused('not-found', 'this installation was built without the console');

/**
 * Only the console's own files run, and the page connects only to this gateway and the issuer. Wallet code is part of the page, and wallet icons are `data:`
 * URLs.
 */
function contentSecurityPolicy(origins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ${[...new Set(origins)].join(' ')}`,
    // The reference page, in a frame.
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
