'use client';

import { Grip, Plus, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { WidgetQuery } from '#domain/dashboards/dashboard.ts';
import { WIDGET_QUERIES_MAX } from '#domain/dashboards/widget-choices.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { TextField } from '#ui/field.tsx';

/** A query while it is edited, under a number that it keeps in every place. */
type Row = WidgetQuery & { key: number };

/**
 * The queries of a chart, in the order of their lines. With several, each is moved by its handle: by pointer, or with the
 * arrow keys.
 */
export function QueryFields({
  queries,
  hint,
  placeholder,
  onChange,
}: {
  /** As they are at first. */
  queries: readonly WidgetQuery[];
  hint: string;
  /** An example of a search. */
  placeholder: string;
  onChange: (queries: readonly WidgetQuery[]) => void;
}) {
  const id = useId();
  const [rows, setRows] = useState<readonly Row[]>(() => queries.map((query, key) => ({ ...query, key })));
  const nextKey = useRef(queries.length);
  const [dragged, setDragged] = useState<number | null>(null);
  const [said, say] = useState('');
  const isSeveral = rows.length > 1;
  const idOf = (part: string, key: number | undefined) => `${id}-${part}-${key}`;

  /** What has the focus then is where a keyboard goes on. */
  function replace(next: readonly Row[], focused: string | null) {
    flushSync(() => {
      setRows(next);
      onChange(next.map(({ query, alias }) => ({ query, alias })));
    });
    if (focused !== null) document.getElementById(focused)?.focus();
  }

  function move(key: number, by: number) {
    const from = rows.findIndex((row) => row.key === key);
    const to = Math.max(0, Math.min(rows.length - 1, from + by));
    const row = rows[from];
    if (!row || to === from) return;
    replace(rows.toSpliced(from, 1).toSpliced(to, 0, row), idOf('handle', key));
    say(`Query ${from + 1} is now query ${to + 1} of ${rows.length}`);
  }

  function add() {
    const key = nextKey.current++;
    replace([...rows, { key, query: '', alias: '' }], idOf('search', key));
  }

  function remove(key: number) {
    const at = rows.findIndex((row) => row.key === key);
    const left = rows.filter((row) => row.key !== key);
    replace(left, idOf('search', (left[at] ?? left.at(-1))?.key));
    say(`Query ${at + 1} removed`);
  }

  const change = (key: number, part: Partial<WidgetQuery>) =>
    replace(
      rows.map((row) => (row.key === key ? { ...row, ...part } : row)),
      null,
    );

  function onKeyDown(event: KeyboardEvent, key: number) {
    const by = STEPS[event.key];
    if (!by) return;
    event.preventDefault();
    move(key, by);
  }

  function onPointerMove(event: PointerEvent) {
    if (dragged === null) return;
    const over = document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-query]');
    const to = rows.findIndex((row) => String(row.key) === over?.getAttribute('data-query'));
    if (to !== -1) move(dragged, to - rows.findIndex((row) => row.key === dragged));
  }

  return (
    <div className="flex flex-col gap-3">
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
      <ol
        aria-label="Queries"
        className="flex flex-col gap-3"
        onPointerMove={onPointerMove}
        onPointerUp={() => setDragged(null)}
        onPointerCancel={() => setDragged(null)}
      >
        {rows.map(({ key, query, alias }, index) => (
          <li
            key={key}
            data-query={key}
            className={cx(
              'flex flex-col gap-3',
              isSeveral && 'rounded-md border p-3',
              dragged === key && 'opacity-60',
            )}
          >
            {isSeveral ? (
              <div className="flex items-center gap-1.5">
                <button
                  id={idOf('handle', key)}
                  type="button"
                  aria-label={`Move query ${index + 1}`}
                  title="Drag to move, or use the arrow keys."
                  className="-ml-1 grid size-8 cursor-grab touch-none place-items-center rounded-md text-text-muted hover:bg-surface-hover hover:text-text"
                  onKeyDown={(event) => onKeyDown(event, key)}
                  onPointerDown={(event) => {
                    // The list has the pointer: an item that is moved in the document loses it.
                    event.currentTarget.closest('ol')?.setPointerCapture(event.pointerId);
                    setDragged(key);
                  }}
                >
                  <Grip aria-hidden className="size-4" />
                </button>
                <span className="font-medium text-sm">Query {index + 1}</span>
                <Button
                  variant="ghost"
                  size="sm"
                  iconOnly
                  className="ml-auto"
                  aria-label={`Remove query ${index + 1}`}
                  title="Remove"
                  onClick={() => remove(key)}
                >
                  <Trash2 aria-hidden className="size-4" />
                </Button>
              </div>
            ) : null}
            {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be drawn around what has a frame already */}
            <div role="group" aria-label={`Query ${index + 1}`} className="grid gap-3 sm:grid-cols-[2fr_1fr]">
              <TextField
                id={idOf('search', key)}
                label="Search"
                hint={isSeveral ? undefined : hint}
                defaultValue={query}
                placeholder={placeholder}
                maxLength={4_096}
                autoComplete="off"
                spellCheck={false}
                onBlur={({ target }) => {
                  if (target.value.trim() !== query) change(key, { query: target.value.trim() });
                }}
              />
              <TextField
                label="Legend alias"
                defaultValue={alias}
                placeholder="Optional"
                maxLength={100}
                autoComplete="off"
                onBlur={({ target }) => {
                  if (target.value.trim() !== alias) change(key, { alias: target.value.trim() });
                }}
              />
            </div>
          </li>
        ))}
      </ol>
      <div>
        <Button
          size="sm"
          disabled={rows.length >= WIDGET_QUERIES_MAX}
          title={
            rows.length >= WIDGET_QUERIES_MAX ? `A chart can have ${WIDGET_QUERIES_MAX} queries` : undefined
          }
          onClick={add}
        >
          <Plus aria-hidden className="size-3.5" />
          Add query
        </Button>
      </div>
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };
