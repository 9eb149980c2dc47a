'use client';

import { useId, useRef } from 'react';
import { SearchBox } from '#app/[org]/search-box/search-box.tsx';
import { parseTime } from '#app/url-state.ts';
import type { MetricMeasure } from '#domain/alerts/alert-rule.ts';
import { Field, fieldIds } from '#ui/field.tsx';
import { type MeasuredDataset, measuredDataset } from './measured-datasets.ts';
import type { MetricDraft } from './rule-draft.ts';
import type { SearchPlace } from './search-field.tsx';

/** What of the dataset is measured, in its own search. */
export function MeasureSearch({
  place,
  draft: { measure, query, environment },
  problem,
  onChange,
}: {
  place: SearchPlace;
  draft: Pick<MetricDraft, 'measure' | 'query' | 'environment'>;
  problem: string | null;
  onChange: (change: { query: string }) => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { hint, placeholder } = HINTS[measuredDataset(measure)];
  const subject = searchOf(measure);
  return (
    <Field id={id} label="Filter" hint={hint}>
      <SearchBox
        key={subject}
        organizationSlug={place.organizationSlug}
        filters={{
          projects: [place.projectSlug],
          environments: environment === '' ? [] : [environment],
          time: parseTime({}),
        }}
        subject={subject}
        query={query}
        clearedQuery=""
        placeholder={placeholder}
        onSearch={(next) => onChange({ query: next })}
        error={problem}
        inputRef={input}
        field={{ id, helpId: fieldIds(id).hint }}
      />
    </Field>
  );
}

/** In which language what is measured is searched. */
export const searchOf = (measure: MetricMeasure) =>
  typeof measure === 'string' ? 'events' : measure.dataset;

const HINTS: Readonly<Record<MeasuredDataset, { hint: string; placeholder: string }>> = {
  errors: {
    hint: 'Uses the search syntax. Leave empty to include all errors.',
    placeholder: 'level:error release:latest',
  },
  sessions: {
    hint: 'Filter by release or environment. Leave empty to include all sessions.',
    placeholder: 'release:latest',
  },
  transactions: {
    hint: 'Filter by transaction, release, environment, user, or tag. Leave empty to include all transactions.',
    placeholder: 'transaction:/checkout',
  },
  spans: {
    hint: 'Filter by any attribute, as in Explore. Add is_transaction:true to measure whole transactions.',
    placeholder: 'is_transaction:true transaction:"GET /cart"',
  },
  logs: {
    hint: 'Filter by any attribute, as in Explore. Leave empty to include all logs.',
    placeholder: 'severity:error',
  },
  metrics: {
    hint: 'Name the metric, and filter by any attribute, as in Explore.',
    placeholder: 'metric.name:checkout.total',
  },
};
