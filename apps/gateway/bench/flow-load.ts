/**
 * A process that submits steps, or creates and revokes keys, over raw connections. Reads a `FlowLoad` from its input
 * and prints `FlowResult`s. For `flow.ts`.
 */
import type { Socket } from 'bun';

export type FlowTask =
  | {
      readonly kind: 'step' | 'replay';
      readonly token: string;
      readonly sessionId: string;
      readonly stateVersion: number;
    }
  /** Mints a key, and revokes it outside the measured time. */
  | { readonly kind: 'mint'; readonly token: string };

export type FlowLoad = { readonly port: number; readonly seconds: number; readonly tasks: readonly FlowTask[] };

export type FlowResult = {
  readonly answers: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The number of other answers, by status. */
  readonly refused: Readonly<Record<string, number>>;
};

type Answer = { readonly status: number; readonly body: string };
type Send = (method: string, path: string, headers: string, body: string) => Promise<Answer>;

const head = /^HTTP\/1\.1 (\d{3})[\s\S]*?\r\n\r\n/;

async function connect(port: number, token: string): Promise<Send> {
  let received = '';
  let answered: (answer: Answer) => void = () => {};
  const decoder = new TextDecoder();
  const socket: Socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data(_, bytes) {
        received += decoder.decode(bytes, { stream: true });
        const [first, status] = head.exec(received) ?? [];
        if (first === undefined) return;
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(first)?.[1] ?? 0);
        const body = received.slice(first.length);
        if (Buffer.byteLength(body) < length) return;
        received = '';
        answered({ status: Number(status), body });
      },
      close: () => answered({ status: 0, body: '' }),
    },
  });
  return (method, path, headers, body) => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    answered = resolve;
    socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    return promise;
  };
}

const { port, seconds, tasks }: FlowLoad = JSON.parse(await Bun.stdin.text());
const times = new Map<FlowTask['kind'], number[]>();
const refused = new Map<FlowTask['kind'], Record<string, number>>();

/** One call after another, each as soon as the previous one is answered. */
async function work(task: FlowTask, client: number, until: number): Promise<void> {
  const send = await connect(port, task.token);
  let version = 'stateVersion' in task ? task.stateVersion : 0;
  while (performance.now() < until) {
    const began = performance.now();
    const answer =
      task.kind === 'mint'
        ? await send('POST', '/users/me/api-keys', '', '{"label":"bench"}')
        : await send(
            'POST',
            `/flow/sessions/${task.sessionId}/steps/count`,
            `Idempotency-Key: ${task.kind === 'replay' ? 'the same' : `${client} ${began}`}\r\n`,
            `{"actionId":"go","fieldValues":{},"stateVersion":${version}}`,
          );
    const isDone = answer.status === 200 || answer.status === 201;
    if (isDone) times.get(task.kind)?.push(performance.now() - began);
    else count(refused.get(task.kind) ?? {}, answer.status);
    if (answer.status === 0) return;
    if (isDone && task.kind === 'step') version = JSON.parse(answer.body).stateVersion;
    if (isDone && task.kind === 'mint')
      await send('DELETE', `/users/me/api-keys/${JSON.parse(answer.body).keyId}`, '', '');
  }
}

function count(by: Record<string, number>, status: number): void {
  by[status] = (by[status] ?? 0) + 1;
}

for (const { kind } of tasks) {
  times.set(kind, []);
  refused.set(kind, {});
}
const began = performance.now();
await Promise.all(tasks.map((task, client) => work(task, client, began + seconds * 1_000)));
const elapsedMs = performance.now() - began;
const results: { [kind in FlowTask['kind']]?: FlowResult } = {};
for (const [kind, unsorted] of times) {
  const sorted = unsorted.sort((left, right) => left - right);
  const part = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  results[kind] = {
    answers: sorted.length,
    perSecond: sorted.length / (elapsedMs / 1_000),
    p50Ms: part(0.5),
    p99Ms: part(0.99),
    refused: refused.get(kind) ?? {},
  };
}
console.log(JSON.stringify(results));
process.exit(0);
