/** Redirect target of the issuer. */
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ErrorNotice } from '../components/error-notice.tsx';
import { useSession } from './session-context.tsx';

export function SignedInPage() {
  const { session } = useSession();
  const [, navigate] = useLocation();
  const [error, setError] = useState<unknown>();
  // An authorization code works once, and strict mode runs effects twice.
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    session.finishSignIn().then(
      (returnTo) => {
        if (returnTo !== undefined) navigate(returnTo, { replace: true });
      },
      (reason: unknown) => setError(reason),
    );
  }, [session, navigate]);
  return (
    <main className="grid min-h-dvh place-items-center px-4">
      <div className="w-full max-w-sm">
        {error === undefined ? (
          <p role="status" className="text-center text-soft">
            Signing in…
          </p>
        ) : (
          <>
            <h1 className="mb-3 text-xl font-semibold">You are not signed in</h1>
            <ErrorNotice error={error} />
            <p className="mt-4">
              <a className="text-accent underline" href="/console">
                Sign in again
              </a>
            </p>
          </>
        )}
      </div>
    </main>
  );
}
