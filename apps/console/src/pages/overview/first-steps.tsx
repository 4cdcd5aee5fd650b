/** Checklist for new users, shown until the first call. */

import { ButtonLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Check, Circle } from '../../components/icons.tsx';

export function FirstSteps({ hasKey }: { readonly hasKey: boolean }) {
  return (
    <Card title="First steps" lead="Two steps to your first call.">
      <ol className="divide-y divide-line rounded-lg border border-line">
        <Step
          isDone={hasKey}
          title="Create an API key"
          text="Your wallet, backend or indexer uses it on every network of this gateway."
          action={{ href: '/keys', label: 'Create key' }}
        />
        <Step
          isDone={false}
          title="Make a call"
          text="Choose a method in the playground, or use a snippet shown with your key."
          action={{ href: '/playground', label: 'Open playground', isNext: hasKey }}
        />
      </ol>
    </Card>
  );
}

type StepProps = {
  readonly isDone: boolean;
  readonly title: string;
  readonly text: string;
  readonly action: { readonly href: string; readonly label: string; readonly isNext?: boolean };
};

function Step({ isDone, title, text, action: { href, label, isNext = true } }: StepProps) {
  const Icon = isDone ? Check : Circle;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3.5">
      <Icon aria-hidden="true" className={isDone ? 'size-5 shrink-0 text-good' : 'size-5 shrink-0 text-faint'} />
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium">
          {title}
          {isDone && <span className="sr-only"> (done)</span>}
        </p>
        <p className="text-sm text-soft">{text}</p>
      </div>
      {!isDone && (
        <ButtonLink href={href} tone={isNext ? 'primary' : 'secondary'}>
          {label}
        </ButtonLink>
      )}
    </li>
  );
}
