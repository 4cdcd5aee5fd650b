/** A Flow App with extreme input: forty fields of all types, long and unusual texts, secrets, waiting, errors. Served on its own port. */
import { createFlowAppHandler, newSigningSecret } from '@flowgate/client/flow-app';
import type { Field, FieldType, RenderRequest, RenderResponse, StepSpec } from '@flowgate/client/flow-wire';
import type { Publication } from '../../devkit/src/sample-apps.ts';

export type HostileApp = {
  readonly publication: Publication;
  /** Submissions that the app has processed, in order. */
  readonly submitted: readonly NonNullable<RenderRequest['submission']>[];
  /** From now on the app does not respond to submissions until it is released. */
  readonly hold: () => { readonly asked: Promise<void>; readonly release: () => void };
  readonly stop: () => Promise<void>;
};

const types: readonly FieldType[] = [
  ...(['text', 'number', 'boolean', 'date', 'select', 'multiselect', 'address', 'amount', 'signature'] as const),
  ...(['signedTransaction', 'txHash', 'json', 'secret'] as const),
];

const wide = 'Ｗ'.repeat(300);
const arabic = 'هذا نص طويل من اليمين إلى اليسار';
export const longText = `${arabic}\n${'lorem ipsum dolor sit amet '.repeat(380)}`;

const options = [
  { value: '', label: 'The empty value' },
  { value: 'b', label: wide },
  { value: 'c', label: arabic },
];

export const fieldsOfAllTypes: readonly Field[] = Array.from({ length: 40 }, (_, n): Field => {
  const type = types[n % types.length] ?? 'text';
  const label = n < 13 ? `Field of ${type}` : n < 26 ? `${n} ${arabic}` : `${n} ${wide}`;
  return {
    ...{ fieldId: `f${n}`, type, label },
    ...((type === 'select' || type === 'multiselect') && { options }),
    ...(type === 'text' && { pattern: '[^!]*', max: n === 0 ? 50 : 5_000, help: longText.slice(0, 4_000) }),
    ...(type === 'number' && { min: -1.5, max: 100 }),
    ...(type === 'amount' && { min: '0.000000000000000001' }),
    ...(type === 'date' && { min: '2024-01-01', max: '2030-12-31' }),
  };
});

const form: StepSpec = {
  stepId: 'form',
  title: `Everything ${wide.slice(0, 150)}`,
  description: longText,
  fields: fieldsOfAllTypes,
  actions: [
    { actionId: 'send', label: 'Send it' },
    { actionId: 'back', label: `Leave ${wide.slice(0, 100)}`, validate: false },
  ],
  options: {
    aLongText: longText,
    transactionHash: `0x${'ab'.repeat(32)}`,
    isReady: true,
    nothing: null,
    list: [{ purpose: 'start', chain: 'l1', hash: `0x${'cd'.repeat(32)}` }, 'plain', 12],
  },
};

const done: StepSpec = { stepId: 'done', title: 'That was all', fields: [], actions: [], terminal: true };

export function startHostileApp(): HostileApp {
  const signingSecret = newSigningSecret();
  const submitted: NonNullable<RenderRequest['submission']>[] = [];
  let gate: Promise<void> = Promise.resolve();
  let wasAsked = () => {};
  const reducer = {
    ...{ appId: 'hostile/everything', stepIds: ['form', 'done'], eventTypes: ['recorded'] },
    async renderStep({ submission }: RenderRequest): Promise<RenderResponse> {
      if (submission === undefined) return { step: form };
      wasAsked();
      await gate;
      if (submission.fieldValues['f0'] === 'refuse me')
        return {
          step: form,
          errors: [{ fieldId: 'f0', message: 'The app refuses this.' }, { message: 'And something else.' }],
        };
      submitted.push(submission);
      return { step: done, events: [{ type: 'recorded', data: { values: 'stored' } }] };
    },
  };
  const handle = createFlowAppHandler(reducer, { signingSecret });
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: handle });
  return {
    submitted,
    publication: {
      app: {
        ...{ appId: 'hostile/everything', name: `Everything, 5 < 6 & ${wide.slice(0, 60)}` },
        ...{ description: `${arabic} ${'word '.repeat(350)}`, visibility: 'public' },
      },
      version: {
        baseUrl: `http://127.0.0.1:${server.port}`,
        signingSecret,
        steps: [{ stepId: 'form' }, { stepId: 'done' }],
        events: [{ type: 'recorded' }],
      },
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      const asked = new Promise<void>((done) => {
        wasAsked = done;
      });
      return { asked, release: resolve };
    },
    stop: () => server.stop(true),
  };
}
