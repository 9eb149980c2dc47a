import { Layers } from 'lucide-react';
import { formatPlural } from '#ui/format-number.ts';
import type { StackRow } from './fold-frames.ts';
import { FrameRow } from './frame-row.tsx';
import type { FrameView } from './frame-view.ts';

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
