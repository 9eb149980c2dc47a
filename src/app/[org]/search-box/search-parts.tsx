import { Fragment, type KeyboardEvent, type ReactNode } from 'react';
import { visibleText } from '#lib/visible-text.ts';
import { FilterChip, keepFocus } from './filter-chip.tsx';
import { isFilter } from './search-draft.ts';

/** A search in its box: filters are chips, texts are text, and the one that is written is a field. */
export function SearchParts({
  parts,
  fieldAt,
  field,
  problems,
  onEdit,
  onRemove,
  onFilterKey,
  onText,
}: {
  parts: readonly string[];
  /** The place of the field. */
  fieldAt: number;
  field: ReactNode;
  /** By place: why a filter cannot be searched for; null when it can. */
  problems: readonly (string | null)[];
  onEdit: (at: number, selected: 'key' | 'value') => void;
  onRemove: (at: number) => void;
  onFilterKey: (event: KeyboardEvent) => void;
  onText: (at: number) => void;
}) {
  return parts.map((part, at) => {
    if (at === fieldAt) return <Fragment key="field">{field}</Fragment>;
    if (isFilter(at)) {
      return (
        <FilterChip
          // biome-ignore lint/suspicious/noArrayIndexKey: the same filter may stand there twice
          key={at}
          text={part}
          at={at}
          problem={problems[at] ?? null}
          onEdit={(selected) => onEdit(at, selected)}
          onRemove={() => onRemove(at)}
          onKeyDown={onFilterKey}
        />
      );
    }
    return part === '' ? null : (
      <button
        // biome-ignore lint/suspicious/noArrayIndexKey: texts have nothing else that tells them apart
        key={at}
        type="button"
        tabIndex={-1}
        aria-label={`Edit text ${visibleText(part)}`}
        onMouseDown={keepFocus}
        onClick={() => onText(at)}
        className="mono max-w-full truncate text-sm"
      >
        {visibleText(part)}
      </button>
    );
  });
}
