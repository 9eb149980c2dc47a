import { ChevronRight, ExternalLink, Layers, TriangleAlert } from 'lucide-react';
import { ScrubBadges } from '#app/[org]/issues/[issue]/event/scrub-marks.tsx';
import { problemAnchor } from '#app/[org]/issues/[issue]/event/source-problem/source-problem-text.ts';
import { cx } from '#ui/cx.ts';
import { isWebAddress } from '#ui/external-link.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { SourceLines } from '../source/source-lines.tsx';
import { type FrameProblemView, type FrameView, framePlace } from './frame-view.ts';
import type { StackRow } from './plan-stacks.ts';

/** Rows of a list: frames, and runs of library frames behind a line that says how many. */
export function StackRows({
  rows,
  platform,
  openIndex,
}: {
  rows: readonly StackRow[];
  platform: string;
  /** Place of the frame that stands open from the start; null for none. */
  openIndex: number | null;
}) {
  return rows.map((row) =>
    row.kind === 'frame' ? (
      <FrameRow
        key={row.frame.index}
        frame={row.frame}
        platform={platform}
        startsOpen={row.frame.index === openIndex}
      />
    ) : (
      <li key={`library-${row.frames[0]?.index}`} className="border-b last:border-b-0">
        <details className="group/library">
          <summary className="flex min-h-8 items-center gap-2 bg-surface-sunken px-3 py-1 text-text-muted text-xs hover:bg-surface-hover hover:text-text focus-visible:-outline-offset-2">
            <Layers aria-hidden className="size-3.5 shrink-0" />
            <span>{formatPlural(row.frames.length, 'library frame')}</span>
            <bdi className="mono min-w-0 flex-1 truncate text-text-faint group-open/library:invisible">
              {librariesOf(row.frames)}
            </bdi>
          </summary>
          <ol className="border-t">
            {row.frames.map((frame) => (
              <FrameRow key={frame.index} frame={frame} platform={platform} startsOpen={false} />
            ))}
          </ol>
        </details>
      </li>
    ),
  );
}

const NAMES_SHOWN = 4;

function librariesOf(frames: readonly FrameView[]): string {
  const names = new Set(frames.map((frame) => frame.library || frame.place).filter(Boolean));
  return [...names].slice(0, NAMES_SHOWN).join(', ');
}

/** A frame; opens when there is source or variables to see. */
function FrameRow({
  frame,
  platform,
  startsOpen,
}: {
  frame: FrameView;
  platform: string;
  startsOpen: boolean;
}) {
  const place = framePlace(frame);
  const hasMore = frame.source.length > 0 || frame.variables.length > 0;
  const headClass = cx(
    'flex min-h-8 items-start gap-2 px-3 py-1.5 focus-visible:-outline-offset-2',
    frame.repositoryHref && 'pr-10',
  );
  const head = <FrameHead frame={frame} place={place} hasMore={hasMore} />;
  return (
    <li className="relative border-b last:border-b-0">
      {hasMore ? (
        <details className="group/frame" open={startsOpen}>
          <summary className={cx(headClass, 'hover:bg-surface-hover')}>{head}</summary>
          {frame.source.length > 0 ? (
            <div className="border-t">
              <SourceLines
                lines={frame.source}
                file={frame.place}
                platform={platform}
                label={`Source around ${place}`}
              />
            </div>
          ) : null}
          {frame.variables.length > 0 ? <Variables variables={frame.variables} /> : null}
        </details>
      ) : (
        <div className={headClass}>{head}</div>
      )}
      {frame.repositoryHref ? <RepositoryLink href={frame.repositoryHref} place={place} /> : null}
      {frame.problem ? <FrameProblem problem={frame.problem} /> : null}
    </li>
  );
}

/** Beside the head and not in it: what opens and closes may hold no link. */
function RepositoryLink({ href, place }: { href: string; place: string }) {
  if (!isWebAddress(href)) return null;
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer nofollow noopener"
      aria-label={`Open ${place} in the repository`}
      title="Open in the repository"
      className="absolute top-1 right-2 grid size-6 place-items-center rounded-sm text-text-muted hover:bg-surface-pressed hover:text-text"
    >
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  );
}

function FrameProblem({ problem: { reason, words } }: { problem: FrameProblemView }) {
  return (
    <p className="flex items-start gap-1.5 pr-3 pb-1.5 pl-[34px] text-text-muted text-xs leading-5">
      <TriangleAlert aria-hidden className="mt-1 size-3 shrink-0 text-warning" />
      <span className="min-w-0">
        {words}.{' '}
        <a href={`#${problemAnchor(reason)}`} className="text-accent underline underline-offset-2">
          How to fix this
        </a>
      </span>
    </p>
  );
}

function FrameHead({ frame, place, hasMore }: { frame: FrameView; place: string; hasMore: boolean }) {
  return (
    <>
      <ChevronRight
        aria-hidden
        className={cx(
          'mt-[3px] size-3.5 shrink-0 text-text-faint transition-transform',
          hasMore ? 'group-open/frame:rotate-90' : 'invisible',
        )}
      />
      <span className="break-anything min-w-0 flex-1 leading-5">
        <bdi className={cx('mono text-xs', frame.isInApp ? 'font-semibold text-text' : 'text-text-muted')}>
          {frame.functionName}
        </bdi>
        {place ? (
          <>
            <span className="text-text-faint text-xs"> in </span>
            <bdi
              className={cx('mono text-xs', frame.isInApp ? 'text-text' : 'text-text-muted')}
              title={frame.fullPath || undefined}
            >
              {place}
            </bdi>
          </>
        ) : null}
        {frame.library && frame.place ? (
          <bdi className="mono text-text-faint text-xs"> ({frame.library})</bdi>
        ) : null}
      </span>
      {frame.isInApp ? (
        <span className="mt-px shrink-0 rounded-sm bg-accent-soft px-1.5 text-accent text-xs leading-[18px]">
          in app
        </span>
      ) : null}
    </>
  );
}

function Variables({ variables }: { variables: FrameView['variables'] }) {
  return (
    <details open className="group/vars border-t px-4 py-2">
      <summary className="flex w-fit items-center gap-1 rounded-sm font-medium text-text-muted text-xs hover:text-text">
        <ChevronRight aria-hidden className="size-3 transition-transform group-open/vars:rotate-90" />
        Local variables
      </summary>
      <dl className="mt-1">
        {variables.map(([name, value, marks]) => (
          <div
            key={name}
            className="grid gap-x-4 border-b py-1 last:border-b-0 sm:grid-cols-[10rem_minmax(0,1fr)]"
          >
            <dt className="mono break-anything text-text-muted text-xs leading-5">
              <bdi>{name}</bdi>
            </dt>
            <dd className="mono whitespace-pre-wrap text-xs leading-5 [overflow-wrap:anywhere]">
              <bdi>{value}</bdi>
              <ScrubBadges marks={marks} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
