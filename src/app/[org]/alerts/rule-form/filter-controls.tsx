'use client';

import type { AlertFilter } from '#domain/alerts/alert-rule.ts';
import { ISSUE_PRIORITIES } from '#domain/issues/issue.ts';
import { describeMatch } from '#product/alerts/describe-alert-rule.ts';
import { LEVELS } from '#protocol/event.ts';
import {
  ALERT_ATTRIBUTES,
  type AlertAttribute,
  TEXT_MATCHES,
  type TextMatch,
} from '#protocol/event-filter.ts';
import { Input } from '#ui/field.tsx';
import { Select, type SelectOption } from '#ui/select.tsx';
import { ATTRIBUTE_NAMES } from '../alert-labels.ts';
import { type FormOptions, keyOf, peopleChoices, windowOptions } from './form-options.ts';
import { AGE_UNITS, type AgeUnit, type FilterDraft, needsValue } from './rule-draft.ts';
import { SearchField, type SearchPlace } from './search-field.tsx';

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
        placeholder={isOneOf(of.match) ? 'value, another value' : 'Value'}
        isInvalid={isInvalid}
        describedBy={problemId}
        className="min-w-40 flex-1"
      />
    ) : null;

  const select = <T extends string>(
    label: string,
    value: T,
    choices: readonly SelectOption<T>[],
    onValueChange: (value: T) => void,
  ) => <Select label={label} value={value} options={choices} onValueChange={onValueChange} />;

  switch (filter.kind) {
    case 'level':
      return (
        <>
          <span>Event level is</span>
          {select('Comparison', filter.match, LEVEL_MATCHES, (match) => set({ ...filter, match }))}
          {select('Level', filter.level, LEVEL_OPTIONS, (level) => set({ ...filter, level }))}
        </>
      );
    case 'tag':
      return (
        <>
          <span>Tag</span>
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
          {select('Comparison', filter.match, TEXT_MATCH_OPTIONS, (match) => set({ ...filter, match }))}
          {text(/^[\w.-]+$/.test(filter.key) ? filter.key : null, filter)}
        </>
      );
    case 'attribute':
      return (
        <>
          {select('Attribute', filter.attribute, ATTRIBUTE_OPTIONS, (attribute) =>
            set({ ...filter, attribute }),
          )}
          {select('Comparison', filter.match, TEXT_MATCH_OPTIONS, (match) => set({ ...filter, match }))}
          {text(SEARCH_KEYS[filter.attribute] ?? null, filter)}
        </>
      );
    case 'latest_release':
      return <span>Event is from the latest release of the project</span>;
    case 'age':
      return (
        <>
          <span>Issue is</span>
          {select('Comparison', filter.compare, AGE_COMPARISONS, (compare) => set({ ...filter, compare }))}
          {number('Age')}
          {select('Unit', unit, AGE_UNIT_OPTIONS, (next) => onChange({ ...draft, unit: next }))}
        </>
      );
    case 'times_seen':
      return (
        <>
          <span>Issue was seen at least</span>
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
          <span>{filter.kind === 'event_count' ? 'events' : 'users'} in</span>
          {select('Period', String(filter.minutes), windowOptions(filter.minutes), (minutes) =>
            set({ ...filter, minutes: Number(minutes) }),
          )}
        </>
      );
    case 'assigned':
      return (
        <>
          <span>Issue is assigned to</span>
          {select(
            'Assigned to',
            filter.to.kind === 'nobody' ? 'nobody' : keyOf(filter.to),
            [
              { value: 'nobody', label: 'no one' },
              ...peopleChoices(options).map(({ key, label, hint }) => ({ value: key, label, hint })),
            ],
            (key) =>
              set({
                ...filter,
                to: peopleChoices(options).find((choice) => choice.key === key)?.value ?? { kind: 'nobody' },
              }),
          )}
        </>
      );
    case 'category':
      return (
        <>
          <span>Issue is</span>
          {select('Issue category', filter.category, CATEGORIES, (category) => set({ ...filter, category }))}
        </>
      );
    case 'priority':
      return (
        <>
          <span>Issue priority is at least</span>
          {select('Priority', filter.atLeast, PRIORITY_OPTIONS, (atLeast) => set({ ...filter, atLeast }))}
        </>
      );
  }
}

const isOneOf = (match: TextMatch): boolean => match === 'is_one_of' || match === 'is_not_one_of';

const AGE_COMPARISONS = [
  { value: 'newer', label: 'newer than' },
  { value: 'older', label: 'older than' },
] as const;
const AGE_UNIT_OPTIONS = (Object.keys(AGE_UNITS) as AgeUnit[]).map((value) => ({ value, label: value }));
const CATEGORIES = [
  { value: 'error', label: 'an error' },
  { value: 'performance', label: 'a performance issue' },
  { value: 'feedback', label: 'user feedback' },
  { value: 'cron', label: 'a failed cron job' },
  { value: 'uptime', label: 'an outage' },
] as const;
const LEVEL_MATCHES = [
  { value: 'at_least', label: 'at least' },
  { value: 'equals', label: 'exactly' },
  { value: 'at_most', label: 'at most' },
] as const;
const TEXT_MATCH_OPTIONS = TEXT_MATCHES.map((value) => ({ value, label: describeMatch(value) }));
const ATTRIBUTE_OPTIONS = ALERT_ATTRIBUTES.map((value) => ({
  value,
  label: ATTRIBUTE_NAMES[value],
  hint: value,
}));
const LEVEL_OPTIONS = LEVELS.map((value) => ({ value, label: value }));
const PRIORITY_OPTIONS = ISSUE_PRIORITIES.map((value) => ({ value, label: value }));

/** What the search calls an attribute, to offer values of it; those that it does not know have none. */
const SEARCH_KEYS: Readonly<Partial<Record<AlertAttribute, string>>> = {
  platform: 'platform',
  environment: 'environment',
  'error.handled': 'error.handled',
  'error.unhandled': 'error.unhandled',
  'exception.type': 'error.type',
  'exception.value': 'error.value',
  'user.id': 'user.id',
  'user.email': 'user.email',
  'user.username': 'user.username',
  'user.ip_address': 'user.ip',
  'http.method': 'http.method',
  'http.url': 'http.url',
  'http.status_code': 'http.status_code',
  'sdk.name': 'sdk.name',
  'stacktrace.module': 'stack.module',
  'stacktrace.filename': 'stack.filename',
  'stacktrace.abs_path': 'stack.abs_path',
  'stacktrace.package': 'stack.package',
};
