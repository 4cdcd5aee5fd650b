/** Runs a session while its page is open: the client's run, with this tab as its journal. */
import { createFlowRun, type FlowRun, type FlowRunState } from '@flowgate/client/flow';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useGateway } from '../../../gateway/gateway-context.tsx';
import { keepRecord, storedRecord } from './flow-journal.ts';

export type RunHandle = {
  readonly run: FlowRun;
  readonly state: FlowRunState;
  /** Does nothing while another action is in flight, so a double click acts once. Rejections of the run are shown. */
  readonly act: (work: (run: FlowRun) => Promise<unknown>) => void;
  readonly isBusy: boolean;
  /** A local problem, such as full tab storage. */
  readonly problem: unknown;
};

export function useFlowRun(sessionId: string): RunHandle {
  const client = useGateway();
  const [run] = useState(() => {
    const record = storedRecord(sessionId);
    return createFlowRun(client.flow.sessions, record === undefined ? { sessionId } : { record }, {
      journal: (next) => keepRecord(sessionId, next),
    });
  });
  const state = useSyncExternalStore(run.subscribe, run.state);
  const working = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const [act] = useState(() => (work: (run: FlowRun) => Promise<unknown>) => {
    if (working.current) return;
    working.current = true;
    setBusy(true);
    setProblem(undefined);
    work(run)
      .catch(setProblem)
      .finally(() => {
        working.current = false;
        setBusy(false);
      });
  });
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    act((each) => each.begin());
  }, [act]);
  return { run, state, act, isBusy, problem };
}
