'use client';

import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import type { AlertFilter, IssueAlert } from '#domain/alerts/alert-rule.ts';
import { Button } from '#ui/button.tsx';
import { FieldProblem } from '#ui/field.tsx';
import { Menu, MenuItem } from '#ui/menu.tsx';
import { Select } from '#ui/select.tsx';
import { FILTER_NAMES } from '../alert-labels.ts';
import { FilterControls } from './filter-controls.tsx';
import type { FormOptions } from './form-options.ts';
import { draftOfFilter, type FilterDraft, type RuleProblems } from './rule-draft.ts';
import type { SearchPlace } from './search-field.tsx';

/** The same as in the product. */
const FILTERS_MAX = 30;

const MATCHES = [
  { value: 'all', label: 'all' },
  { value: 'any', label: 'any' },
  { value: 'none', label: 'none' },
] as const satisfies readonly { value: IssueAlert['filterMatch']; label: string }[];

const BLANK: Readonly<Record<AlertFilter['kind'], AlertFilter>> = {
  level: { kind: 'level', match: 'at_least', level: 'error' },
  tag: { kind: 'tag', key: '', match: 'equals', value: '' },
  attribute: { kind: 'attribute', attribute: 'message', match: 'contains', value: '' },
  latest_release: { kind: 'latest_release' },
  event_count: { kind: 'event_count', above: 100, minutes: 60 },
  user_count: { kind: 'user_count', above: 50, minutes: 60 },
  times_seen: { kind: 'times_seen', atLeast: 10 },
  age: { kind: 'age', compare: 'newer', minutes: 1_440 },
  priority: { kind: 'priority', atLeast: 'high' },
  assigned: { kind: 'assigned', to: { kind: 'nobody' } },
  category: { kind: 'category', category: 'error' },
};
const KINDS = Object.keys(BLANK) as AlertFilter['kind'][];

/** The filters of a rule, and how many of them must match. */
export function FilterList({
  place,
  options,
  filters,
  filterMatch,
  problems,
  onChange,
}: {
  place: SearchPlace;
  options: FormOptions;
  filters: readonly FilterDraft[];
  filterMatch: IssueAlert['filterMatch'];
  problems: RuleProblems;
  onChange: (change: { filters?: readonly FilterDraft[]; filterMatch?: IssueAlert['filterMatch'] }) => void;
}) {
  const replace = (changed: FilterDraft) =>
    onChange({ filters: filters.map((each) => (each.id === changed.id ? changed : each)) });
  return (
    <div className="flex flex-col gap-3">
      {filters.length === 0 ? (
        <p className="text-sm text-text-muted">All issues match. Add filter to narrow it down.</p>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-2 text-sm">
            <Select
              label="How many filters must match"
              value={filterMatch}
              options={MATCHES}
              onValueChange={(next) => onChange({ filterMatch: next })}
            />
            <span>of these {filterMatch === 'none' ? 'is' : 'are'} true</span>
          </div>
          <ul aria-label="Filters" className="flex flex-col gap-2">
            {filters.map((draft, index) => (
              <FilterRow
                key={draft.id}
                place={place}
                options={options}
                draft={draft}
                number={index + 1}
                problem={problems[`filters.${index}`]}
                onChange={replace}
                onRemove={() => onChange({ filters: filters.filter(({ id }) => id !== draft.id) })}
              />
            ))}
          </ul>
        </>
      )}
      <div>
        <Menu
          trigger={
            <Button disabled={filters.length >= FILTERS_MAX}>
              <Plus aria-hidden className="size-3.5" />
              Add filter
            </Button>
          }
        >
          {KINDS.map((kind) => (
            <MenuItem
              key={kind}
              onSelect={() => onChange({ filters: [...filters, draftOfFilter(BLANK[kind], newId())] })}
            >
              {FILTER_NAMES[kind]}
            </MenuItem>
          ))}
        </Menu>
      </div>
    </div>
  );
}

function FilterRow({
  place,
  options,
  draft,
  number,
  problem,
  onChange,
  onRemove,
}: {
  place: SearchPlace;
  options: FormOptions;
  draft: FilterDraft;
  number: number;
  problem: string | undefined;
  onChange: (draft: FilterDraft) => void;
  onRemove: () => void;
}) {
  const problemId = useId();
  return (
    <li className="rounded-md border bg-surface px-3 py-2">
      <div className="flex items-start gap-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2 text-sm">
          <FilterControls
            place={place}
            options={options}
            draft={draft}
            problemId={problem ? problemId : undefined}
            onChange={onChange}
          />
        </div>
        <Button
          variant="ghost"
          size="sm"
          iconOnly
          aria-label={`Remove filter ${number}`}
          title="Remove filter"
          onClick={onRemove}
        >
          <X aria-hidden className="size-3.5" />
        </Button>
      </div>
      {problem ? (
        <div className="mt-1.5">
          <FieldProblem id={problemId}>{problem}</FieldProblem>
        </div>
      ) : null}
    </li>
  );
}

let made = 0;
function newId(): string {
  made += 1;
  return `new-${made}`;
}
