import { OUTCOME_APPEARANCE } from '#app/[org]/stats/outcome-labels.ts';
import { outcomeTotals } from '#app/[org]/stats/stats-view.ts';
import { RangeBarChart } from '#app/shell/range-bar-chart.tsx';
import { withQuery } from '#app/url-state.ts';
import type { OutcomeSeries } from '#product/stats/outcome-store.ts';
import type { Range } from '#product/time-buckets.ts';
import { Card } from '#ui/card.tsx';
import { formatCount, formatExact, formatShare } from '#ui/format-number.ts';
import { TextLink } from '#ui/text-link.tsx';

/** The outcomes of the errors that a project sent. */
export type Sent = { series: readonly OutcomeSeries[]; range: Range; bucketMs: number };

export function ProjectEvents({ sent }: { sent: Sent }) {
  const [accepted] = totalsOf(sent).filter(({ outcome }) => outcome === 'accepted');
  return (
    <Card id="events" title="Events accepted">
      <RangeBarChart
        label="Events accepted"
        unit="events"
        height={120}
        fromMs={sent.range.fromMs}
        bucketMs={sent.bucketMs}
        series={[{ label: 'Accepted', values: accepted?.buckets ?? [], color: 'var(--color-chart)' }]}
      />
    </Card>
  );
}

/** Each outcome with its share; the stats page has the reasons. */
export function ProjectIngest({
  organizationSlug,
  projectSlug,
  time,
  sent,
}: {
  organizationSlug: string;
  projectSlug: string;
  time: Readonly<Record<string, string | null>>;
  sent: Sent;
}) {
  const totals = totalsOf(sent);
  const sum = totals.reduce((all, { total }) => all + total, 0);
  return (
    <Card
      id="ingest"
      title="Outcomes"
      actions={
        <TextLink
          href={withQuery(`/${organizationSlug}/stats`, { project: projectSlug, ...time })}
          className="text-sm"
        >
          View reasons
        </TextLink>
      }
    >
      {sum === 0 ? (
        <p className="text-sm text-text-muted">No data in the selected time range.</p>
      ) : (
        <dl className="flex flex-col gap-2 text-sm">
          {totals.map(({ outcome, total }) => (
            <div
              key={outcome}
              className="flex items-center gap-2"
              title={OUTCOME_APPEARANCE[outcome].meaning}
            >
              <dt className="flex min-w-0 flex-1 items-center gap-2">
                <span
                  aria-hidden
                  className="size-2.5 shrink-0 rounded-xs"
                  style={{ background: OUTCOME_APPEARANCE[outcome].color }}
                />
                {OUTCOME_APPEARANCE[outcome].label}
              </dt>
              <dd className="numbers text-text-muted" title={formatExact(total)}>
                {formatCount(total)} · {formatShare(total, sum)}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}

const totalsOf = ({ series, range, bucketMs }: Sent) =>
  outcomeTotals(series, 'error', Math.round((range.toMs - range.fromMs) / bucketMs));
