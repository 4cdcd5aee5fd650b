/** Answers the messages of one connection. Each is a request with its own id in the log; its subscriptions begin once it is answered. */

import { TextContent } from '@flowgate/bytes/byte-content';
import { isContent, type OutgoingReply } from '@flowgate/http1/server/incoming-request';
import type { MessageServer, SocketAnswer, SocketMessage } from '@flowgate/websocket/server/message-server';
import { MessageContext, type MessageOrigin, SocketReply } from '../contexts/message-context.ts';
import type { ContextDeps } from '../contexts/request-context.ts';

export type MessageServices = {
  /** Never rejects because of a caller's input. */
  readonly answer: (context: MessageContext) => Promise<OutgoingReply>;
  /** The answer when a message throws an exception. */
  readonly failed: (context: MessageContext, cause: unknown) => OutgoingReply;
  /** Records an answer. */
  readonly note: (context: MessageContext, reply: OutgoingReply) => void;
  readonly newRequestId: () => string;
  readonly contexts: ContextDeps;
};

export type MessageSubscriptions = { readonly reported: (asker: MessageContext) => void; readonly close: () => void };

export class SocketMessages implements MessageServer {
  constructor(
    private readonly services: MessageServices,
    private readonly origin: MessageOrigin,
    private readonly subscriptions: MessageSubscriptions,
    private readonly abort: () => void,
  ) {}

  callsInFlight(): number {
    return this.origin.inFlight.calls;
  }

  serve(message: SocketMessage, reported: (answer: SocketAnswer | undefined) => void): void {
    const { services } = this;
    const context = new MessageContext(this.origin, message, services.newRequestId(), services.contexts);
    this.origin.inFlight.calls += context.calls;
    const conclude = (reply: OutgoingReply) => {
      this.origin.inFlight.calls -= context.calls;
      services.note(context, reply);
      reported(answerOf(reply));
      this.subscriptions.reported(context);
    };
    services.answer(context).then(conclude, (cause: unknown) => conclude(services.failed(context, cause)));
  }

  ended(): void {
    this.abort();
    this.subscriptions.close();
  }
}

function answerOf(reply: OutgoingReply): SocketAnswer | undefined {
  const { body } = reply;
  const source = reply instanceof SocketReply ? reply.source : undefined;
  if (source !== undefined) return { kind: 'large', source };
  if (typeof body === 'string') return { kind: 'content', content: new TextContent(body) };
  return body !== null && isContent(body) ? { kind: 'content', content: body } : undefined;
}
