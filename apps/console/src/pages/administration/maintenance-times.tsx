/** Start, end and announcement time of maintenance, in the browser's time zone. */
import type { MaintenanceInput, MaintenanceStatus } from '@flowgate/client';
import { Checkbox, Field, TextInput } from '../../components/field.tsx';

/** Raw input values. */
export type MaintenanceTimes = {
  readonly isPlanned: boolean;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly noticeHours: string;
};

const defaultNoticeMinutes = 1_440;
const minutesPerHour = 60;

export function timesOf({
  startsAt,
  endsAt,
  noticeMinutes = defaultNoticeMinutes,
}: MaintenanceStatus): MaintenanceTimes {
  return {
    isPlanned: startsAt !== undefined || endsAt !== undefined,
    startsAt: localOf(startsAt),
    endsAt: localOf(endsAt),
    noticeHours: String(noticeMinutes / minutesPerHour),
  };
}

export type TimesInput = Pick<MaintenanceInput, 'startsAt' | 'endsAt' | 'noticeMinutes'>;

export function timesInput({ isPlanned, startsAt, endsAt, noticeHours }: MaintenanceTimes): TimesInput {
  if (!isPlanned) return {};
  return {
    startsAt: isoOf(startsAt),
    endsAt: isoOf(endsAt),
    noticeMinutes: Math.round(Number(noticeHours) * minutesPerHour),
  };
}

/** The format of `datetime-local`. */
function localOf(iso: string | undefined): string {
  if (iso === undefined) return '';
  const at = new Date(iso);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

const isoOf = (local: string): string | null => (local === '' ? null : new Date(local).toISOString());

export type MaintenanceTimesFieldsProps = {
  readonly times: MaintenanceTimes;
  readonly onChange: (times: MaintenanceTimes) => void;
};

export function MaintenanceTimesFields({ times, onChange }: MaintenanceTimesFieldsProps) {
  const input = (name: 'startsAt' | 'endsAt' | 'noticeHours', type: 'datetime-local' | 'text') => (control: object) => (
    <TextInput
      {...control}
      type={type}
      {...(type === 'text' && { inputMode: 'decimal' })}
      value={times[name]}
      onChange={({ target }) => onChange({ ...times, [name]: target.value })}
    />
  );
  return (
    <div className="grid gap-3">
      <Checkbox
        label="Schedule for later"
        checked={times.isPlanned}
        onChange={({ target }) => onChange({ ...times, isPlanned: target.checked })}
      />
      {times.isPlanned && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Starts" optional hint="Leave empty to start now.">
            {input('startsAt', 'datetime-local')}
          </Field>
          <Field label="Ends" optional hint="Leave empty to end it manually.">
            {input('endsAt', 'datetime-local')}
          </Field>
          <Field label="Announce ahead, in hours" hint="The console shows a banner this long before maintenance.">
            {input('noticeHours', 'text')}
          </Field>
        </div>
      )}
    </div>
  );
}
