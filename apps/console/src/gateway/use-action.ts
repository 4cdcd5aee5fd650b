/** A mutation: runs once at a time, refreshes the affected queries and reports the result. */
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useToast } from '../components/toast.tsx';
import { problemOf } from './problem.ts';

export type ActionOptions<Input, Output> = {
  readonly run: (input: Input) => Promise<Output>;
  /** Keys of the queries to refresh. */
  readonly changes?: readonly QueryKey[];
  /** Title of the success toast. */
  readonly done?: (output: Output, input: Input) => string | undefined;
  readonly onDone?: (output: Output, input: Input) => void;
  /** The form shows the error, so no toast appears. */
  readonly showsError?: boolean;
};

export type Action<Input, Output> = {
  readonly run: (input: Input) => void;
  readonly busy: boolean;
  readonly error: unknown;
  readonly output: Output | undefined;
  readonly reset: () => void;
};

export function useAction<Input, Output>(options: ActionOptions<Input, Output>): Action<Input, Output> {
  const toast = useToast();
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: options.run,
    onSuccess: (output, input) => {
      for (const queryKey of options.changes ?? []) void queries.invalidateQueries({ queryKey });
      const title = options.done?.(output, input);
      if (title !== undefined) toast({ title, tone: 'good' });
      options.onDone?.(output, input);
    },
    onError: (error) => {
      if (options.showsError === true) return;
      const { title, text, requestId } = problemOf(error);
      toast({ title, text, requestId, tone: 'bad' });
    },
  });
  return {
    run: (input) => {
      if (!mutation.isPending) mutation.mutate(input);
    },
    busy: mutation.isPending,
    error: mutation.error ?? undefined,
    output: mutation.data,
    reset: mutation.reset,
  };
}
