'use client';

import { useState } from 'react';
import { ScrubBadges } from '#app/[org]/issues/[issue]/event/scrub-marks.tsx';
import { cx } from '#ui/cx.ts';
import { Input } from '#ui/field.tsx';
import { formatExact, formatPlural } from '#ui/format-number.ts';
import { formatClock } from '#ui/format-time.ts';
import { LevelMark } from '#ui/level-badge.tsx';
import { useTimeZone } from '#ui/relative-time.tsx';
import { Select } from '#ui/select.tsx';
import { LazyText } from '../values/lazy-text.tsx';
import { type BreadcrumbView, filterBreadcrumbs, formatOffset } from './breadcrumb-view.ts';

const SHOWN_FIRST = 50;
const FILTER_FROM = 6;
const ALL = '';

/** What the program did before the event, newest first. The index of a breadcrumb is appended to `valuesHref`. */
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

/** One breadcrumb with its time before the event and by the clock. `href` has all of it. */
function BreadcrumbRow({
  crumb,
  eventAt,
  timeZone,
  href,
}: {
  crumb: BreadcrumbView;
  eventAt: number;
  timeZone: string;
  href: string;
}) {
  return (
    <li className="group/crumb relative grid grid-cols-[1rem_minmax(0,1fr)_auto] gap-x-2.5 border-b px-3 py-1.5 last:border-b-0 sm:grid-cols-[1rem_9rem_minmax(0,1fr)_auto]">
      <span
        aria-hidden
        className="absolute top-0 bottom-0 left-[1.22rem] border-l group-first/crumb:top-4 group-last/crumb:bottom-auto group-last/crumb:h-4"
      />
      <LevelMark
        level={crumb.level}
        className="relative col-start-1 row-start-1 mt-1 bg-surface ring-2 ring-surface"
      />
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
                <dt className="max-w-[40%] shrink-0 truncate text-text-faint">
                  <bdi>{name}</bdi>
                </dt>
                <dd className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        ) : null}
        {crumb.isCut ? <LazyText href={href} label="Show all" /> : null}
        <ScrubBadges marks={crumb.marks} />
      </div>
      <span className="numbers col-start-3 row-start-1 whitespace-nowrap text-right text-text-muted text-xs leading-5 sm:col-start-4">
        {formatOffset(crumb.at, eventAt)}
        {crumb.at === null ? null : (
          <time
            dateTime={new Date(crumb.at).toISOString()}
            className="block text-text-faint leading-4 max-sm:hidden"
          >
            {formatClock(crumb.at, timeZone)}
          </time>
        )}
      </span>
    </li>
  );
}
