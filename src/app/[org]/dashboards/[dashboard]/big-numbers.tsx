import type { GroupedRows } from '#product/explore/rows/explored-rows.ts';
import { formatCountChange } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { formatValue, formatValueExactly } from '../../explore/rows/format-value.ts';

/** Functions over all rows, each beside the period before. */
export function BigNumbers({
  totals,
  before,
  href,
  now,
}: {
  totals: GroupedRows;
  before: GroupedRows;
  /** The rows; null on a public page. */
  href: string | null;
  now: number;
}) {
  return (
    <dl className="flex h-full flex-wrap items-center gap-x-8 gap-y-2 p-4">
      {totals.functions.map(({ name, type }, index) => {
        const value = totals.groups[0]?.values[index] ?? null;
        const earlier = before.groups[0]?.values[index] ?? null;
        const change =
          value !== null && earlier !== null && type !== 'date'
            ? formatCountChange(round(value), round(earlier))
            : null;
        const shown =
          type === 'date' && value !== null ? (
            <RelativeTime at={value} now={now} />
          ) : (
            formatValue(value, type)
          );
        return (
          <div key={name} className="flex min-w-0 flex-col-reverse">
            <dt className="mono break-anything text-text-muted text-xs">{name}</dt>
            <dd className="numbers font-semibold text-2xl" title={formatValueExactly(value, type)}>
              {href === null ? (
                shown
              ) : (
                <Link href={href} className="text-text no-underline hover:underline">
                  {shown}
                </Link>
              )}
              {change ? (
                <span className="ml-2 font-normal text-text-muted text-xs">
                  {change} from the previous period
                </span>
              ) : null}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** Enough digits for a percentage. */
const round = (value: number): number => Math.round(value * 1_000) / 1_000;
