/** Root of the console: loads the configuration, opens the session and renders frame and pages. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { ButtonLink } from './components/button.tsx';
import { PageHead } from './components/card.tsx';
import { ErrorNotice } from './components/error-notice.tsx';
import { SkeletonRows } from './components/skeleton.tsx';
import { ToastProvider } from './components/toast.tsx';
import { FileNotice } from './frame/file-notice.tsx';
import { loadFont } from './frame/load-font.ts';
import { MaintenanceBanner } from './frame/maintenance-banner.tsx';
import { PageBoundary } from './frame/page-boundary.tsx';
import { fileLoader } from './frame/page-files.ts';
import { Shell } from './frame/shell.tsx';
import { useShortcuts } from './frame/shortcuts.ts';
import { giveUpConsoleKey } from './gateway/console-key.ts';
import { createGatewayClient } from './gateway/gateway-client.ts';
import { GatewayProvider } from './gateway/gateway-context.tsx';
import { createRateLimitStore } from './gateway/rate-limit.ts';
import { useMe } from './gateway/use-me.ts';
import { useSurfaces } from './gateway/use-surfaces.ts';
import { pages } from './pages.ts';
import { loadConsoleConfig } from './session/console-config.ts';
import { ExpiredDialog } from './session/expired-dialog.tsx';
import { openSession } from './session/session.ts';
import { type SessionDeps, SessionProvider, useSession } from './session/session-context.tsx';
import { SignInPage } from './session/sign-in-page.tsx';
import { SignedInPage } from './session/signed-in-page.tsx';

const CommandPalette = lazy(
  fileLoader(async () => ({ default: (await import('./frame/command-palette.tsx')).CommandPalette })),
);

const queries = new QueryClient({
  defaultOptions: {
    // The client retries safe requests itself; other errors are shown with the time to wait.
    queries: { retry: false, staleTime: 10_000 },
    mutations: { retry: false },
  },
});

async function open(): Promise<SessionDeps> {
  const config = await loadConsoleConfig();
  return { config, session: await openSession(config) };
}

export function App() {
  const [parts, setParts] = useState<SessionDeps>();
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  // Strict mode runs effects twice; there must be one session.
  const begun = useRef(-1);
  useEffect(() => {
    if (begun.current === attempt) return;
    begun.current = attempt;
    open().then(setParts, setError);
  }, [attempt]);
  if (parts !== undefined)
    return (
      <QueryClientProvider client={queries}>
        <SessionProvider value={parts}>
          <Router base="/console">
            <ToastProvider>
              <Entrance />
            </ToastProvider>
          </Router>
        </SessionProvider>
      </QueryClientProvider>
    );
  return error === undefined ? null : (
    <main className="mx-auto mt-24 max-w-md px-4">
      <ErrorNotice
        error={error}
        onRetry={() => {
          setError(undefined);
          setAttempt(attempt + 1);
        }}
      />
    </main>
  );
}

function Entrance() {
  const { state, session } = useSession();
  const [parts] = useState(() => {
    const limits = createRateLimitStore();
    return { client: createGatewayClient(session, limits), limits };
  });
  useEffect(() => session.beforeSignOut((signal) => giveUpConsoleKey(parts.client, signal)), [session, parts]);
  return (
    <Switch>
      <Route path="/signed-in">
        <SignedInPage />
      </Route>
      <Route path="/sign-in-again">
        <SignedInPage />
      </Route>
      <Route>
        {state.kind === 'signed-out' ? (
          <SignInPage />
        ) : (
          <GatewayProvider value={parts}>
            <Console />
          </GatewayProvider>
        )}
      </Route>
    </Switch>
  );
}

function Console() {
  const [location, navigate] = useLocation();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const isAdmin = useMe().data?.isAdmin === true;
  const shown = pages.filter(({ adminsOnly = false }) => isAdmin || !adminsOnly);
  const surfaces = useSurfaces();
  const listed = shown.filter(({ needs }) => needs === undefined || surfaces[needs] === true);
  const openPalette = () => setPaletteOpen(true);
  useEffect(loadFont, []);
  useShortcuts({ pages: listed, go: navigate, openPalette });
  const here = pages.find(({ path }) => path !== '/' && (location === path || location.startsWith(`${path}/`)));
  useEffect(() => {
    document.title = here === undefined ? 'Flowgate' : `${here.title} · Flowgate`;
  }, [here]);
  return (
    <>
      <Shell pages={listed} openPalette={openPalette}>
        <FileNotice />
        <MaintenanceBanner />
        <PageBoundary key={here?.path ?? '/'}>
          <Suspense
            fallback={
              <>
                <PageHead title={here?.title ?? 'Overview'} />
                <SkeletonRows />
              </>
            }
          >
            <Switch>
              {shown.map(({ path, page: Page }) => (
                <Route key={path} path={path === '/' ? '/' : `${path}/*?`}>
                  <Page />
                </Route>
              ))}
              <Route>
                <PageHead
                  title="Page not found"
                  lead="Check the address. Some pages are for administrators only."
                  actions={<ButtonLink href="/">Go to overview</ButtonLink>}
                />
              </Route>
            </Switch>
          </Suspense>
        </PageBoundary>
      </Shell>
      {isPaletteOpen && (
        <Suspense fallback={null}>
          <CommandPalette pages={listed} go={navigate} onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
      <ExpiredDialog />
    </>
  );
}
