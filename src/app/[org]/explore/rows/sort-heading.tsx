import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from '#ui/navigation/link.tsx';
import { Th } from '#ui/table.tsx';

/** The heading of a column that sorts its table. */
export function SortHeading({
  name,
  sort,
  hrefOf,
  isNumber,
  isLargestFirst = isNumber,
  title,
  children,
}: {
  /** As it stands in `sort`. */
  name: string;
  /** The order of the table: a name, with - in front for descending. */
  sort: string;
  hrefOf: (sort: string) => string;
  isNumber: boolean;
  /** How a column is sorted at first: names from the beginning, the rest from the top. */
  isLargestFirst?: boolean;
  title?: string;
  children: ReactNode;
}) {
  const isCurrent = sort.replace(/^-/, '') === name;
  const isDescending = sort.startsWith('-');
  const Arrow = isDescending ? ArrowDown : ArrowUp;
  const next = isCurrent ? !isDescending : isLargestFirst;
  return (
    <Th
      align={isNumber ? 'right' : 'left'}
      aria-sort={isCurrent ? (isDescending ? 'descending' : 'ascending') : undefined}
    >
      <Link
        href={hrefOf(`${next ? '-' : ''}${name}`)}
        title={title}
        className="inline-flex items-center gap-1 text-text-muted no-underline hover:underline"
      >
        {children}
        {isCurrent ? <Arrow aria-hidden className="size-3" /> : null}
      </Link>
    </Th>
  );
}
