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
  const { text, more } = crumb;
  const isLong = text.length > CLOSED_CHARACTERS_MAX || text.includes('\n');
  const line = <Line crumb={crumb} kind={kind} eventAt={eventAt} />;
  return (
    <li>
      {more || isLong ? (
        <details>
          <summary className="crumb">{line}</summary>
          {more ? (
            <div className="pr-3 pb-2 pl-[2.125rem] sm:pl-[9.75rem]">
              <dl className="crumb-data">
                {more.data.map(([name, value]) => (
                  <div key={name}>
                    <dt>
                      <bdi>{name}</bdi>
                    </dt>
                    <dd>
                      <bdi>{value}</bdi>
                    </dd>
                  </div>
                ))}
              </dl>
              {more.isCut ? <LazyText href={href} label="Show all" /> : null}
              <ScrubBadges marks={more.marks} />
            </div>
          ) : null}
        </details>
      ) : (
        <div className="crumb">{line}</div>
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
      <span title={kind.label} className={colour}>
        {kind.icon}
      </span>
      <bdi title={crumb.category}>{crumb.category}</bdi>
      <span>
        {level ? <span className={cx('shrink-0 font-medium text-xs leading-5', colour)}>{level}</span> : null}
        <bdi className={cx('crumb-text', crumb.kind === 'http' && 'break-all')}>{crumb.text}</bdi>
        {crumb.status === '' ? null : <span className={cx('crumb-status', colour)}>{crumb.status}</span>}
      </span>
      {crumb.at === null ? (
        <span />
      ) : (
        <time
          dateTime={new Date(crumb.at).toISOString()}
          title={`${formatPoint(crumb.at, timeZone, 'day')}, ${formatClock(crumb.at, timeZone)}`}
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
