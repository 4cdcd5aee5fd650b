import { expect, test } from 'bun:test';
import { createParser } from 'eventsource-parser';
import { flowEvent } from './event-store.contract.ts';
import { eventText, heartbeat, parsePlace, prefersStream, streamStart } from './event-stream.ts';
import { flowEventView } from './event-wire.ts';

test('an independent parser reads id, type and data of an event, regardless of its content (contract/events#streams)', () => {
  const odd = flowEvent(7, {
    data: { appId: 'a/b', version: '1.0.0', note: 'a\n\nid: 9\rdata: x\u2028 \u0000 \ud800 ü' },
  });
  const seen: unknown[] = [];
  const comments: string[] = [];
  let retryMs: number | undefined;
  const parser = createParser({
    onEvent: ({ id, event, data }) => seen.push({ id, event, data: JSON.parse(data) }),
    onComment: (comment) => comments.push(comment),
    onRetry: (ms) => {
      retryMs = ms;
    },
  });
  parser.feed(streamStart + eventText(odd) + heartbeat + eventText(flowEvent(8)));
  expect(seen).toEqual(
    [odd, flowEvent(8)].map((event) => ({ id: String(event.sequence), event: event.type, data: flowEventView(event) })),
  );
  expect(retryMs).toBe(2_000);
  expect(comments).toHaveLength(2);
});

test('Accept prefers a stream if it names text/event-stream and gives JSON no higher weight (RFC 9110 12.5.1)', () => {
  for (const accept of [
    'text/event-stream',
    'TEXT/Event-Stream; charset=utf-8',
    'text/event-stream, application/json',
    'text/event-stream, */*',
    'application/json;q=0.5, text/event-stream',
    'application/json;q=0, text/event-stream;q=0.001',
  ])
    expect([accept, prefersStream(accept)]).toEqual([accept, true]);
  for (const accept of [
    null,
    '',
    '*/*',
    'application/json',
    'text/*',
    'application/json, text/event-stream',
    'text/event-stream;q=0',
    'text/event-stream;q=0.5, application/json;q=0.6',
    'text/event-stream;q=2',
    'text/event-streams',
  ])
    expect([accept, prefersStream(accept)]).toEqual([accept, false]);
});

test('a position is a sequence or 0; a refusal names the parameter or header', () => {
  expect(parsePlace('0', 'after')).toEqual({ ok: true, value: 0 });
  expect(parsePlace('42', 'after')).toEqual({ ok: true, value: 42 });
  for (const odd of ['', '-1', '1.5', 'abc', ' 1', '1e3', '9999999999999999', '1, 2'])
    expect(parsePlace(odd, 'Last-Event-ID')).toMatchObject({
      ok: false,
      detail: expect.stringMatching('Last-Event-ID'),
    });
});
