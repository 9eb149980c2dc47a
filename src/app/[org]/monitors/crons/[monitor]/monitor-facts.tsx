import { nextRuns } from '#domain/monitors/run-times.ts';
import { visibleText } from '#lib/visible-text.ts';
import { describeSchedule } from '#product/monitors/describe-schedule.ts';
import type { ProjectMonitor } from '#product/monitors/monitors.ts';
import { runTimesOf } from '#product/monitors/watch/watch-settings.ts';
import { formatPlural } from '#ui/format-number.ts';
import { type KeyValue, KeyValues } from '#ui/key-values.tsx';
import { Notice } from '#ui/notice.tsx';
import { TableTime } from '#ui/table-time.tsx';

const RUNS_SHOWN = 5;

/** What is expected of a monitor. */
export function MonitorFacts({ monitor, now }: { monitor: ProjectMonitor; now: number }) {
  const { slug, schedule, checkinMargin, maxRuntime, failureIssueThreshold, recoveryThreshold } = monitor;
  const times = schedule?.type === 'crontab' ? runTimesOf(monitor) : null;
  const rows: readonly KeyValue[] = [
    { name: 'Slug', text: slug },
    { name: 'Schedule', value: <bdi className="mono">{visibleText(describeSchedule(monitor))}</bdi> },
    { name: 'Grace period', value: formatPlural(checkinMargin, 'minute') },
    { name: 'Maximum runtime', value: formatPlural(maxRuntime, 'minute') },
    { name: 'Creates an issue after', value: formatPlural(failureIssueThreshold, 'failure') },
    { name: 'Resolves it after', value: formatPlural(recoveryThreshold, 'success', 'successes') },
    { name: 'Owner', value: monitor.owner ? <bdi>{visibleText(monitor.owner.name)}</bdi> : 'No owner' },
    { name: 'Project', value: <bdi>{monitor.project.slug}</bdi> },
    ...(times === null || monitor.isDisabled
      ? []
      : [
          {
            name: 'Next runs',
            value: (
              <ol aria-label="Next runs" className="numbers flex flex-col gap-0.5">
                {nextRuns(times, now, RUNS_SHOWN).map((at) => (
                  <li key={at}>
                    <TableTime at={at} />
                  </li>
                ))}
              </ol>
            ),
          },
        ]),
  ];
  return <KeyValues rows={rows} isNarrow />;
}

/** What people should know before they read on. */
export function MonitorNotices({ monitor }: { monitor: ProjectMonitor }) {
  const { configProblem, schedule, isDisabled, isMuted } = monitor;
  const notices = [
    configProblem !== null && (
      <Notice key="config" tone="warning" title="The schedule that your SDK sent can’t be used">
        {visibleText(configProblem)}. {schedule === null ? 'Nothing is expected' : 'The one before counts'}{' '}
        until it sends another.
      </Notice>
    ),
    schedule === null && configProblem === null && (
      <Notice key="schedule" title="No schedule">
        Check-ins are listed, and no run can be missed. Edit the monitor to set a schedule.
      </Notice>
    ),
    isDisabled && (
      <Notice key="disabled" title="Disabled">
        Check-ins are listed, and nothing is expected.
      </Notice>
    ),
    isMuted && !isDisabled && (
      <Notice key="muted" title="Muted">
        Runs are watched. Failures create no issue, and no one is notified.
      </Notice>
    ),
  ].filter(Boolean);
  return notices.length === 0 ? null : <div className="mb-4 flex flex-col gap-3">{notices}</div>;
}
