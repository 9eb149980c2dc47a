import type { LineSeries } from '#ui/line-chart/line-paths.ts';

/** Which color is which line of a chart. */
export function ChartLegend({ lines }: { lines: readonly LineSeries[] }) {
  return (
    <ul aria-label="Lines of the chart" className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {lines.map(({ label, color }) => (
        <li key={label} className="flex min-w-0 items-center gap-1.5">
          <span aria-hidden className="size-2 shrink-0 rounded-xs" style={{ background: color }} />
          <bdi className="max-w-72 truncate">{label}</bdi>
        </li>
      ))}
    </ul>
  );
}
