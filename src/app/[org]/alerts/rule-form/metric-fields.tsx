'use client';

import { useId } from 'react';
import { isOfSessions, SIDES, unitOf } from '#product/measures/describe-measure.ts';
import { describeMinutes } from '#product/measures/describe-minutes.ts';
import { Field, fieldIds, Input } from '#ui/field.tsx';
import { Select } from '#ui/select.tsx';
import { windowOptions } from './form-options.ts';
import { MeasurePicker } from './measure-picker.tsx';
import { MeasureSearch } from './measure-search.tsx';
import type { MetricDraft, RuleProblems } from './rule-draft.ts';
import type { SearchPlace } from './search-field.tsx';

const WINDOWS_MINUTES = [1, 5, 10, 15, 30, 60, 120, 240, 1_440, 10_080];
/** An hour, a day and a week. */
const COMPARISONS_MINUTES = [60, 1_440, 10_080];
/** Percent of change that a comparison begins with. */
const USUAL_CHANGE = '50';

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
  const { direction, comparisonMinutes, windowMinutes } = draft;
  const isChange = comparisonMinutes !== null;
  return (
    <div className="flex flex-col gap-4">
      <MeasurePicker place={place} draft={draft} problem={problems.measure ?? null} onChange={onChange} />
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span>over</span>
        <Select
          label="Window"
          value={String(windowMinutes)}
          options={windowOptions(windowMinutes, WINDOWS_MINUTES)}
          onValueChange={(minutes) => onChange({ windowMinutes: Number(minutes) })}
        />
        <span>is</span>
        <Select
          label="Direction"
          value={direction}
          options={(['above', 'below'] as const).map((value) => ({
            value,
            label: isChange ? SIDES[value] : value,
          }))}
          onValueChange={(value) => onChange({ direction: value })}
        />
        {isChange ? <span>than</span> : null}
        <Select
          label="Compared with"
          value={isChange ? String(comparisonMinutes) : FIXED}
          options={comparisonOptions(comparisonMinutes)}
          onValueChange={(value) => onChange(comparedWith(value === FIXED ? null : Number(value), draft))}
        />
      </div>
      {isOfSessions(draft.measure) ? (
        <MinimumField draft={draft} problem={problems.minimumSessions ?? null} onChange={onChange} />
      ) : null}
      <MeasureSearch place={place} draft={draft} problem={problems.query ?? null} onChange={onChange} />
    </div>
  );
}

/** A rate of a few sessions says little. */
function MinimumField({
  draft,
  problem,
  onChange,
}: {
  draft: MetricDraft;
  problem: string | null;
  onChange: (change: Partial<MetricDraft>) => void;
}) {
  const id = useId();
  const ids = fieldIds(id);
  return (
    <Field
      id={id}
      label="Minimum sessions"
      hint={problem ? null : 'Optional. With fewer sessions in the window, the state does not change.'}
      error={problem ?? undefined}
    >
      <Input
        id={id}
        className="max-w-40"
        inputMode="numeric"
        autoComplete="off"
        value={draft.minimumSessions}
        onChange={(event) => onChange({ minimumSessions: event.target.value })}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? ids.error : ids.hint}
      />
    </Field>
  );
}

const FIXED = 'fixed';

const comparisonOptions = (chosen: number | null) => [
  { value: FIXED, label: 'a fixed threshold' },
  ...(chosen === null || COMPARISONS_MINUTES.includes(chosen)
    ? COMPARISONS_MINUTES
    : [...COMPARISONS_MINUTES, chosen]
  ).map((minutes) => ({ value: String(minutes), label: `${describeMinutes(minutes)} earlier` })),
];

/** Values of the metric say nothing about its change, so the thresholds start over. */
function comparedWith(comparisonMinutes: number | null, draft: MetricDraft): Partial<MetricDraft> {
  const isOther = (comparisonMinutes === null) !== (draft.comparisonMinutes === null);
  if (!isOther) return { comparisonMinutes };
  const critical = comparisonMinutes === null ? '' : USUAL_CHANGE;
  return { comparisonMinutes, critical, warning: '', resolve: '' };
}

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
  const isChange = draft.comparisonMinutes !== null;
  const unit = isChange ? '%' : unitOf({ measure: draft.measure });
  const lowest = draft.warning.trim() || draft.critical.trim();
  const [bad, good] = draft.direction === 'above' ? ['Above', 'Below'] : ['Below', 'Above'];
  const words: Readonly<Record<Threshold, { label: string; hint: string }>> = {
    critical: {
      label: 'Critical',
      hint: isChange
        ? `By more than this much ${SIDES[draft.direction]}, the state is critical.`
        : `${bad} this value, the state is critical.`,
    },
    warning: { label: 'Warning', hint: 'Optional. An earlier threshold.' },
    resolve: {
      label: 'Resolved',
      hint: lowest
        ? `${isChange ? 'By less than this much' : `${good} this value`}. Defaults to ${lowest}${unit === '%' || unit === '' ? '' : ' '}${unit}.`
        : `Optional. ${isChange ? 'By less than this much' : `${good} this value`}.`,
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
