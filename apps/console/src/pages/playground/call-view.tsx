/** Editor of a call: method, parameters as form and JSON, and the response. */
import type { NetworkRecord, RpcParams } from '@flowgate/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Field, TextInput } from '../../components/field.tsx';
import { Play, Square } from '../../components/icons.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { fileLoader } from '../../frame/page-files.ts';
import { useSession } from '../../session/session-context.tsx';
import { AnswerCard } from './answer-card.tsx';
import { JsonField } from './json-field.tsx';
import { type ListedMethod, MethodList } from './method-list.tsx';
import type { MethodRow } from './methods/method-table.ts';
import { missingParams } from './methods/missing-params.ts';
import { otherMethods } from './methods/other-methods.ts';
import { blockTags, firstParams, ParamsForm } from './params-form.tsx';
import type { CallTarget, PlannedCall } from './planned-call.ts';
import { shareSnippets } from './share-snippets.ts';
import type { CallState } from './use-call.ts';

export type CallDraft = {
  /** For example `ethereum/mainnet`; empty for the default network. */
  readonly network: string;
  /** Empty when the gateway chooses the node. */
  readonly node: string;
  readonly method: string;
  readonly params: PlannedCall['params'];
};

export type CallViewProps = {
  readonly family: NetworkRecord['family'];
  readonly target: CallTarget;
  readonly draft: CallDraft;
  readonly setDraft: (draft: CallDraft) => void;
  readonly call: CallState;
  readonly send: (call: PlannedCall) => void;
};

const firstMethods = { evm: 'eth_blockNumber', solana: 'getSlot', bitcoin: 'getblockcount' } as const;

export function CallView({ family, target, draft, setDraft, call, send }: CallViewProps) {
  const rows = useEvmMethods(family === 'evm');
  const listed: readonly ListedMethod[] =
    family === 'evm' ? rows : otherMethods[family].map(({ name }) => ({ name, group: 'First calls', summary: '' }));
  const method = draft.method === '' ? firstMethods[family] : draft.method;
  const row = rows.find(({ name }) => name === method);
  const { params } = draft;
  const [problem, setProblem] = useState<string>();
  const [isListOpen, setListOpen] = useState(false);
  /** Required fields are marked only after the first attempt to send. */
  const [triedMethod, setTriedMethod] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const planned: PlannedCall = { target, method, params };
  const canSend = problem === undefined && method.trim() !== '' && !call.isBusy;
  const missing = row !== undefined && Array.isArray(params) ? missingParams(row.parameters, params) : nothing;
  const run = () => {
    if (!canSend) return;
    setTriedMethod(method);
    if (missing.size === 0) send(planned);
    // Focuses the first missing field after it is marked.
    else requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  };
  useSendKey(run);
  const choose = (name: string) => {
    const other = family === 'evm' ? undefined : otherMethods[family].find((each) => each.name === name);
    const chosen = rows.find((each) => each.name === name);
    const next = other === undefined ? firstParams(chosen?.parameters ?? []) : (JSON.parse(other.params) as RpcParams);
    setProblem(undefined);
    setListOpen(false);
    setDraft({ ...draft, method: name, params: next });
  };
  const setParams = (next: RpcParams) => setDraft({ ...draft, method, params: next });
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[17rem_minmax(0,1fr)] xl:grid-cols-[20rem_minmax(0,1fr)]">
      <Card
        flush
        className="max-lg:hidden lg:sticky lg:top-4 lg:[&>div]:flex lg:[&>div]:h-[calc(100dvh-2rem)] lg:[&>div]:max-h-[44rem] lg:[&>div]:flex-col"
      >
        <MethodList methods={listed} chosen={method} onChoose={choose} />
      </Card>
      <details
        className="rounded-xl border border-line bg-surface shadow-card lg:hidden"
        open={isListOpen}
        onToggle={(event) => setListOpen(event.currentTarget.open)}
      >
        <summary className="rounded-xl px-4 py-3 text-sm font-medium">Choose a method</summary>
        {isListOpen && (
          <div className="flex max-h-96 flex-col border-t border-line">
            <MethodList methods={listed} chosen={method} onChoose={choose} />
          </div>
        )}
      </details>
      <div className="grid min-w-0 gap-4">
        <Card>
          <form
            ref={form}
            noValidate
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              run();
            }}
          >
            <Field label="Method" {...(row !== undefined && row.summary !== '' && { hint: row.summary })}>
              {(control) => (
                <TextInput
                  {...control}
                  className="font-mono"
                  autoComplete="off"
                  autoCapitalize="off"
                  spellCheck={false}
                  maxLength={200}
                  value={method}
                  onChange={({ target: { value } }) => setDraft({ ...draft, method: value })}
                />
              )}
            </Field>
            <datalist id="block-tags">
              {blockTags.map((tag) => (
                <option key={tag} value={tag} />
              ))}
            </datalist>
            {row !== undefined && Array.isArray(params) && (
              <ParamsForm
                key={method}
                parameters={row.parameters}
                params={params}
                example={row.example}
                missing={triedMethod === method ? missing : nothing}
                onChange={setParams}
              />
            )}
            <JsonField
              key={`${method} ${target.dlt}/${target.networkId}`}
              label="Parameters as JSON"
              hint="Matches the form. You can paste a complete request."
              rows={rowsFor(params)}
              value={params}
              onProblem={setProblem}
              onChange={(value) => {
                const request = requestIn(value);
                if (request !== undefined) setDraft({ ...draft, ...request });
                else if (isParams(value)) setParams(value);
                else setProblem('Parameters must be a JSON array or object.');
              }}
            />
            {problem === 'Parameters must be a JSON array or object.' && (
              <p role="alert" className="text-xs text-bad">
                {problem}
              </p>
            )}
            <div className="flex flex-wrap items-center gap-3">
              <Button type="submit" tone="primary" busy={call.isBusy} disabled={!canSend && !call.isBusy}>
                <Play aria-hidden="true" className="size-4" />
                {call.isBusy ? 'Waiting for response…' : 'Send'}
              </Button>
              {call.isBusy && (
                <Button onClick={call.stop}>
                  <Square aria-hidden="true" className="size-4" />
                  Stop
                </Button>
              )}
              {row?.example !== undefined && !call.isBusy && (
                <Button tone="quiet" onClick={() => setParams(row.example ?? [])}>
                  Use example
                </Button>
              )}
              <kbd className="ml-auto text-xs text-faint max-sm:hidden">{isApple ? '⌘ Enter' : 'Ctrl Enter'}</kbd>
            </div>
          </form>
        </Card>
        {call.outcome !== undefined && <AnswerCard key={call.outcome.at} outcome={call.outcome} />}
        <ShareCard call={planned} />
      </div>
    </div>
  );
}

const isApple = /mac|iphone|ipad/i.test(navigator.userAgent);
const none: readonly MethodRow[] = [];
const nothing: ReadonlySet<string> = new Set();

/** Loaded when the playground is opened. */
function useEvmMethods(isWanted: boolean): readonly MethodRow[] {
  const { data } = useQuery({
    queryKey: ['evm-methods'],
    queryFn: fileLoader(async () => (await import('./methods/evm-methods.ts')).evmMethods),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isWanted,
  });
  return isWanted ? (data ?? none) : none;
}

/** Sends on Ctrl/⌘ Enter from anywhere on the page, unless a dialog is open. */
function useSendKey(send: () => void): void {
  const latest = useRef(send);
  latest.current = send;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

const isParams = (value: unknown): value is RpcParams => typeof value === 'object' && value !== null;

/** A complete JSON-RPC request, pasted in place of the parameters. */
function requestIn(value: unknown): Pick<CallDraft, 'method' | 'params'> | undefined {
  if (!isParams(value) || Array.isArray(value)) return undefined;
  const { jsonrpc, method, params } = value as { jsonrpc?: unknown; method?: unknown; params?: unknown };
  if (typeof method !== 'string' || (jsonrpc === undefined && params === undefined)) return undefined;
  return { method, params: isParams(params) ? params : [] };
}

const rowsFor = (params: RpcParams): number =>
  Math.min(16, Math.max(3, JSON.stringify(params, null, 2).split('\n').length));

function ShareCard({ call }: { readonly call: PlannedCall }) {
  const { config } = useSession();
  return (
    <Card title="Code" lead="Reads your API key from FLOWGATE_API_KEY.">
      <Tabs
        label="Code"
        tabs={shareSnippets(config.publicUrl, call).map(({ id, title, code }) => ({
          id,
          title,
          content: <CodeBlock code={code} what={`${title} snippet`} />,
        }))}
      />
    </Card>
  );
}
