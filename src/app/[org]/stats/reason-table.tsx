import type { ReactNode } from 'react';
import { EXPIRED } from '#protocol/outcome.ts';
import { type DataColumn, DataTable } from '#ui/data-table.tsx';
import { formatExact, formatShare } from '#ui/format-number.ts';
import {
  EXPIRED_APPEARANCE,
  OUTCOME_APPEARANCE,
  type OutcomeAppearance,
  reasonLabel,
} from './outcome-labels.ts';
import type { ReasonLabels } from './reason-labels/reason-labels.ts';
import type { ReasonTotal } from './stats-view.ts';

/** Each reason with what it means and what to do about it. */
export function ReasonTable({ reasons, total }: { reasons: readonly ReasonTotal[]; total: number }) {
  if (reasons.length === 0) {
    return (
      <p className="px-4 py-8 text-center text-sm text-text-muted">
        No data of this category in this time range.
      </p>
    );
  }
  return (
    <DataTable
      label="Items by reason"
      columns={COLUMNS}
      rows={reasons.map((reason) => ({
        key: `${reason.outcome}/${reason.reason}`,
        cells: cellsOf(reason, total),
      }))}
    />
  );
}

const COLUMNS: readonly DataColumn[] = [
  { heading: 'Reason', className: 'sm:min-w-44' },
  { heading: 'Items', align: 'right' },
  { heading: 'Share', align: 'right', className: 'text-text-muted' },
  { heading: 'What it means and what to do', className: 'min-w-72 max-sm:hidden' },
];

function cellsOf({ outcome, reason, total: count }: ReasonTotal, total: number): readonly ReactNode[] {
  const labels = reasonLabel(outcome, reason);
  const appearance =
    outcome === EXPIRED
      ? EXPIRED_APPEARANCE
      : (OUTCOME_APPEARANCE as Readonly<Record<string, OutcomeAppearance | undefined>>)[outcome];
  return [
    <div key="reason">
      <span className="flex items-center gap-2 font-medium">
        <span
          aria-hidden
          className="size-2.5 shrink-0 rounded-xs"
          style={{ background: appearance?.color ?? 'var(--color-chart-6)' }}
        />
        {labels.label}
      </span>
      <span className="mono break-anything block pl-[18px] text-text-muted text-xs">
        {reason === '' ? outcome : `${outcome}: ${reason}`}
      </span>
      <p className="mt-1 pl-[18px] text-xs sm:hidden">
        <Meaning labels={labels} />
      </p>
    </div>,
    formatExact(count),
    outcome === EXPIRED ? '–' : formatShare(count, total),
    <Meaning key="meaning" labels={labels} />,
  ];
}

function Meaning({ labels }: { labels: ReasonLabels }) {
  return (
    <>
      <WithCode text={labels.meaning} />{' '}
      <span className="text-text-muted">
        <WithCode text={labels.advice} />
      </span>
    </>
  );
}

/** A text in which code stands between backticks. */
function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code key={part} className="mono text-xs">
        {part}
      </code>
    ),
  );
}
