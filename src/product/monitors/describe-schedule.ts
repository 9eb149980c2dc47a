import type { MonitorSettings } from './monitor.ts';

/** `0 3 * * * (Europe/Vienna)`, `Every 5 minutes`; `No schedule` for none. */
export function describeSchedule({
  schedule,
  timeZone,
}: Pick<MonitorSettings, 'schedule' | 'timeZone'>): string {
  if (schedule === null) return 'No schedule';
  if (schedule.type === 'crontab') return `${schedule.value} (${timeZone})`;
  const { value, unit } = schedule;
  return value === 1 ? `Every ${unit}` : `Every ${value} ${unit}s`;
}
