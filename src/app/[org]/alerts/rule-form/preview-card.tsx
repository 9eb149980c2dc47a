'use client';

import { useEffect, useState } from 'react';
import { visibleText } from '#lib/visible-text.ts';
import type { AlertPreview } from '#product/alerts/preview/alert-preview.ts';
import { BarChart } from '#ui/bar-chart.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { formatExact, formatPlural } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { askData } from '#ui/navigation/load-data.ts';
import { DataLoadError } from '#ui/navigation/navigation-errors.ts';
import { Skeleton } from '#ui/skeleton.tsx';
import { MeasureChart, type ThresholdLine } from '../measure-chart.tsx';
import { AlarmStrip } from './alarm-strip.tsx';
import { type MetricDraft, parseThreshold, type RuleDraft, readDraft } from './rule-draft.ts';
import type { SearchPlace } from './search-field.tsx';

/** What the rule would have done in the last 14 days; the thresholds of a metric rule can be dragged. */
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
        {shown ? (
          <AlarmStrip
            organizationSlug={place.organizationSlug}
            preview={shown}
            metric={
              draft.kind === 'metric'
                ? {
                    measure: draft.measure,
                    comparisonMinutes:
                      shown.before.length > 0 ? (draft.comparisonMinutes ?? undefined) : undefined,
                  }
                : null
            }
          />
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

/** How often it would have triggered: of a metric, as often as the strip below shows. */
function Headline({
  preview: { kind, firings, alarmsTotal, isEstimate, issuesTotal },
}: {
  preview: AlertPreview;
}) {
  const triggered = kind === 'issue' ? firings : alarmsTotal;
  if (triggered === 0) {
    return <p>This rule would {isEstimate ? 'probably ' : ''}not have triggered.</p>;
  }
  const about = isEstimate ? 'about ' : '';
  const changes = firings - triggered;
  return (
    <p>
      This rule would have triggered{' '}
      <strong className="numbers">
        {about}
        {formatPlural(triggered, 'time')}
      </strong>
      {kind === 'issue' ? ` for ${formatPlural(issuesTotal, 'issue')}` : ''}
      {kind === 'metric' && changes > 0
        ? `, and changed between warning and critical ${about}${formatPlural(changes, 'time')} meanwhile`
        : ''}
      .
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

/** The metric with the thresholds of the form; dragging one updates its field. */
function MetricChart({
  preview: { buckets, before, states },
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
      metric={{
        measure: draft.measure,
        direction: draft.direction,
        comparisonMinutes: before.length > 0 ? (draft.comparisonMinutes ?? undefined) : undefined,
      }}
      buckets={buckets}
      before={before}
      states={states}
      thresholds={thresholds}
      onMove={(name, value) => onChange({ [name]: String(value) })}
    />
  );
}

/** How long typing has to pause before the preview is loaded. */
const PAUSE_MS = 700;

type PreviewState = {
  /** The last preview; null before the first. */
  preview: AlertPreview | null;
  /** Why there is no preview of the current rule, as a sentence; null when there is one. */
  problem: string | null;
  /** A preview of the current rule is being loaded. */
  isPending: boolean;
};

/** Previews the rule, again after each change. */
function usePreview(
  { organizationSlug, projectSlug }: SearchPlace,
  draft: RuleDraft,
): PreviewState & { retry(): void } {
  const [state, setState] = useState<PreviewState>({ preview: null, problem: null, isPending: true });
  const [tries, setTries] = useState(0);
  const requested = questionOf(projectSlug, draft);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks the same again
  useEffect(() => {
    if (requested === null) {
      setState((before) => ({ ...before, problem: 'Complete the rule to see a preview.', isPending: false }));
      return;
    }
    const gone = new AbortController();
    setState((before) => ({ ...before, problem: null, isPending: true }));
    const timer = setTimeout(async () => {
      const found = await ask(`/${organizationSlug}/alerts/preview`, JSON.parse(requested), gone.signal);
      if (gone.signal.aborted) return;
      setState((before) => ({
        preview: found.preview ?? before.preview,
        problem: found.problem,
        isPending: false,
      }));
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [organizationSlug, requested, tries]);

  return { ...state, retry: () => setTries((before) => before + 1) };
}

/** The preview request, without recipients; null while the rule is incomplete. */
function questionOf(projectSlug: string, draft: RuleDraft): string | null {
  const anybody = { kind: 'user', userId: 'anybody' } as const;
  const read = readDraft({ ...draft, name: 'preview', owner: null, receivers: [anybody] });
  if (!read.ok) return null;
  const { environment, definition } = read.input;
  return JSON.stringify({ projectSlug, environment, definition });
}

async function ask(
  url: string,
  question: unknown,
  signal: AbortSignal,
): Promise<{ preview: AlertPreview | null; problem: string | null }> {
  try {
    return { preview: await askData<AlertPreview>(url, question, { signal }), problem: null };
  } catch (error) {
    const detail = error instanceof DataLoadError ? error.detail : null;
    return { preview: null, problem: detail ? `${detail}.` : 'Couldn’t load the preview. Try again.' };
  }
}
