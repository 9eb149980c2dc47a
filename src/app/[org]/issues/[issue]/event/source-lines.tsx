import { cx } from '#ui/cx.ts';
import { ScrollRegion } from '#ui/scroll-region.tsx';
import type { SourceLine } from './frame-view.ts';

/** Source around a call; the called line is marked. Scrolls sideways by itself. */
export function SourceLines({ lines, label }: { lines: readonly SourceLine[]; label: string }) {
  const width = Math.max(...lines.map((line) => String(line.number ?? '').length));
  return (
    <ScrollRegion label={label} className="overflow-x-auto bg-surface-sunken py-1.5">
      <ol className="mono w-max min-w-full text-xs leading-5">
        {lines.map((line, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
            key={index}
            aria-current={line.isCalled ? 'true' : undefined}
            className={cx('flex pr-4', line.isCalled && 'bg-danger-soft')}
          >
            <span
              aria-hidden
              className={cx(
                'sticky left-0 shrink-0 select-none whitespace-pre px-3 text-right',
                line.isCalled
                  ? 'bg-danger-soft font-semibold text-danger'
                  : 'bg-surface-sunken text-text-faint',
              )}
            >
              {line.isCalled ? '▶ ' : '  '}
              {String(line.number ?? '').padStart(width)}
            </span>
            <bdi className={cx('whitespace-pre', line.isCalled ? 'text-text' : 'text-text-muted')}>
              {line.text || ' '}
            </bdi>
          </li>
        ))}
      </ol>
    </ScrollRegion>
  );
}
