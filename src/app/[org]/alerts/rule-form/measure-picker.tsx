'use client';

import { useId } from 'react';
import type { RowMeasure } from '#domain/alerts/alert-rule.ts';
import { describeMeasure } from '#product/measures/describe-measure.ts';
import { FieldProblem } from '#ui/field.tsx';
import { Select } from '#ui/select.tsx';
import { searchOf } from './measure-search.tsx';
import {
  DATASET_LABELS,
  firstMeasure,
  functionsOf,
  MEASURED_DATASETS,
  measuredDataset,
  namedMeasures,
  partsOf,
  takesField,
  withFunction,
} from './measured-datasets.ts';
import type { MetricDraft } from './rule-draft.ts';
import { SearchField, type SearchPlace } from './search-field.tsx';

/** What is measured: a measure with a name, or a function over the rows of a dataset. */
export function MeasurePicker({
  place,
  draft: { measure },
  problem,
  onChange,
}: {
  place: SearchPlace;
  draft: Pick<MetricDraft, 'measure'>;
  problem: string | null;
  onChange: (change: Partial<Pick<MetricDraft, 'measure' | 'query'>>) => void;
}) {
  const id = useId();
  const dataset = measuredDataset(measure);
  const choose = (next: MetricDraft['measure']) =>
    // A search of another dataset means nothing here.
    onChange(searchOf(next) === searchOf(measure) ? { measure: next } : { measure: next, query: '' });
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <Select
          label="Dataset"
          value={dataset}
          options={MEASURED_DATASETS.map((value) => ({ value, label: DATASET_LABELS[value] }))}
          onValueChange={(value) => {
            if (value !== dataset) choose(firstMeasure(value));
          }}
        />
        {typeof measure === 'string' ? (
          <Select
            label="Metric"
            value={measure}
            options={namedMeasures(dataset).map((value) => ({ value, label: describeMeasure(value) }))}
            onValueChange={choose}
          />
        ) : (
          <FunctionFields
            place={place}
            measure={measure}
            problemId={problem === null ? null : `${id}-problem`}
            onChange={choose}
          />
        )}
      </div>
      {problem === null ? null : <FieldProblem id={`${id}-problem`}>{problem}</FieldProblem>}
    </div>
  );
}

function FunctionFields({
  place,
  measure,
  problemId,
  onChange,
}: {
  place: SearchPlace;
  measure: RowMeasure;
  /** Of the text that says what is wrong; null when nothing is. */
  problemId: string | null;
  onChange: (measure: RowMeasure) => void;
}) {
  const { name, argument } = partsOf(measure);
  const names = functionsOf(measure.dataset);
  const write = (text: string) => onChange({ ...measure, function: `${name}(${text})` });
  return (
    <>
      <Select
        label="Function"
        value={name}
        options={(names.includes(name) ? names : [...names, name]).map((value) => ({ value, label: value }))}
        onValueChange={(value) => onChange(withFunction(measure, value))}
      />
      {takesField(name) ? (
        <>
          <span>of</span>
          <SearchField
            label="Field"
            place={place}
            subject={measure.dataset}
            prefix="has:"
            value={argument}
            onChange={write}
            placeholder="attribute"
            isInvalid={problemId !== null}
            describedBy={problemId ?? undefined}
            className="w-64 max-w-full"
          />
        </>
      ) : name === 'apdex' ? (
        <>
          <span>with a threshold of</span>
          <SearchField
            label="Apdex threshold in milliseconds"
            place={place}
            prefix={null}
            value={argument}
            onChange={write}
            placeholder="300"
            isInvalid={problemId !== null}
            describedBy={problemId ?? undefined}
            className="w-24"
          />
          <span>ms</span>
        </>
      ) : null}
    </>
  );
}
