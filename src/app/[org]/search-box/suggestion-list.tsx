import type { Suggestion } from '#product/search/suggest/suggest-search.ts';
import { cx } from '#ui/cx.ts';

export const SUGGESTIONS_ID = 'search-suggestions';
export const suggestionId = (index: number): string => `${SUGGESTIONS_ID}-${index}`;

/** What the search could go on with, under its field. */
export function SuggestionList({
  items,
  active,
  onChoose,
}: {
  items: readonly Suggestion[];
  /** Index of the one that Enter takes; -1 for none. */
  active: number;
  onChoose: (suggestion: Suggestion) => void;
}) {
  return (
    <div
      id={SUGGESTIONS_ID}
      role="listbox"
      aria-label="Suggestions"
      className="absolute top-full right-0 left-0 z-30 mt-1 max-h-80 overflow-y-auto rounded-lg border bg-surface-raised p-1 shadow-float"
    >
      {items.map((item, index) => (
        <div
          key={item.text}
          id={suggestionId(index)}
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          // The field keeps the focus, so that typing goes on.
          onMouseDown={(event) => {
            event.preventDefault();
            onChoose(item);
          }}
          className={cx(
            'flex cursor-pointer items-baseline justify-between gap-4 rounded-md px-2.5 py-1.5 text-sm',
            index === active ? 'bg-accent-soft' : 'hover:bg-surface-hover',
          )}
        >
          <span className="mono break-anything">{item.label}</span>
          {item.hint ? (
            <span className="shrink-0 truncate text-text-muted text-xs max-sm:hidden">{item.hint}</span>
          ) : null}
        </div>
      ))}
    </div>
  );
}
