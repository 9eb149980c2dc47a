import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { visibleData, visibleStart } from '#lib/visible-text.ts';
import { getServices } from '#product/services.ts';
import {
  openSharedIssue,
  type SharedException,
  type SharedFrame,
} from '#product/sharing/open-shared-issue.ts';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { formatExact } from '#ui/format-number.ts';
import { formatUtcDay } from '#ui/format-time.ts';
import { Logo } from '#ui/logo.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

type Props = { params: Promise<{ token: string }> };

const load = cache(async (token: string) => visibleData(await openSharedIssue(getServices(), token)));

/** Search engines pass by, and no site is told where its visitor came from. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const shared = await load((await params).token);
  return {
    title: shared ? visibleStart(shared.title, 120) : 'Not found',
    robots: { index: false, follow: false, nocache: true },
    referrer: 'no-referrer',
  };
}

/** One issue for everybody who has the address: what was chosen to be shown, and nothing of the organization's pages. */
export default async function SharedIssuePage({ params }: Props) {
  const shared = await load((await params).token);
  if (!shared) notFound();
  const now = getServices().now();
  const facts: readonly [string, React.ReactNode][] = [
    ['Events', formatExact(shared.timesSeen)],
    ['First seen', <RelativeTime key="first" at={shared.firstSeen} now={now} />],
    ['Last seen', <RelativeTime key="last" at={shared.lastSeen} now={now} />],
    ['Shared until', formatUtcDay(shared.expiresAt)],
  ];
  return (
    <main className="mx-auto w-full max-w-[960px] px-4 py-8 sm:px-6">
      <p className="mb-6 flex items-center gap-2 text-sm text-text-muted">
        <Logo className="size-5" />
        An issue that was shared with you
      </p>
      <header className="mb-5">
        <h1 className="break-anything font-semibold text-lg leading-snug sm:text-xl">
          <bdi>{shared.title}</bdi>
        </h1>
        {shared.type === null ? null : (
          <p className="mono break-anything mt-1.5 text-text-muted text-xs">
            <bdi>{shared.type}</bdi>
          </p>
        )}
      </header>
      <dl className="mb-5 grid grid-cols-2 gap-x-4 gap-y-2.5 rounded-lg border bg-surface-raised px-4 py-3 text-sm sm:grid-cols-4">
        {facts.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-text-muted text-xs">{label}</dt>
            <dd className="break-anything numbers">{value}</dd>
          </div>
        ))}
      </dl>
      {shared.exceptions.length > 0 ? (
        <SharedStack exceptions={shared.exceptions} />
      ) : (
        <Card>
          <p className="text-sm text-text-muted">There is no stack trace to show.</p>
        </Card>
      )}
    </main>
  );
}

/** Exceptions, the outermost first, each with its calls, the innermost first. */
function SharedStack({ exceptions }: { exceptions: readonly SharedException[] }) {
  return (
    <div className="space-y-4">
      {exceptions.toReversed().map((exception, index) => (
        <Card
          // biome-ignore lint/suspicious/noArrayIndexKey: the exceptions of one event keep their places
          key={index}
          flush
          id={`exception-${index}`}
          title={
            <span className="break-anything">
              <bdi>{exception.type ?? 'Stack trace'}</bdi>
            </span>
          }
        >
          {exception.frames.length === 0 ? (
            <p className="px-4 py-3 text-sm text-text-muted">No calls were sent.</p>
          ) : (
            <ol className="divide-y">
              {exception.frames.toReversed().map((frame, position) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the calls of one stack keep their places
                <Frame key={position} frame={frame} />
              ))}
            </ol>
          )}
        </Card>
      ))}
    </div>
  );
}

function Frame({ frame }: { frame: SharedFrame }) {
  const file = frame.filename ?? frame.module ?? '(unknown place)';
  const place = [file, frame.lineNumber, frame.columnNumber].filter((part) => part !== null).join(':');
  return (
    <li className={cx('px-4 py-2 text-sm', frame.isInApp ? undefined : 'text-text-muted')}>
      <p className="break-anything">
        <bdi className={cx('mono text-xs', frame.isInApp && 'font-semibold')}>
          {frame.function ?? '(anonymous)'}
        </bdi>{' '}
        <bdi className="mono text-text-muted text-xs">{place}</bdi>
      </p>
      {frame.contextLine ? (
        <pre className="mono mt-1 overflow-x-auto whitespace-pre-wrap rounded-sm bg-surface-sunken px-2 py-1 text-xs">
          {frame.contextLine}
        </pre>
      ) : null}
    </li>
  );
}
