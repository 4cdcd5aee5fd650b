/** The limit, and what is left of it now. */
import { Stat } from '../../components/card.tsx';
import { useRateLimit } from '../../gateway/gateway-context.tsx';
import { useMe } from '../../gateway/use-me.ts';

const whole = new Intl.NumberFormat('en');

export function LimitCard() {
  const limit = useRateLimit();
  const me = useMe();
  const used = limit === undefined ? undefined : limit.limit - limit.remaining;
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <Stat
        label="Requests left this minute"
        value={limit === undefined ? '–' : whole.format(limit.remaining)}
        note={
          limit !== undefined && (
            <meter
              aria-label="Used of the limit"
              min={0}
              max={limit.limit}
              value={used}
              className="h-1.5 w-full appearance-none rounded-full border-0 bg-raised [&::-moz-meter-bar]:bg-accent [&::-webkit-meter-bar]:rounded-full [&::-webkit-meter-bar]:border-0 [&::-webkit-meter-bar]:bg-raised [&::-webkit-meter-optimum-value]:rounded-full [&::-webkit-meter-optimum-value]:bg-accent"
            />
          )
        }
      />
      <Stat
        label="Limit in any 60 seconds"
        value={limit === undefined ? '–' : whole.format(limit.limit)}
        note="Over all of your keys and sign-ins; each message of a batch counts."
      />
      <Stat
        label="You are"
        value={me.data?.userId ?? '–'}
        note={me.data?.isAdmin === true ? 'Administrator' : 'User'}
      />
    </div>
  );
}
