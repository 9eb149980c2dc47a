import type { ReactNode } from 'react';
import type { MetricAlert } from '#domain/alerts/alert-rule.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time.ts';
import type { AlertPreview, PreviewAlarm } from '#product/alerts/preview/alert-preview.ts';
import { withUnit } from '#product/measures/describe-measure.ts';
import { cx } from '#ui/cx.ts';
import { formatPlural } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { ExactTime } from '#ui/relative-time.tsx';
import { STATE_LABELS } from '../alert-labels.ts';

const LISTED_MAX = 5;
/** Of the strip, in percent. */
const WIDTH_MIN = 0.5;

/** When the rule would have triggered: all of it on a strip of the time, and the newest as a list. */
export function AlarmStrip({
  organizationSlug,
  preview: { alarms, alarmsTotal, range },
  metric,
}: {
  organizationSlug: string;
  preview: Pick<AlertPreview, 'alarms' | 'alarmsTotal' | 'range'>;
  /** null for a rule of issues, which triggers at moments. */
  metric: Pick<MetricAlert, 'measure' | 'comparisonMinutes'> | null;
}) {
  if (alarms.length === 0) return null;
  const lengthOf = ({ fromMs, toMs }: PreviewAlarm) => (toMs ?? range.toMs) - fromMs;
  const lengths = alarms.map(lengthOf);
  const share = (ms: number) => ((ms - range.fromMs) / (range.toMs - range.fromMs)) * 100;
  const newest = alarms.slice(-LISTED_MAX).reverse();
  const isAll = alarms.length === alarmsTotal;
  return (
    <section aria-label="When it would have triggered" className="flex flex-col gap-1.5 text-sm">
      <svg
        aria-hidden="true"
        viewBox="0 0 100 8"
        preserveAspectRatio="none"
        // Below the plot of the chart, whose axis is as wide.
        className="ml-11 h-4 w-[calc(100%-2.75rem)] rounded-xs bg-surface-pressed"
      >
        {alarms.map((alarm) => {
          // Wide enough to be seen, at the end too.
          const width = Math.max(WIDTH_MIN, share(alarm.fromMs + lengthOf(alarm)) - share(alarm.fromMs));
          return (
            <rect
              key={`${alarm.fromMs} ${alarm.shortId}`}
              x={Math.min(share(alarm.fromMs), 100 - width)}
              width={width}
              height={8}
              className={alarm.state === 'warning' ? 'fill-warning' : 'fill-danger'}
            />
          );
        })}
      </svg>
      {metric === null ? null : (
        <p className="text-text-muted text-xs">
          Triggered for {describeLength(lengths.reduce((sum, each) => sum + each, 0))} in total
          {lengths.length > 1 ? `, up to ${describeLength(Math.max(...lengths))} at a time` : ''}.
        </p>
      )}
      <ul className="divide-y border-y">
        {newest.map((alarm) => (
          <li
            key={`${alarm.fromMs} ${alarm.shortId}`}
            className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 py-1.5 text-xs"
          >
            <ExactTime at={alarm.fromMs} className="numbers whitespace-nowrap" />
            {alarm.shortId === null ? null : (
              <Link href={`/${organizationSlug}/issues/${alarm.shortId}`} className="mono text-text">
                {alarm.shortId}
              </Link>
            )}
            {metric === null ? null : <MetricAlarm alarm={alarm} metric={metric} length={lengthOf(alarm)} />}
          </li>
        ))}
      </ul>
      {alarmsTotal > newest.length ? (
        <p className="text-text-muted text-xs">
          and {formatPlural(alarmsTotal - newest.length, 'earlier time')}
          {isAll ? '' : `; the strip has the last ${alarms.length}`}
        </p>
      ) : null}
    </section>
  );
}

function MetricAlarm({
  alarm: { state, toMs, worst },
  metric,
  length,
}: {
  alarm: PreviewAlarm;
  metric: Pick<MetricAlert, 'measure' | 'comparisonMinutes'>;
  length: number;
}): ReactNode {
  return (
    <>
      <span className={cx('font-medium', state === 'warning' ? 'text-warning' : 'text-danger')}>
        {STATE_LABELS[state ?? 'critical']}
      </span>
      <span>
        {toMs === null ? 'until now, ' : ''}for {describeLength(length)}
      </span>
      {worst === null ? null : <span className="numbers text-text-muted">{withUnit(worst, metric)}</span>}
    </>
  );
}

/** `3 hours 20 minutes`, `2 days 4 hours`. */
function describeLength(ms: number): string {
  const [days, hours, minutes] = [
    Math.floor(ms / DAY_MS),
    Math.floor((ms % DAY_MS) / HOUR_MS),
    Math.round((ms % HOUR_MS) / MINUTE_MS),
  ];
  const parts = [
    days > 0 ? formatPlural(days, 'day') : '',
    hours > 0 ? formatPlural(hours, 'hour') : '',
    days === 0 && minutes > 0 ? formatPlural(minutes, 'minute') : '',
  ].filter((part) => part !== '');
  return parts.join(' ') || 'less than a minute';
}
