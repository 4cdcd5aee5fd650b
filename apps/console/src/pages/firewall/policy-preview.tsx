/** Shows which calls of the last 24 hours the edited policy would have refused. */
import type { PolicyInput, PolicyPreview } from '@flowgate/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSettled } from '../../components/use-settled.ts';
import { wholeNumber } from '../../format/whole-number.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';

/** Undefined while loading. The gateway counts calls for networks and nodes only. */
export function usePolicyPreview(
  input: PolicyInput | undefined,
  replaces: string | undefined,
): PolicyPreview | undefined {
  const { policies } = useGateway();
  const key = JSON.stringify(input ?? null);
  const settled = useSettled(input, key);
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['policy-preview', JSON.stringify(settled ?? null), replaces],
    queryFn: ({ signal }) =>
      settled === undefined
        ? null
        : policies.preview(settled, { signal, retry: false, ...(replaces !== undefined && { replaces }) }),
    enabled: settled?.resource.kind === 'network',
    placeholderData: keepPreviousData,
  });
  return input?.resource.kind !== 'network' || isPlaceholderData ? undefined : (data ?? undefined);
}

export function PreviewSentence({ of: { considered, refused, byMethod } }: { readonly of: PolicyPreview }) {
  if (considered === 0)
    return (
      <p className="text-sm text-soft">
        You made no calls in the last 24 hours, so there is nothing to test this policy on.
      </p>
    );
  if (refused === 0)
    return (
      <p className="text-sm text-soft">
        This policy would have refused none of your {wholeNumber(considered)} calls in the last 24 hours.
      </p>
    );
  const named = byMethod.slice(0, 3).map((row) => `${row.method} (${wholeNumber(row.refused)})`);
  const more = byMethod.length > named.length ? ` and ${byMethod.length - named.length} more methods` : '';
  return (
    <p className="text-sm">
      <strong className="font-semibold">
        This policy would have refused {wholeNumber(refused)} of your {wholeNumber(considered)} calls
      </strong>{' '}
      <span className="text-soft wrap-anywhere">
        in the last 24 hours: {named.join(', ')}
        {more}.
      </span>
    </p>
  );
}
