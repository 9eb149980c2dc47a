'use client';

import type { ReactNode } from 'react';
import { cx } from './cx.ts';

/** `text` is a value as it was sent. Names that repeat need a `key`. */
export type KeyValue = { key?: string; name: ReactNode } & ({ value: ReactNode } | { text: string });

/** Rows shown before the rest is collapsed. */
const ROWS_SHOWN_FIRST = 60;

/** A list of names and values; long lists are collapsed. `isNarrow` fits sidebar cards. */
export function KeyValues({ rows, isNarrow = false }: { rows: readonly KeyValue[]; isNarrow?: boolean }) {
  const first = rows.slice(0, ROWS_SHOWN_FIRST);
  const rest = rows.slice(ROWS_SHOWN_FIRST);
  return (
    <>
      <Rows rows={first} isNarrow={isNarrow} />
      {rest.length > 0 ? (
        <details>
          <summary className="w-fit rounded-sm py-2 text-accent text-xs hover:underline">
            Show {rest.length} more
          </summary>
          <Rows rows={rest} isNarrow={isNarrow} />
        </details>
      ) : null}
    </>
  );
}

function Rows({ rows, isNarrow }: { rows: readonly KeyValue[]; isNarrow: boolean }) {
  return (
    <dl className={cx('pairs', isNarrow && 'pairs-narrow')}>
      {rows.map((row) => (
        <div key={row.key ?? String(row.name)}>
          <dt>
            <bdi>{row.name}</bdi>
          </dt>
          <dd>{'text' in row ? <bdi className="value-text">{row.text}</bdi> : row.value}</dd>
        </div>
      ))}
    </dl>
  );
}
