/** Shown while a file of the console cannot be loaded. */

import { useSyncExternalStore } from 'react';
import { Button } from '../components/button.tsx';
import { RotateCw, WifiOff } from '../components/icons.tsx';
import { fileTrouble } from './page-files.ts';

export function FileNotice() {
  const trouble = useSyncExternalStore(fileTrouble.subscribe, fileTrouble.current);
  if (trouble === undefined) return null;
  const Icon = trouble === 'away' ? WifiOff : RotateCw;
  return (
    <div
      role="status"
      className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-warn/40 bg-warn-soft px-4 py-3 text-sm"
    >
      <Icon aria-hidden="true" className="size-4 shrink-0 text-warn" />
      <p className="min-w-0 flex-1">
        {trouble === 'away' ? (
          <>
            <strong className="font-semibold">The gateway is not responding.</strong> Part of this page could not be
            loaded. The console tries again automatically. Your input is preserved.
          </>
        ) : (
          <>
            <strong className="font-semibold">The gateway was upgraded.</strong> Reload the console to continue. Drafts
            are saved in this tab.
          </>
        )}
      </p>
      {trouble === 'upgraded' && (
        <Button size="sm" onClick={() => location.reload()}>
          Reload
        </Button>
      )}
    </div>
  );
}
