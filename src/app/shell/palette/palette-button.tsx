'use client';

import { Search } from 'lucide-react';
import { useState } from 'react';
import { buttonClass } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { onDemand, usePopupOnDemand } from '#ui/on-demand/on-demand.ts';
import { KeyCombination } from '../key-combination.tsx';
import { useShortcuts } from '../use-shortcuts.ts';

const palette = onDemand(() => import('./palette.tsx'));

/** Opens the command palette, as ⌘K does; its code is fetched then. */
export function PaletteButton({ organizationSlug }: { organizationSlug: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const loaded = usePopupOnDemand(palette, isOpen, () => setIsOpen(false));
  const preload = () => void palette.load().catch(() => {});
  useShortcuts({ palette: () => setIsOpen(true) });
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => setIsOpen(true)}
        className={cx(
          buttonClass({ variant: 'ghost' }),
          'px-2 font-normal sm:border-border sm:bg-surface-sunken',
        )}
      >
        <Search aria-hidden className="size-4" />
        <span className="max-sm:sr-only">
          Search<span className="sr-only"> and commands</span>
        </span>
        <span aria-hidden className="ml-4 hidden sm:block">
          <KeyCombination keys="mod+k" />
        </span>
      </button>
      {loaded && isOpen ? (
        <loaded.Palette organizationSlug={organizationSlug} onClosed={() => setIsOpen(false)} />
      ) : null}
    </>
  );
}
