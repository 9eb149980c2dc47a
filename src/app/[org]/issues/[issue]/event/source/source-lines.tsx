import { ScrollRegion } from '#ui/table.tsx';
import type { DrawnLine, DrawnSource } from './draw-source.ts';

/**
 * Source around a call; the called line is marked. Scrolls sideways by itself. Lines farther away than `around` are
 * shown once a `details` beside them is open.
 */
export function SourceLines({
  source: { first, called, lines },
  label,
  around = lines.length,
}: {
  source: DrawnSource;
  label: string;
  around?: number;
}) {
  const numberAt = (index: number) => (first !== undefined && first + index > 0 ? String(first + index) : '');
  const width = Math.max(...lines.map((_, index) => numberAt(index).length));
  return (
    <ScrollRegion label={label} className="source">
      <ol>
        {lines.map((line, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
            key={index}
            data-line={`${index === called ? '▶ ' : '  '}${numberAt(index).padStart(width)}`}
            aria-current={index === called ? 'true' : undefined}
            className={Math.abs(index - called) > around ? 'far' : undefined}
          >
            <bdi>
              <Line line={line} />
            </bdi>
          </li>
        ))}
      </ol>
    </ScrollRegion>
  );
}

function Line({ line }: { line: DrawnLine }) {
  if (line.length === 0) return ' ';
  if (typeof line === 'string') return line;
  return line.map((part, index) =>
    typeof part === 'string' ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
      <span key={index} className={part[0]}>
        {part[1]}
      </span>
    ),
  );
}

export const textOf = (line: DrawnLine): string =>
  typeof line === 'string' ? line : line.map((part) => (typeof part === 'string' ? part : part[1])).join('');
