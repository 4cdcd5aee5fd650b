/** A secret that the gateway generated and returns only once. */
import { Button } from '../../../components/button.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { Dialog, DialogButtons } from '../../../components/dialog.tsx';

export type ShownOnceProps = {
  readonly title: string;
  readonly lead: string;
  readonly secret: string;
  readonly onClose: () => void;
};

export function ShownOnce({ title, lead, secret, onClose }: ShownOnceProps) {
  return (
    <Dialog mustAnswer title={title} lead={lead} onClose={onClose}>
      <div data-initial-focus className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-raised p-3">
        <code className="min-w-0 flex-1 break-all">{secret}</code>
        <CopyButton text={secret} what="secret" label="Copy" tone="secondary" />
      </div>
      <DialogButtons>
        <Button tone="primary" onClick={onClose}>
          I saved the secret
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
