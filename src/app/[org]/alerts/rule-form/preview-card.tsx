'use client';

import { visibleText } from '#lib/visible-text.ts';
import type { AlertPreview } from '#product/alerts/preview/alert-preview.ts';
import { BarChart } from '#ui/bar-chart.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { formatExact, formatPlural } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { MeasureChart, type ThresholdLine } from '../measure-chart.tsx';
import { type MetricDraft, parseThreshold, type RuleDraft } from './rule-draft.ts';
import type { SearchPlace } from './search-field.tsx';
import { usePreview } from './use-preview.ts';

/** What the rule would have done in the last 14 days; of a metric, thresholds can be moved in its chart. */
export function PreviewCard({
  place,
  draft,
  onChange,
}: {
  place: SearchPlace;
  draft: RuleDraft;
  onChange: (change: Partial<MetricDraft>) => void;
}) {
  const { preview, problem, isPending, retry } = usePreview(place, draft);
  // Of a rule that was something else before.
  const shown = preview?.kind === draft.kind ? preview : null;
  return (
    <Card
      id="rule-preview"
      title="Last 14 days"
      className="lg:sticky lg:top-16"
      actions={
        <Button size="sm" disabled={isPending} onClick={retry}>
          {isPending ? 'Loading…' : 'Refresh preview'}
        </Button>
      }
    >
      <div aria-busy={isPending} className="flex flex-col gap-4">
        <div role="status" className="text-sm">
          {problem !== null ? (
            <p className="break-anything text-text-muted">{problem}</p>
          ) : shown ? (
            <Headline preview={shown} />
          ) : (
            <>
              <span className="sr-only">Loading the preview</span>
              <Skeleton className="h-5 w-64 max-w-full" />
            </>
          )}
        </div>
        {shown && draft.kind === 'metric' ? (
          <MetricChart preview={shown} draft={draft} onChange={onChange} />
        ) : shown ? (
          <FiringChart preview={shown} />
        ) : problem === null ? (
          <Skeleton className="h-32 w-full" />
        ) : null}
        {shown && shown.issues.length > 0 ? (
          <IssueList organizationSlug={place.organizationSlug} preview={shown} />
        ) : null}
        {shown && shown.estimates.length > 0 ? (
          <details className="text-text-muted text-xs">
            <summary className="w-fit rounded-sm hover:underline">Why is this an estimate?</summary>
            <ul className="mt-1 list-disc pl-4">
              {shown.estimates.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </details>
        ) : null}
      </div>
    </Card>
  );
}

function Headline({ preview: { kind, firings, isEstimate, issuesTotal } }: { preview: AlertPreview }) {
  const times = `${isEstimate && firings > 0 ? 'about ' : ''}${formatPlural(firings, 'time')}`;
  return (
    <p>
      {firings === 0 ? (
        kind === 'issue' ? (
          isEstimate ? (
            'This rule would probably not have triggered.'
          ) : (
            'This rule would not have triggered.'
          )
        ) : (
          'This rule would not have reached warning or critical.'
        )
      ) : (
        <>
          {kind === 'issue'
            ? 'This rule would have triggered '
            : 'This rule would have reached warning or critical '}
          <strong className="numbers">{times}</strong>
          {kind === 'issue' ? `for ${formatPlural(issuesTotal, 'issue')}` : ''}.
        </>
      )}
    </p>
  );
}

function FiringChart({ preview: { buckets } }: { preview: AlertPreview }) {
  return (
    <BarChart
      label="Times triggered"
      unit="times"
      series={[
        {
          label: 'Times triggered',
          color: 'var(--color-chart)',
          values: buckets.values.map((value) => value ?? 0),
        },
      ]}
      fromMs={buckets.fromMs}
      bucketMs={buckets.bucketMs}
      height={96}
    />
  );
}

function IssueList({
  organizationSlug,
  preview: { issues, issuesTotal },
}: {
  organizationSlug: string;
  preview: AlertPreview;
}) {
  return (
    <section aria-label="Issues that would have triggered this rule">
      <ul className="divide-y border-y text-sm">
        {issues.map(({ id, shortId, title, firings }) => (
          <li key={id} className="flex items-baseline gap-2 py-1.5">
            <Link
              href={`/${organizationSlug}/issues/${shortId}`}
              className="min-w-0 flex-1 truncate text-text no-underline hover:underline"
            >
              <span className="mono text-text-muted text-xs">{shortId}</span> <bdi>{visibleText(title)}</bdi>
            </Link>
            <span className="numbers shrink-0 text-text-muted text-xs" title={formatPlural(firings, 'time')}>
              {formatExact(firings)}
            </span>
          </li>
        ))}
      </ul>
      {issuesTotal > issues.length ? (
        <p className="mt-1.5 text-text-muted text-xs">
          and {formatPlural(issuesTotal - issues.length, 'more issue')}
        </p>
      ) : null}
    </section>
  );
}

/** The measure of the last days with the thresholds as they are typed; dragging one types it. */
function MetricChart({
  preview: { buckets, states },
  draft,
  onChange,
}: {
  preview: AlertPreview;
  draft: MetricDraft;
  onChange: (change: Partial<MetricDraft>) => void;
}) {
  const thresholds = (['critical', 'warning', 'resolve'] as const).flatMap((name): ThresholdLine[] => {
    const value = parseThreshold(draft[name]);
    return typeof value === 'number' ? [{ name, value }] : [];
  });
  return (
    <MeasureChart
      measure={draft.measure}
      buckets={buckets}
      states={states}
      thresholds={thresholds}
      onMove={(name, value) => onChange({ [name]: String(value) })}
    />
  );
}
