/** Replays a message whose delivery failed (contract/transfers#replays). */
import type { PreparedTransactions } from '@flowgate/client';
import { useEffect, useState } from 'react';
import { useNetworkNames } from '../../gateway/use-network-names.ts';
import { SignedStep } from './signed-step.tsx';
import type { Transfer } from './transfers-list.tsx';

export type ReplayStepProps = {
  readonly transfer: Transfer;
  readonly prepare: (input: { readonly wallet?: string }) => Promise<PreparedTransactions>;
  /** Reloads the record. */
  readonly refresh: () => void;
};

const refreshMs = 5_000;

export function ReplayStep({ transfer, prepare, refresh }: ReplayStepProps) {
  const { nameOf } = useNetworkNames();
  const [isSent, setSent] = useState(false);
  // The client stops following a failed record, so this reloads it. Each response is a new object.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `refresh` is a new function on each render
  useEffect(() => {
    if (!isSent || !isReplayable(transfer)) return;
    const timer = setTimeout(refresh, refreshMs);
    return () => clearTimeout(timer);
  }, [isSent, transfer]);
  if (!isReplayable(transfer)) return null;
  const place = nameOf(transfer.destination);
  if (isSent)
    return (
      <p role="status" className="mt-5 border-t border-line pt-5 text-sm text-soft">
        Replay sent on {place}. This page updates after the gateway reads its outcome, within an hour.
      </p>
    );
  return (
    <SignedStep
      title="Replay message"
      lead={`The messenger on ${place} executes the message again. Any wallet can send the replay and pays its gas. Fix the cause first, or the message will fail again.`}
      done={`Replay sent on ${place}`}
      refused="Nothing to replay"
      prepare={prepare}
      onSent={() => {
        setSent(true);
        refresh();
      }}
    />
  );
}

const isReplayable = ({ status, failureReason }: Transfer): boolean =>
  status === 'failed' && failureReason === 'relay_failed';
