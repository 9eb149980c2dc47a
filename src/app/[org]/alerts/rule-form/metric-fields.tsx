'use client';

import { useId, useRef } from 'react';
import { SearchBox } from '#app/[org]/search-box/search-box.tsx';
import { parseTime } from '#app/url-state.ts';
import { ALERT_MEASURES } from '#domain/alerts/alert-kinds.ts';
import { describeMeasure } from '#product/alerts/describe-alert-rule.ts';
import { Field, fieldIds, Input } from '#ui/field.tsx';
import { Select } from '#ui/select.tsx';
import { UNITS } from '../alert-labels.ts';
import { windowOptions } from './form-options.ts';
import type { MetricDraft, RuleProblems } from './rule-draft.ts';
import type { SearchPlace } from './search-field.tsx';

const WINDOWS_MINUTES = [1, 5, 10, 15, 30, 60, 120, 240, 1_440, 10_080];
const MEASURE_OPTIONS = ALERT_MEASURES.map((value) => ({ value, label: describeMeasure(value) }));

export function MeasureFields({
  place,
  draft,
  problems,
  onChange,
}: {
  place: SearchPlace;
  draft: MetricDraft;
  problems: RuleProblems;
  onChange: (change: Partial<MetricDraft>) => void;
}) {
  const queryId = useId();
  const query = useRef<HTMLInputElement>(null);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <Select
          label="Metric"
          value={draft.measure}
          options={MEASURE_OPTIONS}
          onValueChange={(measure) => onChange({ measure })}
        />
        <span>over</span>
        <Select
          label="Window"
          value={String(draft.windowMinutes)}
          options={windowOptions(draft.windowMinutes, WINDOWS_MINUTES)}
          onValueChange={(minutes) => onChange({ windowMinutes: Number(minutes) })}
        />
        <span>is</span>
        <Select
          label="Direction"
          value={draft.direction}
          options={[
            { value: 'above', label: 'above' },
            { value: 'below', label: 'below' },
          ]}
          onValueChange={(direction) => onChange({ direction })}
        />
        <span>a threshold</span>
      </div>
      <Field id={queryId} label="Filter" hint={QUERY_HINTS[draft.measure]}>
        <SearchBox
          organizationSlug={place.organizationSlug}
          filters={{
            projects: [place.projectSlug],
            environments: draft.environment === '' ? [] : [draft.environment],
            time: parseTime({}),
          }}
          subject="events"
          query={draft.query}
          clearedQuery=""
          placeholder="level:error release:latest"
          onSearch={(query) => onChange({ query })}
          error={problems.query ?? null}
          inputRef={query}
          field={{ id: queryId, helpId: fieldIds(queryId).hint }}
        />
      </Field>
    </div>
  );
}

const QUERY_HINTS: Readonly<Record<MetricDraft['measure'], string>> = {
  events: 'Uses the search syntax. Leave empty to include all errors.',
  users: 'Uses the search syntax. Leave empty to include all errors.',
  crash_free_sessions: 'Filter by release or environment. Leave empty to include all sessions.',
  crash_free_users: 'Filter by release or environment. Leave empty to include all sessions.',
  failure_rate:
    'Filter by transaction, release, environment, user, or tag. Leave empty to include all transactions.',
};

const THRESHOLDS = ['critical', 'warning', 'resolve'] as const;
export type Threshold = (typeof THRESHOLDS)[number];

/** The thresholds of a metric rule; the chart moves the same values. */
export function ThresholdFields({
  draft,
  problems,
  onChange,
}: {
  draft: MetricDraft;
  problems: RuleProblems;
  onChange: (change: Partial<MetricDraft>) => void;
}) {
  const id = useId();
  const unit = UNITS[draft.measure];
  const lowest = draft.warning.trim() || draft.critical.trim();
  const [bad, good] = draft.direction === 'above' ? ['Above', 'Below'] : ['Below', 'Above'];
  const words: Readonly<Record<Threshold, { label: string; hint: string }>> = {
    critical: { label: 'Critical', hint: `${bad} this value, the state is critical.` },
    warning: { label: 'Warning', hint: 'Optional. An earlier threshold.' },
    resolve: {
      label: 'Resolved',
      hint: lowest
        ? `${good} this value. Defaults to ${lowest}${unit === '%' ? '' : ' '}${unit}.`
        : `Optional. ${good} this value.`,
    },
  };
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {THRESHOLDS.map((threshold) => {
        const problem = problems[threshold];
        const ids = fieldIds(`${id}-${threshold}`);
        return (
          <Field
            key={threshold}
            id={`${id}-${threshold}`}
            label={
              <span className="flex items-center gap-1.5">
                <span aria-hidden className={`size-2 rounded-full ${DOTS[threshold]}`} />
                {words[threshold].label}
              </span>
            }
            hint={problem ? null : words[threshold].hint}
            error={problem}
          >
            <span className="flex items-center gap-2">
              <Input
                id={`${id}-${threshold}`}
                inputMode="decimal"
                autoComplete="off"
                value={draft[threshold]}
                onChange={(event) => onChange({ [threshold]: event.target.value })}
                aria-invalid={problem ? true : undefined}
                aria-describedby={problem ? ids.error : ids.hint}
              />
              <span className="shrink-0 text-sm text-text-muted">{unit}</span>
            </span>
          </Field>
        );
      })}
    </div>
  );
}

const DOTS: Readonly<Record<Threshold, string>> = {
  critical: 'bg-danger',
  warning: 'bg-warning',
  resolve: 'bg-success',
};
