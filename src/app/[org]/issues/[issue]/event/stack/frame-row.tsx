import { ChevronRight } from 'lucide-react';
import { cx } from '#ui/cx.ts';
import { ScrubBadges } from '../scrub-badges.tsx';
import { SourceLines } from '../source/source-lines.tsx';
import { framePlace } from './frame-place.ts';
import type { FrameView } from './frame-view.ts';

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
  const look = 'flex min-h-8 items-start gap-2 px-3 py-1.5 focus-visible:-outline-offset-2';
  if (!hasMore) {
    return (
      <li className="border-b last:border-b-0">
        <div className={look}>
          <FrameHead frame={frame} place={place} hasMore={hasMore} />
        </div>
      </li>
    );
  }
  return (
    <li className="border-b last:border-b-0">
      <details className="group/frame" open={startsOpen}>
        <summary className={cx(look, 'hover:bg-surface-hover')}>
          <FrameHead frame={frame} place={place} hasMore={hasMore} />
        </summary>
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
    </li>
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
