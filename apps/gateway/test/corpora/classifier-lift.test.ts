/**
 * The effect of a classifier in addition to the content filter, on the unseen texts. A stand-in that knows the labels
 * shows the mechanism; the figure of a real model depends on the model (docs/content-classifier.md).
 */

import { expect, test } from 'bun:test';
import { isJsonObject, member } from '@flowgate/json/json-object';
import type { SafeReply, SafeRequest } from '@flowgate/http1/safe-fetch/safe-fetch';
import { createClassifyTexts } from '../../src/flow/classifier/classify-texts.ts';
import { isRefused, recallOf, type Score, scoreOf, type UnseenText, unseenPart } from './content-filter-corpus.ts';

const texts = await unseenPart(5);

/** Refuses the texts that it knows, as a model does. */
const modelThatKnows = (known: ReadonlySet<string>) => async (request: SafeRequest): Promise<SafeReply> => {
  const body: unknown = JSON.parse(request.body ?? '');
  const sent = isJsonObject(body) ? member(body, 'texts') : [];
  const refused = (Array.isArray(sent) ? sent : []).flatMap((each, nth) =>
    known.has(String(member(each, 'text'))) ? [nth] : [],
  );
  return { ok: true, status: 200, headers: new Map(), body: Buffer.from(JSON.stringify({ refused })) };
};

const silent = async (): Promise<SafeReply> => ({ ok: false, failure: 'timeout', sent: true, detail: 'no answer in time' });

/** Applies the rules first, then the classifier. */
async function scoreWith(request: typeof silent | ReturnType<typeof modelThatKnows>, onFailure: 'allow' | 'refuse') {
  const classify = createClassifyTexts({
    settings: { url: 'https://classifier.example', secret: 'a secret of the corpus tests', timeoutMs: 1_000, onFailure, maxBytes: 65_536 },
    request,
    clock: { now: () => 0 },
    newRequestId: () => 'req_1',
    log: { warn() {} },
  });
  const refused = new Set<UnseenText>();
  for (const each of texts)
    if (isRefused(each) || (await classify({ appId: 'acme/shop', userId: 'usr_reader' }, { step: { description: each.text } })).kind !== 'allowed') refused.add(each);
  return scoreOf(texts, (each) => refused.has(each));
}

const rulesAlone: Score = scoreOf(texts, isRefused);

test('a classifier that knows every hostile text raises recall to all of them, and refuses no honest one', async () => {
  const hostile = new Set(texts.filter(({ honest }) => !honest).map(({ text }) => text));
  expect(await scoreWith(modelThatKnows(hostile), 'refuse')).toEqual({ ...rulesAlone, refused: rulesAlone.hostile });
  expect(recallOf(rulesAlone)).toBeLessThan(1);
});

test('a classifier that knows half of the texts that the rules miss raises recall by half of them', async () => {
  const missed = texts.filter((each) => !each.honest && !isRefused(each)).map(({ text }) => text);
  const known = new Set(missed.filter((_, nth) => nth % 2 === 0));
  expect(await scoreWith(modelThatKnows(known), 'refuse')).toEqual({
    ...rulesAlone,
    refused: rulesAlone.refused + known.size,
  });
});

test('when the classifier fails, the rules alone decide where failures are allowed, and no text passes where failures are refused', async () => {
  expect(await scoreWith(silent, 'allow')).toEqual(rulesAlone);
  expect(await scoreWith(silent, 'refuse')).toEqual({ ...rulesAlone, passed: 0, refused: rulesAlone.hostile });
});
