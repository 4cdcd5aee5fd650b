/** The gateway's warnings about texts that its content filter could not check (contract/flow-apps#content-filter). */
import type { StepSpec } from '@flowgate/client/flow-wire';
import { TriangleAlert } from '../../../components/icons.tsx';

export function StepWarnings({ step: { warnings = [], fields } }: { readonly step: StepSpec }) {
  if (warnings.length === 0) return null;
  return (
    <div role="note" className="rounded-lg border border-warn/40 bg-warn-soft px-4 py-3 text-sm">
      <p className="flex items-center gap-2 font-semibold text-warn">
        <TriangleAlert aria-hidden="true" className="size-4 shrink-0" />
        The gateway could not check all text in this step
      </p>
      <ul className="mt-1 flex flex-col gap-1">
        {warnings.map(({ ruleId, pointer, fieldId, message }) => (
          <li key={`${ruleId} ${pointer}`} className="wrap-anywhere">
            {fieldId !== undefined && (
              <strong className="font-medium">
                {fields.find((each) => each.fieldId === fieldId)?.label ?? fieldId}:{' '}
              </strong>
            )}
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
