/** Shows which calls of the last 24 hours the edited policy would have refused. */
import type { PolicyInput, PolicyPreview } from '@flowgate/client';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSettled } from '../../components/use-settled.ts';
import { wholeNumber } from '../../format/whole-number.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';

export type UsedPreview = {
  /** Of exactly this input; undefined while it loads. The gateway counts calls for networks and nodes only. */
  readonly shown: PolicyPreview | undefined;
  /** Loads it without waiting for the user to stop typing. Undefined when there is none, or when the gateway cannot say. */
  readonly load: () => Promise<PolicyPreview | undefined>;
};

export function usePolicyPreview(input: PolicyInput | undefined, replaces: string | undefined): UsedPreview {
  const { policies } = useGateway();
  const queries = useQueryClient();
  const key = JSON.stringify(input ?? null);
  const settled = useSettled(input, key);
  const isCounted = input?.resource.kind === 'network';
  const queryOf = (given: PolicyInput | undefined) =>
    queryOptions({
      queryKey: ['policy-preview', JSON.stringify(given ?? null), replaces],
      queryFn: ({ signal }) =>
        given === undefined
          ? null
          : policies.preview(given, { signal, retry: false, ...(replaces !== undefined && { replaces }) }),
    });
  const { data } = useQuery({ ...queryOf(settled), enabled: isCounted && settled?.resource.kind === 'network' });
  const isSettled = JSON.stringify(settled ?? null) === key;
  return {
    shown: isCounted && isSettled ? (data ?? undefined) : undefined,
    load: async () => {
      if (!isCounted) return undefined;
      const loaded = await queries.fetchQuery(queryOf(input)).catch(() => undefined);
      return loaded ?? undefined;
    },
  };
}

/** Whether the policy would have refused every call of the last 24 hours. */
export const refusesEveryCall = (preview: PolicyPreview | undefined) =>
  preview !== undefined && preview.considered > 0 && preview.refused === preview.considered;

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
