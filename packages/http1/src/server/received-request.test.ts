import { expect, test } from 'bun:test';
import { IncomingBody } from './incoming-body.ts';
import { ReceivedRequest } from './received-request.ts';
import { RequestHead } from './request-head.ts';

function openRequest(): ReceivedRequest {
  const request = new ReceivedRequest(new RequestHead(), '127.0.0.1', () => 0);
  request.open(new IncomingBody(0, { wanted: () => {}, hasRoom: () => {} }));
  return request;
}

const gone = new Error('the connection is gone');

test('a lost connection aborts the signal, also for a handler that asks for it afterwards', () => {
  const [early, late] = [openRequest(), openRequest()];
  const { signal } = early;
  expect(signal.aborted).toBe(false);
  for (const request of [early, late]) request.break(gone);
  for (const each of [signal, early.signal, late.signal]) {
    expect(each.aborted).toBe(true);
    expect(each.reason).toBe(gone);
  }
});

test('a connection that is lost after the answer aborts nothing', () => {
  const request = openRequest();
  request.answered();
  request.break(gone);
  expect(request.signal.aborted).toBe(false);
});
