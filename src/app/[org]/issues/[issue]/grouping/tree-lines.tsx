import type { TreeLine } from '#product/grouping/compare-groupings.ts';
import { cx } from '#ui/cx.ts';

const INDENT_REM = 1;
const INDENT_FIRST_REM = 0.5;

/** Parts of a tree under each other. What not contributing is faint and crossed out, and says why. */
export function TreeLines({ lines }: { lines: readonly TreeLine[] }) {
  return (
    <ul className="min-w-fit text-xs leading-5">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat and never move
        <TreeRow key={index} line={line} />
      ))}
    </ul>
  );
}

/** `mark` stands before the line: which side it is of. */
export function TreeRow({ line, mark, className }: { line: TreeLine; mark?: string; className?: string }) {
  return (
    <li
      className={cx(
        'flex min-w-fit gap-2 whitespace-nowrap pr-2',
        line.contributes ? 'text-text' : 'text-text-faint',
        className,
      )}
      style={{ paddingLeft: `${line.depth * INDENT_REM + INDENT_FIRST_REM}rem` }}
    >
      {mark === undefined ? null : (
        <span aria-hidden className="mono w-3 shrink-0 select-none">
          {mark}
        </span>
      )}
      <span className={cx('text-text-muted', line.contributes ? null : 'line-through')}>{line.label}</span>
      {line.value === null ? null : (
        <bdi
          className={cx('mono max-w-[80ch] truncate', line.contributes ? null : 'line-through')}
          title={line.value}
        >
          {line.value}
        </bdi>
      )}
      {line.contributes ? null : <span className="sr-only">not contributing</span>}
      {line.hint ? <span className="text-text-muted italic">{line.hint}</span> : null}
    </li>
  );
}
