import type { LineSeries } from '#ui/line-chart/line-paths.ts';
import { Link } from '#ui/navigation/link.tsx';

/** Which color is which line of a chart, each leading to what it counts where it has an address. */
export function ChartLegend({ lines }: { lines: readonly (LineSeries & { href?: string | null })[] }) {
  return (
    <ul aria-label="Lines of the chart" className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {lines.map(({ label, color, href }) => (
        <li key={label} className="flex min-w-0 items-center gap-1.5">
          <span aria-hidden className="size-2 shrink-0 rounded-xs" style={{ background: color }} />
          {href ? (
            <Link
              href={href}
              title={label}
              className="min-w-0 max-w-72 truncate text-text no-underline hover:underline"
            >
              <bdi>{label}</bdi>
            </Link>
          ) : (
            <bdi className="max-w-72 truncate" title={label}>
              {label}
            </bdi>
          )}
        </li>
      ))}
    </ul>
  );
}
