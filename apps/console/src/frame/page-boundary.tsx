/** Error boundary: a page that fails does not affect the frame. */
import { Component, type ReactNode } from 'react';
import { ErrorNotice } from '../components/error-notice.tsx';

type Props = { readonly children: ReactNode };
type State = { readonly error: unknown };

export class PageBoundary extends Component<Props, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <ErrorNotice error={error} onRetry={() => location.reload()} />;
  }
}
