import { errorPosition } from './search-term.ts';

/** Why a search cannot be made, under its box. */
export function SearchError({ id, error, isAllText }: { id: string; error: string; isAllText: boolean }) {
  const position = isAllText ? errorPosition(error) : null;
  return (
    <div id={id} data-search-error role="alert" className="mt-1.5 text-danger text-xs">
      {position === null ? null : (
        // The box has the same letters above.
        <pre aria-hidden className="mono overflow-hidden pl-8.5 text-sm leading-4">
          {' '.repeat(Math.max(0, position - 1))}▲
        </pre>
      )}
      <p className="break-anything">{error}</p>
    </div>
  );
}
