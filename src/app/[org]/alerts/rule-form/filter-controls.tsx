'use client';

import type { AlertFilter } from '#storage/ports/alert-rules.ts';
import { Input } from '#ui/input.tsx';
import { Select } from '#ui/select.tsx';
import {
  ATTRIBUTE_OPTIONS,
  isOneOf,
  LEVEL_MATCHES,
  LEVEL_OPTIONS,
  PRIORITY_OPTIONS,
  SEARCH_KEYS,
  TEXT_MATCH_OPTIONS,
} from './filter-options.ts';
import type { FormOptions } from './form-options.ts';
import { keyOf, peopleChoices } from './people-choices.ts';
import { AGE_UNITS, type AgeUnit, type FilterDraft, needsValue } from './rule-draft.ts';
import { SearchField, type SearchPlace } from './search-field.tsx';
import { windowOptions } from './window-options.ts';

type Of<Kind extends AlertFilter['kind']> = Extract<AlertFilter, { kind: Kind }>;

/** One filter as a sentence with choices in it. */
export function FilterControls({
  place,
  options,
  draft,
  problemId,
  onChange,
}: {
  place: SearchPlace;
  options: FormOptions;
  draft: FilterDraft;
  /** Of the sentence that says what is wrong; absent when nothing is. */
  problemId: string | undefined;
  onChange: (draft: FilterDraft) => void;
}) {
  const { filter, count, unit } = draft;
  const isInvalid = problemId !== undefined;
  const set = (next: AlertFilter) => onChange({ ...draft, filter: next });
  const wrong = { 'aria-invalid': isInvalid || undefined, 'aria-describedby': problemId };
  const number = (label: string) => (
    <span className="block w-24">
      <Input
        {...wrong}
        isCompact
        inputMode="numeric"
        aria-label={label}
        value={count}
        onChange={(event) => onChange({ ...draft, count: event.target.value })}
      />
    </span>
  );
  const text = (key: string | null, of: Of<'tag'> | Of<'attribute'>) =>
    needsValue(of.match) ? (
      <SearchField
        label="Value"
        place={place}
        prefix={key === null ? null : `${key}:`}
        value={of.value}
        onChange={(value) => set({ ...of, value })}
        isList={isOneOf(of.match)}
        placeholder={isOneOf(of.match) ? 'one, another' : 'Value'}
        isInvalid={isInvalid}
        describedBy={problemId}
        className="min-w-40 flex-1"
      />
    ) : null;

  switch (filter.kind) {
    case 'level':
      return (
        <>
          <span>The level of the event is</span>
          <Select
            label="Comparison"
            value={filter.match}
            options={LEVEL_MATCHES}
            onValueChange={(match) => set({ ...filter, match })}
          />
          <Select
            label="Level"
            value={filter.level}
            options={LEVEL_OPTIONS}
            onValueChange={(level) => set({ ...filter, level })}
          />
        </>
      );
    case 'tag':
      return (
        <>
          <span>The tag</span>
          <SearchField
            label="Tag"
            place={place}
            prefix="has:"
            value={filter.key}
            onChange={(key) => set({ ...filter, key })}
            placeholder="plan"
            isInvalid={isInvalid}
            describedBy={problemId}
            className="min-w-32 flex-1"
          />
          <Select
            label="Comparison"
            value={filter.match}
            options={TEXT_MATCH_OPTIONS}
            onValueChange={(match) => set({ ...filter, match })}
          />
          {text(/^[\w.-]+$/.test(filter.key) ? filter.key : null, filter)}
        </>
      );
    case 'attribute':
      return (
        <>
          <Select
            label="Attribute"
            value={filter.attribute}
            options={ATTRIBUTE_OPTIONS}
            onValueChange={(attribute) => set({ ...filter, attribute })}
          />
          <Select
            label="Comparison"
            value={filter.match}
            options={TEXT_MATCH_OPTIONS}
            onValueChange={(match) => set({ ...filter, match })}
          />
          {text(SEARCH_KEYS[filter.attribute] ?? null, filter)}
        </>
      );
    case 'latest_release':
      return <span>The event is of the newest release of the project</span>;
    case 'age':
      return (
        <>
          <span>The issue is</span>
          <Select
            label="Comparison"
            value={filter.compare}
            options={[
              { value: 'newer', label: 'younger than' },
              { value: 'older', label: 'older than' },
            ]}
            onValueChange={(compare) => set({ ...filter, compare })}
          />
          {number('Age')}
          <Select
            label="Unit"
            value={unit}
            options={(Object.keys(AGE_UNITS) as AgeUnit[]).map((value) => ({ value, label: value }))}
            onValueChange={(next) => onChange({ ...draft, unit: next })}
          />
        </>
      );
    case 'times_seen':
      return (
        <>
          <span>The issue was seen at least</span>
          {number('Times seen')}
          <span>times</span>
        </>
      );
    case 'event_count':
    case 'user_count':
      return (
        <>
          <span>More than</span>
          {number(filter.kind === 'event_count' ? 'Events' : 'Users')}
          <span>{filter.kind === 'event_count' ? 'events' : 'users'} of the issue within</span>
          <Select
            label="Time"
            value={String(filter.minutes)}
            options={windowOptions(filter.minutes)}
            onValueChange={(minutes) => set({ ...filter, minutes: Number(minutes) })}
          />
        </>
      );
    case 'assigned':
      return (
        <>
          <span>The issue is assigned to</span>
          <Select
            label="Assigned to"
            value={filter.to.kind === 'nobody' ? 'nobody' : keyOf(filter.to)}
            options={[
              { value: 'nobody', label: 'nobody' },
              ...peopleChoices(options).map(({ key, label, hint }) => ({ value: key, label, hint })),
            ]}
            onValueChange={(key) =>
              set({
                ...filter,
                to: peopleChoices(options).find((choice) => choice.key === key)?.value ?? { kind: 'nobody' },
              })
            }
          />
        </>
      );
    case 'category':
      return (
        <>
          <span>The issue is</span>
          <Select
            label="Kind of issue"
            value={filter.category}
            options={[
              { value: 'error', label: 'an error' },
              { value: 'feedback', label: 'feedback of a user' },
            ]}
            onValueChange={(category) => set({ ...filter, category })}
          />
          {filter.category === 'feedback' ? (
            <span className="basis-full text-text-muted">Feedback makes no issues, so this fits none.</span>
          ) : null}
        </>
      );
    case 'priority':
      return (
        <>
          <span>The priority of the issue is at least</span>
          <Select
            label="Priority"
            value={filter.atLeast}
            options={PRIORITY_OPTIONS}
            onValueChange={(atLeast) => set({ ...filter, atLeast })}
          />
        </>
      );
  }
}
