import { CircleAlert, Gauge, type LucideIcon, MessageSquareText, PlayCircle, Smartphone } from 'lucide-react';
import { visibleText } from '#lib/visible-text.ts';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { TabLinks } from '#ui/tabs.tsx';
import { MOMENT_KINDS, type Moment, type MomentKind } from './timeline.ts';

/** Of all kinds together. */
const MOMENTS_SHOWN_MAX = 200;

const KINDS: Readonly<Record<MomentKind, { label: string; plural: string; Icon: LucideIcon }>> = {
  error: { label: 'Error', plural: 'Errors', Icon: CircleAlert },
  feedback: { label: 'Feedback', plural: 'Feedback', Icon: MessageSquareText },
  transaction: { label: 'Transaction', plural: 'Transactions', Icon: Gauge },
  replay: { label: 'Replay', plural: 'Replays', Icon: PlayCircle },
  session: { label: 'Session', plural: 'Sessions', Icon: Smartphone },
};

/** What happened to a user, the newest first: of one kind, or of all. */
export function Timeline({
  moments,
  show,
  hrefOf,
  now,
}: {
  moments: readonly Moment[];
  /** null for all. */
  show: MomentKind | null;
  hrefOf: (kind: MomentKind | null) => string;
  now: number;
}) {
  const kinds = MOMENT_KINDS.filter((kind) => moments.some((moment) => moment.kind === kind));
  const shown = moments.filter(({ kind }) => show === null || kind === show).slice(0, MOMENTS_SHOWN_MAX);
  return (
    <Card flush id="timeline" title="Timeline">
      <div className="border-b px-4">
        <TabLinks
          label="Kinds of activity"
          tabs={[
            { href: hrefOf(null), label: 'All', isCurrent: show === null },
            ...kinds.map((kind) => ({
              href: hrefOf(kind),
              label: KINDS[kind].plural,
              isCurrent: show === kind,
            })),
          ]}
        />
      </div>
      {shown.length === 0 ? (
        <p className="px-4 py-3 text-sm text-text-muted">Nothing in the selected time range.</p>
      ) : (
        <ol aria-label="Activity">
          {shown.map((moment) => (
            <li key={`${moment.kind}-${moment.id}`} className="border-b last:border-b-0">
              <Line moment={moment} now={now} />
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

function Line({ moment: { kind, title, href, isBad, facts, at }, now }: { moment: Moment; now: number }) {
  const { label, Icon } = KINDS[kind];
  const content = (
    <>
      <span title={label} className={cx('shrink-0', isBad ? 'text-danger' : 'text-text-muted')}>
        <Icon aria-hidden className="size-4" />
        <span className="sr-only">{label}: </span>
      </span>
      <span className="min-w-0 flex-1">
        <bdi className="block truncate text-sm">{visibleText(title)}</bdi>
        <bdi className="block truncate text-text-muted text-xs">{visibleText(facts.join(' · '))}</bdi>
      </span>
      <RelativeTime at={at} now={now} className="shrink-0 text-text-muted text-xs" />
    </>
  );
  const style = 'flex items-center gap-3 px-4 py-2';
  if (href === null) return <div className={style}>{content}</div>;
  return (
    <Link
      href={href}
      className={cx(style, 'text-text no-underline transition-colors hover:bg-surface-hover')}
    >
      {content}
    </Link>
  );
}
