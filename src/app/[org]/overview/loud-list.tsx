import { visibleText } from '#lib/visible-text.ts';
import { Card } from '#ui/card.tsx';
import { formatCount, formatPlural } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';

/** What was loudest, with how much it was of each. */
export function LoudList({
  id,
  title,
  unit,
  empty,
  rows,
}: {
  id: string;
  title: string;
  /** One of what is counted. */
  unit: string;
  /** What it means that there are none. */
  empty: string;
  /** The loudest first; `hint` stands beside the name. */
  rows: readonly { href: string; name: string; hint: string; count: number }[];
}) {
  return (
    <Card flush id={id} title={title}>
      {rows.length === 0 ? (
        <p className="px-4 py-3 text-sm text-text-muted">{empty}</p>
      ) : (
        <ul className="divide-y">
          {rows.map(({ href, name, hint, count }) => (
            <li key={href} className="flex items-baseline gap-3 px-4 py-2.5 text-sm">
              <Link href={href} className="min-w-0 flex-1 truncate text-text no-underline hover:underline">
                <bdi>{visibleText(name)}</bdi>
              </Link>
              <span className="text-text-muted text-xs">{hint}</span>
              <span className="numbers" title={formatPlural(count, unit)}>
                {formatCount(count)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
