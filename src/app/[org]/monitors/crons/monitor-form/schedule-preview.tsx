import { nextRuns, openRunTimes, problemOfSchedule } from '#domain/monitors/run-times.ts';
import type { MonitorSchedule } from '#protocol/monitor-config.ts';
import { dateFormat } from '#ui/format-time.ts';
import { Notice } from '#ui/notice.tsx';

const RUNS_SHOWN = 5;

/**
 * The next runs of a schedule that is being entered, on the clock of its own zone; or why there are none. The page shows
 * those of what it begins with; the form loads this, with the reader of schedules, when something is entered.
 */
export function SchedulePreview({
  schedule,
  timeZone,
  now,
}: {
  /** null while nothing is entered. */
  schedule: MonitorSchedule | null;
  timeZone: string;
  now: number;
}) {
  if (schedule === null) {
    return <p className="text-sm text-text-muted">Enter a schedule to see its next runs.</p>;
  }
  const problem = problemOfSchedule(schedule, timeZone);
  if (problem !== null) {
    return (
      <Notice tone="danger" title="This schedule can’t be used">
        {problem}.
      </Notice>
    );
  }
  const runs = nextRuns(openRunTimes(schedule, timeZone), now, RUNS_SHOWN);
  return (
    <div>
      <p className="mb-1.5 text-sm text-text-muted">
        {schedule.type === 'interval' ? 'If a run checked in now, the next would be at' : 'Next runs'} (
        {timeZone.replaceAll('_', ' ')})
      </p>
      <ol aria-label="Next runs" className="numbers flex flex-col gap-1 text-sm">
        {runs.map((at) => (
          <li key={at}>
            <time dateTime={new Date(at).toISOString()}>{dateFormat('dateTime', timeZone).format(at)}</time>
          </li>
        ))}
      </ol>
    </div>
  );
}
