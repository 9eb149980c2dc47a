'use client';

import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { cx } from './cx.ts';
import { Backdrop } from './dialog/backdrop.tsx';

type CommandItem = { id: string; icon?: ReactNode; label: ReactNode; hint?: ReactNode };
type CommandGroup = { label: string; items: readonly CommandItem[] };

/**
 * A dialog in which somebody types and chooses one of what is found: the arrow keys move, Enter chooses, Escape closes.
 * Import it on demand. `onClosed` is called once it is gone and the focus is back where it was.
 */
export function CommandDialog({
  isOpen,
  onClose,
  onClosed,
  label,
  placeholder,
  text,
  onTextChange,
  groups,
  isBusy,
  empty,
  footer,
  onChoose,
}: {
  isOpen: boolean;
  onClose: () => void;
  onClosed: () => void;
  label: string;
  placeholder: string;
  text: string;
  onTextChange: (text: string) => void;
  groups: readonly CommandGroup[];
  isBusy: boolean;
  /** What is said when there is nothing to choose. */
  empty: ReactNode;
  footer?: ReactNode;
  onChoose: (id: string) => void;
}) {
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [activeId, setActiveId] = useState<string | null>(null);
  const items = groups.flatMap((group) => group.items);
  const found = items.findIndex((item) => item.id === activeId);
  const active = found === -1 ? 0 : found;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another best answer
  useEffect(() => setActiveId(null), [text]);

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  });

  function onKeyDown(event: KeyboardEvent) {
    const last = items.length - 1;
    const moves: Record<string, number> = {
      ArrowDown: active === last ? 0 : active + 1,
      ArrowUp: active === 0 ? last : active - 1,
      PageDown: Math.min(last, active + 8),
      PageUp: Math.max(0, active - 8),
    };
    const next = moves[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setActiveId(items[next]?.id ?? null);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      const chosen = items[active];
      if (chosen) onChoose(chosen.id);
    }
  }

  let index = -1;
  return (
    <BaseDialog.Root
      open={isOpen}
      onOpenChange={(next) => !next && onClose()}
      onOpenChangeComplete={(next) => !next && onClosed()}
    >
      <BaseDialog.Portal>
        <Backdrop />
        <BaseDialog.Popup
          initialFocus={input}
          className="fixed top-[8vh] left-1/2 z-50 flex max-h-[min(34rem,80vh)] w-[min(40rem,calc(100vw-1.5rem))] -translate-x-1/2 flex-col overflow-hidden rounded-lg bg-surface-raised shadow-float outline-none transition-opacity duration-[120ms] data-ending-style:opacity-0 data-starting-style:opacity-0"
        >
          <BaseDialog.Title className="sr-only">{label}</BaseDialog.Title>
          <div className="relative flex items-center border-b">
            <Search aria-hidden className="absolute left-4 size-4 text-text-muted" />
            <input
              ref={input}
              type="text"
              role="combobox"
              aria-label={label}
              aria-expanded
              aria-controls={listId}
              aria-autocomplete="list"
              aria-activedescendant={items.length > 0 ? `${listId}-${active}` : undefined}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              placeholder={placeholder}
              value={text}
              onChange={(event) => onTextChange(event.target.value)}
              onKeyDown={onKeyDown}
              className="h-12 w-full bg-transparent pr-4 pl-11 text-base outline-none"
            />
          </div>
          <div
            ref={list}
            id={listId}
            role="listbox"
            aria-label={label}
            aria-busy={isBusy}
            className="min-h-0 flex-1 overflow-y-auto p-1.5"
          >
            {groups.map((group) => (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a listbox
              <div key={group.label} role="group" aria-label={group.label}>
                <div aria-hidden className="px-2.5 pt-2 pb-1 font-medium text-text-faint text-xs">
                  {group.label}
                </div>
                {group.items.map((item) => {
                  index += 1;
                  const at = index;
                  return (
                    <div
                      key={item.id}
                      id={`${listId}-${at}`}
                      role="option"
                      aria-selected={at === active}
                      tabIndex={-1}
                      // The field keeps the focus, so that typing goes on.
                      onMouseDown={(event) => event.preventDefault()}
                      onMouseMove={() => setActiveId(item.id)}
                      onClick={() => onChoose(item.id)}
                      onKeyDown={onKeyDown}
                      className={cx(
                        'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-text-muted',
                        at === active && 'bg-accent-soft',
                      )}
                    >
                      {item.icon}
                      <span className="min-w-0 flex-1 truncate">{item.label}</span>
                      {item.hint ? (
                        <span className="shrink-0 text-text-muted text-xs">{item.hint}</span>
                      ) : null}
                    </div>
                  );
                })}
              </div>
            ))}
            {items.length === 0 ? (
              <p className="px-4 py-8 text-center text-sm text-text-muted">{isBusy ? 'Looking …' : empty}</p>
            ) : null}
          </div>
          <p role="status" className="sr-only">
            {isBusy ? '' : items.length === 1 ? '1 result' : `${items.length} results`}
          </p>
          {footer ? (
            <div className="flex gap-4 border-t px-4 py-2 text-text-faint text-xs max-sm:hidden">
              {footer}
            </div>
          ) : null}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
