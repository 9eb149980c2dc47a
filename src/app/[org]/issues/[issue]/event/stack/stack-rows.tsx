'use client';

import { ChevronRight, Crosshair, ExternalLink, Layers, TriangleAlert } from 'lucide-react';
import { ScrubBadges } from '#app/[org]/issues/[issue]/event/scrub-marks.tsx';
import { buttonClass } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { cx } from '#ui/cx.ts';
import { formatPlural } from '#ui/format-number.ts';
import type { DrawnSource } from '../source/draw-source.ts';
import { SourceLines, textOf } from '../source/source-lines.tsx';
import type { DrawnFrame, DrawnRow } from './draw-rows.ts';

/** Rows of a list: frames, and runs of library frames behind a line that says how many. */
export function StackRows({ rows }: { rows: readonly DrawnRow[] }) {
  return rows.map((row) =>
    'frames' in row ? (
      <li key={`library-${row.frames[0]?.index}`} className="library">
        <details>
          <summary>
            <Layers aria-hidden />
            <span>{formatPlural(row.frames.length, 'library frame')}</span>
            <bdi>{row.libraries}</bdi>
          </summary>
          <ol>
            {row.frames.map((frame) => (
              <FrameRow key={frame.index} frame={frame} />
            ))}
          </ol>
        </details>
      </li>
    ) : (
      <FrameRow key={row.index} frame={row} />
    ),
  );
}

/** A frame; opens when there is source or variables to see. The one of the crash is open and marked from the start. */
function FrameRow({ frame }: { frame: DrawnFrame }) {
  const { isCrash = false, href, place, source, variables, problem, note } = frame;
  const headClass = cx('frame-head', isCrash ? (href ? 'pr-20 sm:pr-50' : 'pr-11') : href && 'pr-10');
  return (
    <li className="frame" id={isCrash ? 'crash-frame' : undefined}>
      {source || variables ? (
        <details open={isCrash}>
          <summary className={headClass}>
            <FrameHead frame={frame} />
          </summary>
          {source ? <FrameSource source={source} place={place} isCrash={isCrash} /> : null}
          {variables ? <Variables variables={variables} /> : null}
        </details>
      ) : (
        <div className={headClass}>
          <FrameHead frame={frame} />
        </div>
      )}
      {isCrash ? <CrashActions frame={frame} /> : href ? <RepositoryLink href={href} place={place} /> : null}
      {problem ? <FrameProblem {...problem} /> : null}
      {note ? <p className="pr-3 pb-2 pl-[34px] text-text-muted text-xs leading-5">{note}</p> : null}
    </li>
  );
}

/** Lines before and after the crash that are shown first. */
const LINES_AROUND_CRASH = 4;

function FrameSource({ source, place, isCrash }: { source: DrawnSource; place: string; isCrash: boolean }) {
  const hidden = isCrash
    ? source.lines.filter((_, index) => Math.abs(index - source.called) > LINES_AROUND_CRASH).length
    : 0;
  return (
    <div className="frame-source">
      <SourceLines
        source={source}
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
function CrashActions({ frame: { name, place, href, source } }: { frame: DrawnFrame }) {
  const code = textOf(source?.lines[source.called] ?? '').trim();
  return (
    <div className="crash-actions">
      {href ? (
        <a href={href} {...NEW_TAB} className={buttonClass({ variant: 'ghost', size: 'sm' })}>
          <ExternalLink aria-hidden className="size-3.5" />
          <span className="max-sm:sr-only">Open in repository</span>
        </a>
      ) : null}
      <CopyButton text={code ? `${place}\n${code}` : place || name} label="Copy line" />
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
function FrameProblem({ words, anchor }: NonNullable<DrawnFrame['problem']>) {
  if (!anchor) return <p className="frame-problem">{words}</p>;
  return (
    <p className="flex items-start gap-1.5 pr-3 pb-1.5 pl-[34px] text-text-muted text-xs leading-5">
      <TriangleAlert aria-hidden className="mt-1 size-3 shrink-0 text-warning" />
      <span className="min-w-0">
        {words}.{' '}
        <a href={`#${anchor}`} className="link">
          How to fix this
        </a>
      </span>
    </p>
  );
}

function FrameHead({ frame }: { frame: DrawnFrame }) {
  return (
    <>
      <ChevronRight aria-hidden />
      <span className={cx('frame-words', frame.isInApp && 'frame-words-in-app')}>
        <bdi>{frame.name}</bdi>
        {frame.place ? (
          <>
            <span> in </span>
            <bdi title={frame.path}>{frame.place}</bdi>
          </>
        ) : null}
        {frame.library ? <bdi className="frame-library">{` (${frame.library})`}</bdi> : null}
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

function Variables({ variables }: { variables: NonNullable<DrawnFrame['variables']> }) {
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
