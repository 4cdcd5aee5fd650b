/** Shown to signed-out users. */
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { useSession } from './session-context.tsx';

export function SignInPage() {
  const { session, config } = useSession();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const signIn = () => {
    setBusy(true);
    setError(undefined);
    session.signIn((location.pathname.replace(/^\/console/, '') || '/') + location.search).catch((reason: unknown) => {
      setError(new Error(`The identity provider ${config.issuer} cannot be reached. ${messageOf(reason)}`));
      setBusy(false);
    });
  };
  return (
    <main className="grid min-h-dvh place-items-center px-4">
      <div className="w-full max-w-sm rounded-2xl border border-line bg-surface p-8 shadow-card">
        <img src="/favicon.ico" alt="" className="size-10" />
        <h1 className="mt-5 text-2xl font-semibold tracking-tight">Flowgate</h1>
        <p className="mt-1 text-soft">
          API keys, networks, bridges and Flow Apps behind one address:{' '}
          <code className="break-all">{config.publicUrl}</code>
        </p>
        <Button tone="primary" className="mt-6 w-full" busy={busy} onClick={signIn}>
          {busy ? 'Opening sign-in…' : 'Sign in'}
        </Button>
        {error !== undefined && (
          <div className="mt-4">
            <ErrorNotice error={error} />
          </div>
        )}
        <p className="mt-6 flex justify-between text-xs text-faint">
          <a href="/reference" className="underline">
            Reference
          </a>
          <span>{config.version}</span>
        </p>
      </div>
    </main>
  );
}

const messageOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));
