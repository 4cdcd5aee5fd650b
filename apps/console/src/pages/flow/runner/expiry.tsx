/** Expiry of a session, with a countdown in the last minutes. */
import { useEffect, useState } from 'react';
import { Badge } from '../../../components/badge.tsx';
import { Time } from '../../../components/time.tsx';

const countedMs = 600_000;

export function Expiry({ at, onOver }: { readonly at: string; readonly onOver: () => void }) {
  const leftMs = useLeft(at, onOver);
  if (leftMs > countedMs)
    return (
      <span>
        Expires <Time at={at} />
      </span>
    );
  if (leftMs <= 0) return <Badge tone="warn">Expired</Badge>;
  const seconds = Math.ceil(leftMs / 1_000);
  return (
    <Badge tone="warn">
      Expires in {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
    </Badge>
  );
}

/** Milliseconds by the local clock, which may be wrong; the gateway decides whether the session has expired. */
function useLeft(at: string, onOver: () => void): number {
  const [leftMs, setLeftMs] = useState(() => Date.parse(at) - Date.now());
  const isOver = leftMs <= 0;
  useEffect(() => {
    const look = () => setLeftMs(Date.parse(at) - Date.now());
    look();
    const timer = setInterval(look, 1_000);
    return () => clearInterval(timer);
  }, [at]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: called once per expiry time
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver]);
  return leftMs;
}
