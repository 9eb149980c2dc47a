'use client';

import { useState } from 'react';
import { formatExact, formatPlural } from '#ui/format-number.ts';
import { Input } from '#ui/input.tsx';
import { useTimeZone } from '#ui/relative-time.tsx';
import { Select } from '#ui/select.tsx';
import { type BreadcrumbView, filterBreadcrumbs } from './breadcrumb-filter.ts';
import { BreadcrumbRow } from './breadcrumb-row.tsx';

const SHOWN_FIRST = 50;
const FILTER_FROM = 6;
const ALL = '';

/** What the program did before the event, newest first. `valuesHref` ends where the place of a breadcrumb belongs. */
export function BreadcrumbList({
  crumbs,
  eventAt,
  valuesHref,
}: {
  crumbs: readonly BreadcrumbView[];
  eventAt: number;
  valuesHref: string;
}) {
  const [text, setText] = useState('');
  const [category, setCategory] = useState(ALL);
  const [level, setLevel] = useState<BreadcrumbView['level'] | typeof ALL>(ALL);
  const [isComplete, setIsComplete] = useState(false);
  const timeZone = useTimeZone();
  const categories = [...new Set(crumbs.map((crumb) => crumb.category))].sort();
  const levels = [...new Set(crumbs.map((crumb) => crumb.level))];
  const found = filterBreadcrumbs(crumbs, { text, category: category || null, level: level || null });
  const shown = isComplete ? found : found.slice(0, SHOWN_FIRST);

  return (
    <div>
      {crumbs.length >= FILTER_FROM ? (
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <Input
            type="search"
            aria-label="Filter breadcrumbs"
            placeholder="Filter"
            value={text}
            onChange={(event) => setText(event.target.value)}
            isCompact
            className="max-w-60"
          />
          {categories.length > 1 ? (
            <Select
              label="Type"
              value={category}
              onValueChange={setCategory}
              options={[
                { value: ALL, label: 'All types' },
                ...categories.map((each) => ({ value: each, label: each })),
              ]}
            />
          ) : null}
          {levels.length > 1 ? (
            <Select
              label="Level"
              value={level}
              onValueChange={setLevel}
              options={[
                { value: ALL, label: 'All levels' },
                ...levels.map((each) => ({ value: each, label: each })),
              ]}
            />
          ) : null}
          <span role="status" className="numbers text-text-muted text-xs">
            {found.length === crumbs.length
              ? formatPlural(crumbs.length, 'breadcrumb')
              : `${formatExact(found.length)} of ${formatExact(crumbs.length)}`}
          </span>
        </div>
      ) : null}
      {found.length === 0 ? (
        <p className="text-sm text-text-muted">No matching breadcrumbs.</p>
      ) : (
        <ol className="overflow-hidden rounded-md border">
          {shown.map((crumb) => (
            <BreadcrumbRow
              key={crumb.index}
              crumb={crumb}
              eventAt={eventAt}
              timeZone={timeZone}
              href={`${valuesHref}${crumb.index}`}
            />
          ))}
        </ol>
      )}
      {shown.length < found.length ? (
        <button
          type="button"
          onClick={() => setIsComplete(true)}
          className="mt-2 rounded-sm text-accent text-xs hover:underline"
        >
          Show {formatExact(found.length - shown.length)} older
        </button>
      ) : null}
    </div>
  );
}
