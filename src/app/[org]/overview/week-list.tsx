import { visibleText } from '#lib/visible-text.ts';
import { Card } from '#ui/card.tsx';
import { Link } from '#ui/navigation/link.tsx';

/** Things of a week, the first of them most worth a look. */
export function WeekList({
  id,
  title,
  empty,
  rows,
}: {
  id: string;
  title: string;
  /** What it means that there are none. */
  empty: string;
  /** `hint` stands beside the name, `value` at the end with its meaning as `valueTitle`. */
  rows: readonly { href: string; name: string; hint: string; value?: string; valueTitle?: string }[];
}) {
  return (
    <Card flush id={id} title={title}>
      {rows.length === 0 ? (
        <p className="px-4 py-3 text-sm text-text-muted">{empty}</p>
      ) : (
        <ul className="divide-y">
          {rows.map(({ href, name, hint, value, valueTitle }) => (
            <li key={href} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2.5 text-sm">
              <Link href={href} className="min-w-32 flex-1 truncate text-text no-underline hover:underline">
                <bdi>{visibleText(name)}</bdi>
              </Link>
              <span className="break-anything text-text-muted text-xs">{visibleText(hint)}</span>
              {value === undefined ? null : (
                <span className="numbers" title={valueTitle}>
                  {value}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
