/** Playground: calls any method of any network by form or JSON, with history and live subscriptions. */
import type { NetworkRecord } from '@flowgate/client';
import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { PageHead } from '../../components/card.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useDraft } from '../../components/use-draft.ts';
import { NoNetworks } from '../../gateway/no-networks.tsx';
import { networkPath, useNetworks } from '../../gateway/use-networks.ts';
import { mayKeepCall } from './call-history.ts';
import { type CallDraft, CallView } from './call-view.tsx';
import { HistoryCard } from './history-card.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { KeyMenu } from './key-menu.tsx';
import type { CallTarget, PlannedCall } from './planned-call.ts';
import { SubscribeCard } from './subscribe-card.tsx';
import { TargetFields } from './target-fields.tsx';
import { useCall } from './use-call.ts';
import { useKeyFor } from './use-key-for.ts';
import { useLiveFeed } from './use-live-feed.ts';

const firstDraft: CallDraft = { network: '', node: '', method: '', params: [] };

export function PlaygroundPage() {
  const networks = useNetworks();
  return (
    <div>
      {networks.data === undefined ? (
        <>
          <PageHead title="Playground" />
          {networks.error === null ? (
            <SkeletonRows />
          ) : (
            <ErrorNotice error={networks.error} onRetry={() => void networks.refetch()} />
          )}
        </>
      ) : (
        <Playground networks={networks.data} />
      )}
    </div>
  );
}

function Playground({ networks }: { readonly networks: readonly NetworkRecord[] }) {
  const [draft, setDraft] = useDraft('playground', firstDraft, mayKeepCall);
  const [tab, setTab] = useState('call');
  useAskedFor(draft, setDraft);
  const network =
    networks.find((each) => networkPath(each) === draft.network) ??
    networks.find((each) => each.default) ??
    networks[0];
  const key = useKeyFor();
  const call = useCall(key.refused);
  const feed = useLiveFeed();
  if (network === undefined)
    return (
      <>
        <PageHead title="Playground" />
        <NoNetworks />
      </>
    );
  const target: CallTarget = {
    dlt: network.dlt,
    networkId: network.networkId,
    ...(draft.node !== '' && { nodeId: draft.node }),
  };
  const send = (planned: PlannedCall) => key.withKey((apiKey) => call.send(planned, apiKey));
  const choose = (next: Pick<CallDraft, 'network' | 'node'>) => {
    feed.stop();
    const family = networks.find((each) => networkPath(each) === next.network)?.family;
    // Chain families have different methods.
    setDraft({ ...draft, ...next, ...(family !== network.family && { method: '', params: [] }) });
  };
  const repeat = (past: PlannedCall) => {
    const { dlt, networkId, nodeId = '' } = past.target;
    setDraft({ network: `${dlt}/${networkId}`, node: nodeId, method: past.method, params: past.params });
    setTab('call');
    // Transactions are sent only when the user presses the button.
    if (!/send/i.test(past.method)) send(past);
  };
  return (
    <>
      <PageHead
        title="Playground"
        lead="Call any method and see its response, the node that served it and how long it took."
        actions={<KeyMenu currentKey={key.currentKey} onAsk={key.ask} />}
      />
      <TargetFields networks={networks} network={network} node={draft.node} onChange={choose} />
      <div className="mt-4">
        <Tabs
          label="Mode"
          value={tab}
          onChange={setTab}
          tabs={[
            {
              id: 'call',
              title: 'Call',
              content: (
                <CallView
                  key={network.family}
                  family={network.family}
                  target={target}
                  draft={draft}
                  setDraft={setDraft}
                  call={call}
                  send={send}
                />
              ),
            },
            ...(network.family === 'evm'
              ? [
                  {
                    id: 'subscribe',
                    title: feed.kind === 'live' ? 'Subscribe (live)' : 'Subscribe',
                    content: (
                      <SubscribeCard
                        feed={feed}
                        onStart={(params) => key.withKey((apiKey) => feed.start({ target, params, apiKey }))}
                      />
                    ),
                  },
                ]
              : []),
            { id: 'history', title: 'History', content: <HistoryCard onRepeat={repeat} /> },
          ]}
        />
      </div>
      {key.asking !== undefined && (
        <KeyDialog personId={key.personId} wasRefused={key.asking.wasRefused} onKey={key.given} onClose={key.dismiss} />
      )}
    </>
  );
}

/** Reads `?network=…&node=…&method=…` of links from other pages. */
function useAskedFor(draft: CallDraft, setDraft: (draft: CallDraft) => void): void {
  const search = useSearch();
  const [, navigate] = useLocation();
  useEffect(() => {
    const asked = new URLSearchParams(search);
    const network = asked.get('network');
    if (network === null) return;
    const method = asked.get('method');
    setDraft({ ...draft, network, node: asked.get('node') ?? '', ...(method !== null && { method, params: [] }) });
    navigate('/playground', { replace: true });
  }, [search, draft, setDraft, navigate]);
}
