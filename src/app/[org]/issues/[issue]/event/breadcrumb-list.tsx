'use client';

import { useState } from 'react';
import { cx } from '#ui/cx.ts';
import { formatExact, formatPlural } from '#ui/format-number.ts';
import { formatClock } from '#ui/format-time.ts';
import { Input } from '#ui/input.tsx';
import { LevelMark } from '#ui/level-badge.tsx';
import { useTimeZone } from '#ui/relative-time.tsx';
import { Select } from '#ui/select.tsx';
import { type BreadcrumbView, filterBreadcrumbs, formatOffset } from './breadcrumb-view.ts';
import { ScrubBadges } from './scrub-badges.tsx';

const SHOWN_FIRST = 200;
const FILTER_FROM = 6;
const ALL = '';

/** What the program did before the event, newest first. */
export function BreadcrumbList({ crumbs, eventAt }: { crumbs: readonly BreadcrumbView[]; eventAt: number }) {
  const [text, setText] = useState('');
  const [category, setCategory] = useState(ALL);
  const [isComplete, setIsComplete] = useState(false);
  const timeZone = useTimeZone();
  const categories = [...new Set(crumbs.map((crumb) => crumb.category))].sort();
  const found = filterBreadcrumbs(crumbs, text, category === ALL ? null : category);
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
              label="Category"
              value={category}
              onValueChange={setCategory}
              options={[
                { value: ALL, label: 'All categories' },
                ...categories.map((each) => ({ value: each, label: each })),
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
      <ol className="overflow-hidden rounded-md border">
        {shown.map((crumb) => (
          <li
            key={crumb.index}
            className="grid grid-cols-[1rem_minmax(0,1fr)_auto] gap-x-2.5 border-b px-3 py-1.5 last:border-b-0 sm:grid-cols-[1rem_9rem_minmax(0,1fr)_auto]"
          >
            <LevelMark level={crumb.level} className="col-start-1 row-start-1 mt-1" />
            <bdi
              className={cx(
                'mono break-anything col-start-2 row-start-1 text-xs leading-5',
                crumb.level === 'error' || crumb.level === 'fatal' ? 'text-danger' : 'text-text-muted',
              )}
            >
              {crumb.category}
            </bdi>
            <div className="col-span-2 col-start-2 row-start-2 min-w-0 sm:col-span-1 sm:col-start-3 sm:row-start-1">
              {crumb.message ? (
                <bdi className="block whitespace-pre-wrap text-sm leading-5 [overflow-wrap:anywhere]">
                  {crumb.message}
                </bdi>
              ) : null}
              {crumb.data.length > 0 ? (
                <dl className="mono text-text-muted text-xs leading-5">
                  {crumb.data.map(([name, value]) => (
                    <div key={name} className="flex gap-2">
                      <dt className="shrink-0 text-text-faint">
                        <bdi>{name}</bdi>
                      </dt>
                      <dd className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">
                        <bdi>{value}</bdi>
                      </dd>
                    </div>
                  ))}
                </dl>
              ) : null}
              <ScrubBadges marks={crumb.marks} />
            </div>
            <span
              title={crumb.at === null ? undefined : formatClock(crumb.at, timeZone)}
              className="numbers col-start-3 row-start-1 whitespace-nowrap text-right text-text-faint text-xs leading-5 sm:col-start-4"
            >
              {formatOffset(crumb.at, eventAt)}
            </span>
          </li>
        ))}
      </ol>
      {found.length === 0 ? <p className="mt-2 text-sm text-text-muted">No breadcrumb matches.</p> : null}
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
