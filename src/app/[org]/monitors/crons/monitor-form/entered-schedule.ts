import type { FormValues } from '#app/forms/fields.ts';
import { INTERVAL_UNITS, type MonitorSchedule } from '#protocol/monitor-config.ts';
import type { MONITOR_FIELDS } from './monitor-fields.ts';

/** What stands in the fields of a schedule, as it was typed. */
export type EnteredSchedule = Record<
  'scheduleType' | 'schedule' | 'intervalValue' | 'intervalUnit' | 'timeZone',
  string
>;

export function enteredScheduleOf(values: FormValues<typeof MONITOR_FIELDS.created>): EnteredSchedule {
  return {
    scheduleType: String(values.scheduleType ?? 'crontab'),
    schedule: String(values.schedule ?? ''),
    intervalValue: String(values.intervalValue ?? ''),
    intervalUnit: String(values.intervalUnit ?? 'minute'),
    timeZone: String(values.timeZone ?? 'UTC'),
  };
}

/** The schedule that the fields describe, right or wrong; null while the part that makes one is empty. */
export function readEnteredSchedule(entered: EnteredSchedule): {
  schedule: MonitorSchedule | null;
  timeZone: string;
} {
  return { schedule: scheduleOf(entered), timeZone: entered.timeZone.trim() };
}

function scheduleOf({
  scheduleType,
  schedule,
  intervalValue,
  intervalUnit,
}: EnteredSchedule): MonitorSchedule | null {
  if (scheduleType !== 'interval') {
    return schedule.trim() === '' ? null : { type: 'crontab', value: schedule.trim() };
  }
  const unit = INTERVAL_UNITS.find((each) => each === intervalUnit);
  return intervalValue.trim() === '' || unit === undefined
    ? null
    : { type: 'interval', value: Number(intervalValue.replaceAll(/[\s,']/g, '')), unit };
}
