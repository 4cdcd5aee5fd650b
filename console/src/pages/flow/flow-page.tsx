/** Flow Apps: the catalogue, one app, and one session, each at an address of its own. */
import { SearchX } from 'lucide-react';
import { Route, Switch } from 'wouter';
import { EmptyState } from '../../components/empty-state.tsx';
import { AppPage } from './app-page.tsx';
import { CataloguePage } from './catalogue-page.tsx';
import { SessionPage } from './session-page.tsx';

export function FlowPage() {
  return (
    <Switch>
      <Route path="/apps">
        <CataloguePage />
      </Route>
      <Route path="/apps/:publisher/:slug">
        {({ publisher, slug }) => <AppPage key={`${publisher}/${slug}`} appId={`${publisher}/${slug}`} />}
      </Route>
      <Route path="/apps/:publisher/:slug/sessions/:sessionId">
        {({ sessionId }) => <SessionPage key={sessionId} sessionId={sessionId} />}
      </Route>
      <Route>
        <EmptyState icon={SearchX} title="There is no such page">
          An app is at its publisher and name, a session below its app.
        </EmptyState>
      </Route>
    </Switch>
  );
}
