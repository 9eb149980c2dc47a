'use client';

import { cx } from '#ui/cx.ts';
import { formatClock } from '#ui/format-time.ts';
import { LevelMark } from '#ui/level-badge.tsx';
import { ScrubBadges } from '../scrub-badges.tsx';
import { LateText } from '../values/late-text.tsx';
import { type BreadcrumbView, formatOffset } from './breadcrumb-filter.ts';

/** One breadcrumb with its time before the event and by the clock. `href` is where the whole of it is to be had. */
export function BreadcrumbRow({
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
        {crumb.isCut ? <LateText href={href} label="Show all" /> : null}
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
