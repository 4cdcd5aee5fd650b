/** Shown when the sign-in has expired. The user signs in again in a separate window, and the page remains as it is. */
import { Button, buttonClasses } from '../components/button.tsx';
import { Dialog, DialogButtons } from '../components/dialog.tsx';
import { useSession } from './session-context.tsx';

export function ExpiredDialog() {
  const { state, session } = useSession();
  if (state.kind !== 'expired') return null;
  return (
    <Dialog
      title="Sign in again"
      lead="Your sign-in has expired. Your input is preserved. Sign in to continue."
      onClose={() => {}}
      mustAnswer
    >
      <DialogButtons>
        <button type="button" className={buttonClasses({ tone: 'quiet' })} onClick={() => void session.signOut()}>
          Sign out
        </button>
        {/* Signing out loses the user's input, so it is not the focused button. */}
        <span data-initial-focus>
          <Button tone="primary" onClick={session.signInAgain}>
            Sign in
          </Button>
        </span>
      </DialogButtons>
    </Dialog>
  );
}
