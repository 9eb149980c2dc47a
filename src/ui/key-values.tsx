import type { ReactNode } from 'react';

export type KeyValue = { key: string; name: ReactNode; value: ReactNode };

/** Rows shown before the rest is folded. */
const ROWS_SHOWN_FIRST = 60;

/** Names and values under each other. Long lists show their beginning first. */
export function KeyValues({ rows }: { rows: readonly KeyValue[] }) {
  const first = rows.slice(0, ROWS_SHOWN_FIRST);
  const rest = rows.slice(ROWS_SHOWN_FIRST);
  return (
    <>
      <Rows rows={first} />
      {rest.length > 0 ? (
        <details>
          <summary className="w-fit rounded-sm py-2 text-accent text-xs hover:underline">
            Show {rest.length} more
          </summary>
          <Rows rows={rest} />
        </details>
      ) : null}
    </>
  );
}

function Rows({ rows }: { rows: readonly KeyValue[] }) {
  return (
    <dl className="text-sm">
      {rows.map((row) => (
        <div
          key={row.key}
          className="grid gap-x-4 border-b py-1.5 last:border-b-0 sm:grid-cols-[minmax(7rem,11rem)_minmax(0,1fr)]"
        >
          <dt className="break-anything text-text-muted text-xs leading-5">
            <bdi>{row.name}</bdi>
          </dt>
          <dd className="break-anything">{row.value}</dd>
        </div>
      ))}
    </dl>
  );
}
