/** Routes of Flow Apps: catalog, app and session. */

import { lazy, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { EmptyState } from '../../components/empty-state.tsx';
import { SearchX } from '../../components/icons.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { fileLoader } from '../../frame/page-files.ts';
import { AppPage } from './app-page.tsx';
import { CatalogPage } from './catalog-page.tsx';

/** Loaded separately: the runner is a third of the page's files, and the catalog does not need it. */
const SessionPage = lazy(
  fileLoader(async () => ({ default: (await import('./session-page.tsx')).SessionPage }), { isPage: true }),
);

export function FlowPage() {
  return (
    <Switch>
      <Route path="/apps">
        <CatalogPage />
      </Route>
      <Route path="/apps/:publisher/:slug">
        {({ publisher, slug }) => <AppPage key={`${publisher}/${slug}`} appId={`${publisher}/${slug}`} />}
      </Route>
      <Route path="/apps/:publisher/:slug/sessions/:sessionId">
        {({ sessionId }) => (
          <Suspense fallback={<SkeletonRows />}>
            <SessionPage key={sessionId} sessionId={sessionId} />
          </Suspense>
        )}
      </Route>
      <Route>
        <EmptyState icon={SearchX} title="Page not found">
          Check the address. An app’s address is its publisher and name.
        </EmptyState>
      </Route>
    </Switch>
  );
}
