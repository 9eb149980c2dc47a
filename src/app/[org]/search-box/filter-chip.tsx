import { X } from 'lucide-react';
import type { KeyboardEvent, MouseEvent } from 'react';
import { cx } from '#ui/cx.ts';
import { filterText } from './filter-text.ts';
import { readFilterWord } from './split-search.ts';

/** Finds the chip of a part of the draft. */
export const PART_ATTRIBUTE = 'data-part';

/** The focus stays in the field until the click says where it goes. */
export const keepFocus = (event: MouseEvent): void => event.preventDefault();

/** A filter within the search box: a click edits its value, or its key. The arrow keys lead there, so Tab passes by. */
export function FilterChip({
  text,
  at,
  problem,
  onEdit,
  onRemove,
  onKeyDown,
}: {
  /** As in the search. */
  text: string;
  /** Its place in the draft. */
  at: number;
  /** Why the filter cannot be searched for; null when it can. */
  problem: string | null;
  onEdit: (selected: 'key' | 'value') => void;
  onRemove: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}) {
  const filter = readFilterWord(text);
  const { key, verb, value } = filter ? filterText(filter) : { key: '', verb: '', value: text };
  const label = [key, verb, value].filter((part) => part !== '').join(' ');
  return (
    <span
      className={cx(
        'inline-flex h-6.5 min-w-0 max-w-full items-center rounded-md border text-xs outline-accent-line has-[[data-part]:focus-visible]:outline-2',
        problem === null ? 'bg-surface-sunken' : 'border-danger bg-danger-soft',
      )}
    >
      <button
        type="button"
        tabIndex={-1}
        {...{ [PART_ATTRIBUTE]: at }}
        aria-label={`Edit filter ${label}${problem === null ? '' : `, invalid: ${problem}`}`}
        title={problem ?? label}
        onMouseDown={keepFocus}
        onClick={({ target }) => onEdit((target as Element).closest('[data-key]') ? 'key' : 'value')}
        onKeyDown={onKeyDown}
        className="mono flex h-full min-w-0 items-center gap-1.5 pl-2 outline-none"
      >
        {key === '' ? null : (
          <bdi data-key className="truncate text-text-muted">
            {key}
          </bdi>
        )}{' '}
        <span className={cx('shrink-0', filter?.isNegated ? 'font-medium' : 'text-text-muted')}>{verb}</span>{' '}
        <bdi className="max-w-72 truncate font-medium">{value}</bdi>
      </button>
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Remove filter ${label}`}
        onMouseDown={keepFocus}
        onClick={onRemove}
        className="grid size-6 shrink-0 place-items-center rounded-md text-text-muted hover:bg-surface-hover hover:text-text"
      >
        <X aria-hidden className="size-3" />
      </button>
    </span>
  );
}
