'use client';

import { ChevronRight, CircleX, Clock, CornerDownRight, TriangleAlert } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { hasFailed } from '#domain/traces/has-failed.ts';
import { cx } from '#ui/cx.ts';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatPlural } from '#ui/format-number.ts';
import type { Stretch } from './critical-path.ts';
import { durationOf, type ShownSpan, skewOf } from './span-tree.ts';
import { placeIn, type TimeWindow } from './time-window.ts';
import type { WaterfallRow } from './waterfall-rows.ts';

export const ROW_HEIGHT_PX = 28;
/** Deeper rows stand no further in: their names would have no room. */
const INDENTED_MAX = 14;
const INDENT_PX = 12;

/** What rows need besides themselves. */
export type RowScene = {
  window: TimeWindow;
  colorOf: (project: string) => string;
  /** When errors happened in the span, in microseconds since the trace began. */
  errorsOf: (span: ShownSpan) => readonly number[];
  criticalOf: (span: ShownSpan) => readonly Stretch[];
  hasSeveralProjects: boolean;
};

/** The name of a row, and its bar. */
export function RowCells({
  row,
  scene,
  onToggle,
}: {
  row: WaterfallRow;
  scene: RowScene;
  onToggle: () => void;
}) {
  const name = <NameCell row={row} scene={scene} onToggle={onToggle} />;
  if (row.kind === 'gap') {
    return (
      <>
        {name}
        <Lane>
          <Bar
            scene={scene}
            startUs={row.startUs}
            endUs={row.endUs}
            className="top-1.5 h-4 border border-dashed border-border-strong"
          />
        </Lane>
      </>
    );
  }
  const spans: readonly ShownSpan[] = row.kind === 'span' ? [row.span] : row.spans;
  const [first] = spans;
  const startUs = first?.startUs ?? 0;
  const endUs = spans.reduce((last, span) => Math.max(last, span.endUs), startUs);
  const drawn = row.kind === 'span' ? spans : sampleOf(spans);
  const totalUs = spans.reduce((sum, span) => sum + durationOf(span), 0);
  const place = placeIn(scene.window, startUs, endUs);
  return (
    <>
      {name}
      <Lane>
        {drawn.map((span) => (
          <Bar
            key={span.spanId}
            scene={scene}
            startUs={span.startUs}
            endUs={span.endUs}
            color={scene.colorOf(span.project)}
            className="top-1.5 h-3.5"
          />
        ))}
        {drawn.flatMap((span) =>
          scene
            .criticalOf(span)
            .map(([fromUs, toUs]) => (
              <Bar
                key={`${span.spanId} ${fromUs}`}
                scene={scene}
                startUs={fromUs}
                endUs={toUs}
                className="top-5 z-10 h-[3px] bg-text"
              />
            )),
        )}
        {spans.flatMap((span) =>
          scene
            .errorsOf(span)
            .map((atUs) => <ErrorDot key={`${span.spanId} ${atUs}`} scene={scene} atUs={atUs} />),
        )}
        {place ? (
          <span
            className="numbers pointer-events-none absolute inset-y-0 flex items-center whitespace-nowrap px-1.5 text-text-muted text-xs"
            style={besideBar(place)}
          >
            {formatElapsed(row.kind === 'span' ? endUs - startUs : totalUs)}
          </span>
        ) : null}
      </Lane>
    </>
  );
}

/** Where there is room for the length of a bar: behind it, before it, or at its end. */
function besideBar({ left, width }: { left: number; width: number }): CSSProperties {
  const end = left + width;
  const behind = { left: `${end * 100}%` };
  if (end <= 1 - PHONE_LABEL_SHARE) return behind;
  if (left >= PHONE_LABEL_SHARE) return { right: `${(1 - left) * 100}%` };
  if (end <= 1 - LABEL_SHARE) return behind;
  if (left >= LABEL_SHARE) return { right: `${(1 - left) * 100}%` };
  return { right: `${(1 - end) * 100}%`, color: 'var(--color-on-solid)' };
}

/** What a label takes of the width, and of that of a phone. */
const LABEL_SHARE = 0.2;
const PHONE_LABEL_SHARE = 0.35;

function NameCell({ row, scene, onToggle }: { row: WaterfallRow; scene: RowScene; onToggle: () => void }) {
  const canToggle = row.kind === 'repeats' || (row.kind === 'span' && row.span.children.length > 0);
  return (
    <div
      className="flex w-[46%] shrink-0 items-center gap-1.5 overflow-hidden border-r pr-2 @3xl:w-[38%]"
      style={{ paddingLeft: 8 + Math.min(row.depth, INDENTED_MAX) * INDENT_PX }}
    >
      {canToggle ? (
        <span
          aria-hidden
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
          className="grid size-5 shrink-0 place-items-center rounded-sm text-text-muted hover:bg-surface-pressed"
        >
          <ChevronRight className={cx('size-3.5', row.isOpen && 'rotate-90')} />
        </span>
      ) : (
        <span className="size-5 shrink-0" />
      )}
      <RowName row={row} scene={scene} />
    </div>
  );
}

function RowName({ row, scene }: { row: WaterfallRow; scene: RowScene }) {
  if (row.kind === 'gap') {
    return (
      <Name icon={<Clock aria-hidden className="size-3.5 text-text-muted" />}>
        <span className="text-text-muted italic">
          No instrumentation, {formatElapsed(row.endUs - row.startUs)}
        </span>
      </Name>
    );
  }
  if (row.kind === 'repeats') {
    const [first] = row.spans;
    return (
      <Name title={`${first.op} ${first.name}`.trim()}>
        <span className="numbers rounded-sm bg-surface-pressed px-1 text-xs">{row.spans.length} ×</span>{' '}
        <Op of={first} />
        {first.name}
      </Name>
    );
  }
  const { span } = row;
  const skewUs = skewOf(span);
  const errors = scene.errorsOf(span).length;
  return (
    <Name
      title={`${span.op} ${span.name}`.trim()}
      icon={
        <>
          {scene.hasSeveralProjects && (span.isSegment || span.parent === null) ? (
            <span
              title={span.project}
              className="size-2 shrink-0 rounded-full"
              style={{ background: scene.colorOf(span.project) }}
            />
          ) : null}
          {errors > 0 ? (
            <TriangleAlert
              aria-label={formatPlural(errors, 'error')}
              className="size-3.5 shrink-0 text-danger"
            />
          ) : hasFailed(span.status) ? (
            <CircleX aria-label={`Failed: ${span.status}`} className="size-3.5 shrink-0 text-danger" />
          ) : null}
          {span.isOrphan ? (
            <CornerDownRight
              aria-label="Its parent is missing in this trace"
              className="size-3.5 shrink-0 text-warning"
            />
          ) : null}
          {skewUs > 0 ? (
            <Clock
              aria-label={`Began ${formatElapsed(skewUs)} before its parent: clocks differ`}
              className="size-3.5 shrink-0 text-warning"
            />
          ) : null}
        </>
      }
    >
      <Op of={span} />
      <span className={cx(span.isSegment && 'font-medium')}>{span.name}</span>
    </Name>
  );
}

function Name({ icon = null, title, children }: { icon?: ReactNode; title?: string; children: ReactNode }) {
  return (
    <>
      {icon}
      <bdi title={title} className="min-w-0 truncate text-xs">
        {children}
      </bdi>
    </>
  );
}

/** Where there is little room it goes to the name: on phones, and beside the details. */
const Op = ({ of: { op, name } }: { of: Pick<ShownSpan, 'op' | 'name'> }) =>
  op === '' ? null : <span className={cx('text-text-muted', name !== '' && '@max-2xl:hidden')}>{op} </span>;

function Lane({ children }: { children: ReactNode }) {
  return <div className="relative min-w-0 flex-1 overflow-hidden">{children}</div>;
}

function Bar({
  scene,
  startUs,
  endUs,
  color,
  className,
}: {
  scene: RowScene;
  startUs: number;
  endUs: number;
  color?: string;
  className?: string;
}) {
  const place = placeIn(scene.window, startUs, endUs);
  return place ? (
    <span
      aria-hidden
      className={cx('absolute min-w-0.5 rounded-xs', className)}
      style={{ left: `${place.left * 100}%`, width: `${place.width * 100}%`, background: color }}
    />
  ) : null;
}

function ErrorDot({ scene, atUs }: { scene: RowScene; atUs: number }) {
  const place = placeIn(scene.window, atUs, atUs);
  return place ? (
    <span
      aria-hidden
      className="absolute top-2 z-10 -ml-1 size-3 rounded-full border-2 border-surface-raised bg-danger"
      style={{ left: `${place.left * 100}%` }}
    />
  ) : null;
}

const BARS_MAX = 60;

/** Of many repeats some are drawn: the others would cover them. */
function sampleOf(spans: readonly ShownSpan[]): readonly ShownSpan[] {
  const step = Math.ceil(spans.length / BARS_MAX);
  return spans.filter((_, index) => index % step === 0);
}
