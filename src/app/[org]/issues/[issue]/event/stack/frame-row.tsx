import { ChevronRight, ExternalLink, TriangleAlert } from 'lucide-react';
import { cx } from '#ui/cx.ts';
import { isWebAddress } from '#ui/external-link.tsx';
import { ScrubBadges } from '../scrub-badges.tsx';
import { SourceLines } from '../source/source-lines.tsx';
import { problemAnchor } from '../source-problem/problem-link.ts';
import { type FrameProblemView, type FrameView, framePlace } from './frame-view.ts';

/** A frame; opens when there is source or variables to see. */
export function FrameRow({
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
  const look = cx(
    'flex min-h-8 items-start gap-2 px-3 py-1.5 focus-visible:-outline-offset-2',
    frame.repositoryHref && 'pr-10',
  );
  const head = <FrameHead frame={frame} place={place} hasMore={hasMore} />;
  return (
    <li className="relative border-b last:border-b-0">
      {hasMore ? (
        <details className="group/frame" open={startsOpen}>
          <summary className={cx(look, 'hover:bg-surface-hover')}>{head}</summary>
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
        <div className={look}>{head}</div>
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
