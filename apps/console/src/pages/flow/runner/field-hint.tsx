/** The app's help text for a field, and its rules in words. */
import type { Field } from '@flowgate/client/flow-wire';
import type { ReactNode } from 'react';

/** Characters; the rest is collapsed. */
export const longHelp = 240;

export function hintOf(field: Field): ReactNode {
  const rules = rulesOf(field);
  const { help } = field;
  if (help === undefined && rules === undefined) return undefined;
  return (
    <span className="block">
      {help !== undefined && (
        <span dir="auto" className="block whitespace-pre-line wrap-anywhere">
          {help.length > longHelp ? `${help.slice(0, longHelp)}…` : help}
        </span>
      )}
      {rules !== undefined && <span className="block">{rules}</span>}
    </span>
  );
}

const forms: Partial<Record<Field['type'], string>> = {
  address: '0x and 40 hexadecimal digits',
  signature: '0x and hexadecimal digits',
  signedTransaction: '0x and hexadecimal digits',
  txHash: '0x and 64 hexadecimal digits',
  json: 'JSON',
};

/** Describes the accepted values; bounds are inclusive. */
export function rulesOf({ type, min, max }: Field): string | undefined {
  const unit = type === 'text' || type === 'secret' ? ' characters' : '';
  if (min !== undefined && max !== undefined)
    return String(min) === String(max) ? `Exactly ${min}${unit}` : `From ${min} to ${max}${unit}`;
  if (min !== undefined) return `At least ${min}${unit}`;
  return max === undefined ? forms[type] : `At most ${max}${unit}`;
}
