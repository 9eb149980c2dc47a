import { ChevronRight, Crosshair, ExternalLink, Layers, TriangleAlert } from 'lucide-react';
import { ScrubBadges } from '#app/[org]/issues/[issue]/event/scrub-marks.tsx';
import { problemAnchor } from '#app/[org]/issues/[issue]/event/source-problem/source-problem-text.ts';
import { buttonClass } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { cx } from '#ui/cx.ts';
import { isWebAddress } from '#ui/external-link.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { noSourceReason } from '../event-view.ts';
import { SourceLines } from '../source/source-lines.tsx';
import { type FrameProblemView, type FrameView, framePlace } from './frame-view.ts';
import type { StackRow } from './plan-stacks.ts';

/** Rows of a list: frames, and runs of library frames behind a line that says how many. */
export function StackRows({ rows, platform }: { rows: readonly StackRow[]; platform: string }) {
  return rows.map((row) =>
    row.kind === 'frame' ? (
      <FrameRow key={row.frame.index} frame={row.frame} platform={platform} />
    ) : (
      <li key={`library-${row.frames[0]?.index}`} className="library">
        <details>
          <summary>
            <Layers aria-hidden />
            <span>{formatPlural(row.frames.length, 'library frame')}</span>
            <bdi>{librariesOf(row.frames)}</bdi>
          </summary>
          <ol>
            {row.frames.map((frame) => (
              <FrameRow key={frame.index} frame={frame} platform={platform} />
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

/** A frame; opens when there is source or variables to see. The one of the crash is open and marked from the start. */
function FrameRow({ frame, platform }: { frame: FrameView; platform: string }) {
  const place = framePlace(frame);
  const hasSource = frame.source.length > 0;
  const hasMore = hasSource || frame.variables.length > 0;
  const href = frame.repositoryHref && isWebAddress(frame.repositoryHref) ? frame.repositoryHref : null;
  const headClass = cx('frame-head', frame.isCrash ? (href ? 'pr-20 sm:pr-50' : 'pr-11') : href && 'pr-10');
  const head = <FrameHead frame={frame} place={place} />;
  return (
    <li className="frame" {...(frame.isCrash && { id: 'crash-frame' })}>
      {hasMore ? (
        <details open={frame.isCrash}>
          <summary className={headClass}>{head}</summary>
          {hasSource ? <FrameSource frame={frame} place={place} platform={platform} /> : null}
          {frame.variables.length > 0 ? <Variables variables={frame.variables} /> : null}
        </details>
      ) : (
        <div className={headClass}>{head}</div>
      )}
      {frame.isCrash ? (
        <CrashActions frame={frame} place={place} href={href} />
      ) : href ? (
        <RepositoryLink href={href} place={place} />
      ) : null}
      {frame.problem ? (
        <FrameProblem problem={frame.problem} isInApp={frame.isInApp} />
      ) : frame.isCrash && !hasSource ? (
        <p className="pr-3 pb-2 pl-[34px] text-text-muted text-xs leading-5">
          {noSourceReason(frame, platform)}
        </p>
      ) : null}
    </li>
  );
}

/** Lines before and after the crash that are shown first. */
const LINES_AROUND_CRASH = 4;

function FrameSource({ frame, place, platform }: { frame: FrameView; place: string; platform: string }) {
  const called = frame.source.findIndex((line) => line.isCalled);
  const hidden = frame.isCrash
    ? frame.source.filter((_, index) => Math.abs(index - called) > LINES_AROUND_CRASH).length
    : 0;
  return (
    <div className="frame-source">
      <SourceLines
        lines={frame.source}
        file={frame.place}
        platform={platform}
        label={`Source around ${place}`}
        around={hidden > 0 ? LINES_AROUND_CRASH : undefined}
      />
      {hidden > 0 ? (
        <details>
          <summary>
            <span>{`Show ${formatPlural(hidden, 'more line')}`}</span>
            <span>Show fewer lines</span>
          </summary>
        </details>
      ) : null}
    </div>
  );
}

/** Beside the head and not in it: what opens and closes may hold no link. */
function CrashActions({ frame, place, href }: { frame: FrameView; place: string; href: string | null }) {
  const code = frame.source.find((line) => line.isCalled)?.text.trim();
  return (
    <div className="crash-actions">
      {href ? (
        <a href={href} {...NEW_TAB} className={buttonClass({ variant: 'ghost', size: 'sm' })}>
          <ExternalLink aria-hidden className="size-3.5" />
          <span className="max-sm:sr-only">Open in repository</span>
        </a>
      ) : null}
      <CopyButton text={code ? `${place}\n${code}` : place || frame.functionName} label="Copy line" />
    </div>
  );
}

function RepositoryLink({ href, place }: { href: string; place: string }) {
  return (
    <a
      href={href}
      {...NEW_TAB}
      aria-label={`Open ${place} in the repository`}
      title="Open in the repository"
      className="absolute top-1 right-2 grid size-6 place-items-center rounded-sm text-text-muted hover:bg-surface-pressed hover:text-text"
    >
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  );
}

const NEW_TAB = { target: '_blank', rel: 'noreferrer nofollow noopener' } as const;

/** In app it leads to what to do, which is above the stack; a library without its source needs no more than a note. */
function FrameProblem({
  problem: { reason, words },
  isInApp,
}: {
  problem: FrameProblemView;
  isInApp: boolean;
}) {
  if (!isInApp) return <p className="frame-problem">{words}</p>;
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

function FrameHead({ frame, place }: { frame: FrameView; place: string }) {
  return (
    <>
      <ChevronRight aria-hidden />
      <span className={cx('frame-words', frame.isInApp && 'frame-words-in-app')}>
        <bdi>{frame.functionName}</bdi>
        {place ? (
          <>
            <span> in </span>
            <bdi {...(frame.fullPath && { title: frame.fullPath })}>{place}</bdi>
          </>
        ) : null}
        {frame.library && frame.place ? <bdi className="frame-library"> ({frame.library})</bdi> : null}
      </span>
      {frame.isCrash ? (
        <Crosshair role="img" aria-label="Crashed here" className="text-danger">
          <title>Crashed here</title>
        </Crosshair>
      ) : null}
      {frame.isScanned ? (
        <span
          title="Found by scanning the stack: it may be left over from an earlier call"
          className="mt-px shrink-0 rounded-sm border px-1.5 text-text-muted text-xs leading-[17px]"
        >
          scanned
        </span>
      ) : null}
      {frame.isInApp ? (
        <span
          className={cx(
            'frame-mark',
            // The actions of the crash frame leave no room on a phone.
            frame.isCrash && 'max-sm:sr-only',
          )}
        >
          in app
        </span>
      ) : null}
    </>
  );
}

function Variables({ variables }: { variables: FrameView['variables'] }) {
  return (
    <details open className="variables">
      <summary>
        <ChevronRight aria-hidden />
        Local variables
      </summary>
      <dl>
        {variables.map(([name, value, marks]) => (
          <div key={name}>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>
              <bdi>{value}</bdi>
              <ScrubBadges marks={marks} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
