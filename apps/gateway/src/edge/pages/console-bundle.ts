/**
 * The console's files as its build packs them: one file, so that the executable can contain it (docs/decisions/0119). Its first line is the index; the bytes
 * follow.
 */

import type { ContentCoding } from '@flowgate/http1/compression/accepted-coding';

/** For each coding, where its bytes begin, counted from the end of the index, and their number. */
type PackedFile = {
  readonly type: string;
  readonly etag: string;
  readonly codings: Readonly<Partial<Record<ContentCoding | 'identity', readonly [number, number]>>>;
};

export type ConsoleFile = {
  readonly type: string;
  readonly etag: string;
  /** `identity` when the file is not packed in the coding. */
  readonly inCoding: (coding: ContentCoding | 'identity') => {
    readonly coding: ContentCoding | 'identity';
    readonly bytes: Uint8Array;
  };
};

export type ConsoleBundle = {
  /** Of a path such as `assets/index-1a2b.js`. */
  readonly file: (path: string) => ConsoleFile | undefined;
};

const lineFeed = 0x0a;

/** @throws when the build did not write this format, which is a bug. */
export function readConsoleBundle(packed: Uint8Array): ConsoleBundle {
  const end = packed.indexOf(lineFeed);
  const index: Readonly<Record<string, PackedFile>> = JSON.parse(Buffer.from(packed.subarray(0, end)).toString());
  const files = new Map(
    Object.entries(index).map(([path, file]) => {
      const bytesOf = (place: readonly [number, number]) =>
        packed.subarray(end + 1 + place[0], end + 1 + place[0] + place[1]);
      const { identity, ...compressed } = file.codings;
      if (identity === undefined) throw new Error(`${path} has no uncompressed form in the console's bundle`);
      const all = new Map([
        ['identity' as const, bytesOf(identity)],
        ...(['zstd', 'gzip'] as const).flatMap((coding) => {
          const place = compressed[coding];
          return place === undefined ? [] : [[coding, bytesOf(place)] as const];
        }),
      ]);
      const whole = { coding: 'identity' as const, bytes: bytesOf(identity) };
      const inCoding: ConsoleFile['inCoding'] = (coding) => {
        const bytes = all.get(coding);
        return bytes === undefined ? whole : { coding, bytes };
      };
      return [path, { type: file.type, etag: file.etag, inCoding }] as const;
    }),
  );
  return { file: (path) => files.get(path) };
}
