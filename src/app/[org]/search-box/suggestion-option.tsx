import type { ReactNode } from 'react';
import { visibleText } from '#lib/visible-text.ts';
import { cx } from '#ui/cx.ts';

export const LIST_CLASS =
  'absolute top-full right-0 left-0 z-30 mt-1 block max-h-80 overflow-y-auto rounded-lg border bg-surface-raised p-1 shadow-float';

/** A line of the list under a search field; what is beside the label says more about it. */
export function SuggestionOption({
  id,
  label,
  isActive,
  onChoose,
  children,
}: {
  id: string;
  label: string;
  /** Whether Enter takes it. */
  isActive: boolean;
  onChoose: () => void;
  children?: ReactNode;
}) {
  return (
    <span
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      // The field keeps the focus, so that typing goes on.
      onMouseDown={(event) => {
        event.preventDefault();
        onChoose();
      }}
      className={cx(
        'flex cursor-pointer items-baseline justify-between gap-4 rounded-md px-2.5 py-1.5 text-sm',
        isActive ? 'bg-accent-soft' : 'hover:bg-surface-hover',
      )}
    >
      <bdi className={cx('mono break-anything', children !== null && 'max-w-2/3 shrink-0')}>
        {visibleText(label)}
      </bdi>
      {children}
    </span>
  );
}
