/** A refusal that came over a WebSocket, with what its `data` says in place of headers (contract/websocket#errors). */

import { FlowgateError, noAnswerFacts } from '../flowgate-error.ts';
import { isObject } from '../shape.ts';
import type { JsonRpcError } from '../wire.ts';

export function socketRefusal(body: JsonRpcError): FlowgateError {
  const data = isObject(body.data) ? body.data : {};
  const { retryAfterSeconds, requestId } = data;
  return new FlowgateError(
    body.message,
    { kind: 'json-rpc', body },
    {
      ...noAnswerFacts,
      status: 200,
      retryAfter: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined,
      requestId: typeof requestId === 'string' ? requestId : undefined,
    },
  );
}
