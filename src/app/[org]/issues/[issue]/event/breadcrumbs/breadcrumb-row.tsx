'use client';

import type { ReactNode } from 'react';
import { ScrubBadges } from '#app/[org]/issues/[issue]/event/scrub-marks.tsx';
import type { BreadcrumbResult } from '#product/events/read-breadcrumb.ts';
import { cx } from '#ui/cx.ts';
import { formatClock, formatPoint } from '#ui/format-time.ts';
import { useTimeZone } from '#ui/relative-time.tsx';
import { LazyText } from '../values/lazy-text.tsx';
import { formatOffset, shownLevel } from './breadcrumb-lines.ts';
import type { BreadcrumbView } from './breadcrumb-view.ts';

/** A longer text may not fit into the line of a closed row. */
const CLOSED_CHARACTERS_MAX = 48;

/** One breadcrumb in a line, which opens where there is more than the line shows. `href` has all of it. */
export function BreadcrumbRow({
  crumb,
  kind,
  eventAt,
  href,
}: {
  crumb: BreadcrumbView;
  kind: { label: string; icon: ReactNode };
  eventAt: number;
  href: string;
}) {
  const { text, data, marks, isCut } = crumb;
  const hasMore = data.length > 0 || marks.length > 0 || isCut;
  const isLong = text.length > CLOSED_CHARACTERS_MAX || text.includes('\n');
  const line = <Line crumb={crumb} kind={kind} eventAt={eventAt} />;
  const gridClass =
    'grid grid-cols-[0.875rem_minmax(0,1fr)_auto] items-start gap-x-2.5 py-1.5 sm:grid-cols-[0.875rem_7rem_minmax(0,1fr)_auto]';
  return (
    <li className="border-b last:border-b-0">
      {hasMore || isLong ? (
        <details className="group/crumb">
          <summary
            className={cx(
              gridClass,
              'relative pr-8 pl-3 after:absolute after:top-2.5 after:right-3 after:size-1.5 after:rotate-45 after:border-text-faint after:border-t-[1.5px] after:border-r-[1.5px] hover:bg-surface-hover focus-visible:-outline-offset-2 group-open/crumb:after:rotate-[135deg]',
            )}
          >
            {line}
          </summary>
          {hasMore ? (
            <div className="pr-3 pb-2 pl-[2.125rem] sm:pl-[9.75rem]">
              <dl className="mono text-xs leading-5">
                {data.map(([name, value]) => (
                  <div key={name} className="flex gap-2">
                    <dt className="max-w-[40%] shrink-0 truncate text-text-muted">
                      <bdi>{name}</bdi>
                    </dt>
                    <dd className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">
                      <bdi>{value}</bdi>
                    </dd>
                  </div>
                ))}
              </dl>
              {isCut ? <LazyText href={href} label="Show all" /> : null}
              <ScrubBadges marks={marks} />
            </div>
          ) : null}
        </details>
      ) : (
        <div className={cx(gridClass, 'pr-8 pl-3')}>{line}</div>
      )}
    </li>
  );
}

function Line({ crumb, kind, eventAt }: Omit<Parameters<typeof BreadcrumbRow>[0], 'href'>) {
  const timeZone = useTimeZone();
  const level = shownLevel(crumb);
  const colour = COLOURS[crumb.result];
  return (
    <>
      <span title={kind.label} className={cx('pt-[3px] [&_svg]:size-3.5', colour)}>
        {kind.icon}
      </span>
      <bdi className="mono truncate text-text-muted text-xs leading-5 max-sm:sr-only" title={crumb.category}>
        {crumb.category}
      </bdi>
      <span className="flex min-w-0 items-start gap-1.5 leading-5">
        {level ? <span className={cx('shrink-0 font-medium text-xs leading-5', colour)}>{level}</span> : null}
        <bdi
          className={cx(
            'in-[summary]:line-clamp-1 in-[summary]:max-sm:line-clamp-2 min-w-0 text-sm leading-5 [overflow-wrap:anywhere] group-open/crumb:line-clamp-none group-open/crumb:whitespace-pre-wrap',
            crumb.kind === 'http' && 'break-all',
          )}
        >
          {crumb.text}
        </bdi>
        {crumb.status === '' ? null : (
          <span className={cx('numbers shrink-0 font-medium text-sm leading-5', colour)}>{crumb.status}</span>
        )}
      </span>
      {crumb.at === null ? (
        <span />
      ) : (
        <time
          dateTime={new Date(crumb.at).toISOString()}
          title={`${formatPoint(crumb.at, timeZone, 'day')}, ${formatClock(crumb.at, timeZone)}`}
          className="numbers whitespace-nowrap text-right text-text-muted text-xs leading-5"
        >
          {formatOffset(crumb.at, eventAt)}
        </time>
      )}
    </>
  );
}

const COLOURS: Readonly<Record<BreadcrumbResult, string>> = {
  neutral: 'text-text-muted',
  success: 'text-success',
  warning: 'text-warning',
  danger: 'text-danger',
};
