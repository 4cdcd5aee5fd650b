/** Announces scheduled maintenance before it starts (contract/administration#planned-maintenance). */
import { useQuery } from '@tanstack/react-query';
import { CalendarClock } from '../components/icons.tsx';
import { Time } from '../components/time.tsx';
import { exactTime } from '../format/relative-time.ts';
import { useGateway } from '../gateway/gateway-context.tsx';

export const upcomingMaintenanceQuery = ['upcoming-maintenance'];
const refreshMs = 60_000;

export function MaintenanceBanner() {
  const client = useGateway();
  const { data } = useQuery({
    queryKey: upcomingMaintenanceQuery,
    queryFn: ({ signal }) => client.upcomingMaintenance({ signal }),
    refetchInterval: refreshMs,
  });
  if (data?.startsAt === undefined) return null;
  const { startsAt, endsAt, message, networks } = data;
  return (
    <div
      role="status"
      className="mb-4 flex flex-wrap items-start gap-x-3 gap-y-1 rounded-lg border border-warn/40 bg-warn-soft px-4 py-3 text-sm"
    >
      <CalendarClock aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
      <div className="min-w-0 flex-1">
        <p>
          <strong className="font-semibold">Scheduled maintenance</strong> starts <Time at={startsAt} /> (
          {exactTime(new Date(startsAt))}){endsAt !== undefined && ` and ends ${exactTime(new Date(endsAt))}`}.
          {networks !== undefined && ` It affects ${networks.join(', ')}.`}
        </p>
        {message !== undefined && <p className="whitespace-pre-line text-soft wrap-anywhere">{message}</p>}
      </div>
    </div>
  );
}
