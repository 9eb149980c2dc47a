import { formatExact, formatShare } from '#ui/format-number.ts';
import { Table, Td, Th, Tr } from '#ui/table.tsx';
import { OUTCOME_LOOKS, type OutcomeLook, reasonWords } from './outcome-words.ts';
import type { ReasonTotal } from './stats-view.ts';

/** Each reason with what it means and what to do about it. */
export function ReasonTable({ reasons, total }: { reasons: readonly ReasonTotal[]; total: number }) {
  if (reasons.length === 0) {
    return (
      <p className="px-4 py-8 text-center text-sm text-text-muted">Nothing of this kind came in this time.</p>
    );
  }
  return (
    <Table label="Items by reason">
      <thead>
        <tr>
          <Th>Reason</Th>
          <Th align="right">Items</Th>
          <Th align="right">Share</Th>
          <Th>What it means, and what to do</Th>
        </tr>
      </thead>
      <tbody>
        {reasons.map(({ outcome, reason, total: count }) => {
          const words = reasonWords(outcome, reason);
          const look = (OUTCOME_LOOKS as Readonly<Record<string, OutcomeLook | undefined>>)[outcome];
          return (
            <Tr key={`${outcome}/${reason}`}>
              <Td className="min-w-44 align-top">
                <span className="flex items-center gap-2 font-medium">
                  <span
                    aria-hidden
                    className="size-2.5 shrink-0 rounded-xs"
                    style={{ background: look?.color ?? 'var(--color-chart-6)' }}
                  />
                  {words.label}
                </span>
                <span className="mono block pl-[18px] text-text-muted text-xs">
                  {reason === '' ? outcome : `${outcome}: ${reason}`}
                </span>
              </Td>
              <Td align="right" className="align-top">
                {formatExact(count)}
              </Td>
              <Td align="right" className="align-top text-text-muted">
                {formatShare(count, total)}
              </Td>
              <Td className="min-w-72 align-top">
                {words.meaning} <span className="text-text-muted">{words.advice}</span>
              </Td>
            </Tr>
          );
        })}
      </tbody>
    </Table>
  );
}
