import type { ReactNode } from 'react';
import { Panel } from '#app/shell/panel.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

/** The shape of a list with filters and a search while it loads; `children` stand between the search and the list. */
export function ListSkeleton({
  cells,
  children,
}: {
  /** Classes of the cells of a row. */
  cells: readonly string[];
  children?: ReactNode;
}) {
  return (
    <div aria-busy>
      <div className="mb-3 flex gap-2">
        {[0, 1, 2].map((filter) => (
          <Skeleton key={filter} className="h-8 w-36" />
        ))}
      </div>
      <Skeleton className="mb-3 h-9 w-full" />
      {children}
      <Panel>
        {[0, 1, 2, 3, 4, 5].map((row) => (
          <div key={row} className="flex h-14 items-center gap-6 border-b px-4 last:border-b-0">
            {cells.map((cell) => (
              <Skeleton key={cell} className={cell} />
            ))}
          </div>
        ))}
      </Panel>
    </div>
  );
}
