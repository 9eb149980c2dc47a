'use client';

import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import { useRef } from 'react';
import { cx } from '../cx.ts';
import { Link } from '../navigation/link.tsx';
import { PlatformLogo } from '../platform-logo/platform-logo.tsx';
import {
  type MenuCheckboxItemProps,
  type MenuItemProps,
  type MenuLinkProps,
  type MenuParts,
  MenuPartsContext,
  type MenuProps,
  type MenuRadioGroupProps,
} from './menu-parts.ts';

/** The menu itself, open from the start. `startsAtFirst`: the keyboard opened it, so its first item is highlighted. */
export function FullMenu({
  trigger,
  children,
  align = 'start',
  side = 'bottom',
  startsAtFirst,
}: MenuProps & { startsAtFirst: boolean }) {
  const popup = useRef<HTMLDivElement>(null);
  // Only the first opening is not Base UI's own.
  const isFirst = useRef(true);
  return (
    <BaseMenu.Root
      modal={false}
      defaultOpen
      onOpenChange={() => {
        isFirst.current = false;
      }}
      onOpenChangeComplete={(isOpen) => {
        if (isOpen && isFirst.current && startsAtFirst) focusFirstItem(popup.current);
      }}
    >
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner
          className="z-50 outline-none"
          sideOffset={6}
          align={align}
          side={side}
          collisionPadding={8}
        >
          <BaseMenu.Popup ref={popup} className={popupClass}>
            <MenuPartsContext.Provider value={PARTS}>{children}</MenuPartsContext.Provider>
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

function focusFirstItem(popup: HTMLElement | null): void {
  if (!popup || popup.querySelector('[data-highlighted]')) return;
  popup.querySelector<HTMLElement>('[role^="menuitem"]:not([aria-disabled="true"])')?.focus();
}

function Item({ children, icon, hint, onSelect, disabled = false, tone = 'neutral' }: MenuItemProps) {
  return (
    <BaseMenu.Item
      disabled={disabled}
      onClick={onSelect}
      className={cx(itemClass, tone === 'danger' && 'text-danger')}
    >
      {icon}
      <span className="min-w-0 flex-1">{children}</span>
      {hint}
    </BaseMenu.Item>
  );
}

function LinkItem({ href, children, icon, hint }: MenuLinkProps) {
  return (
    <BaseMenu.LinkItem render={<Link href={href} />} closeOnClick className={itemClass}>
      {icon}
      <span className="min-w-0 flex-1">{children}</span>
      {hint}
    </BaseMenu.LinkItem>
  );
}

function RadioGroup({ label, value, onValueChange, options }: MenuRadioGroupProps) {
  return (
    <BaseMenu.Group>
      <BaseMenu.GroupLabel className={labelClass}>{label}</BaseMenu.GroupLabel>
      <BaseMenu.RadioGroup value={value} onValueChange={(next) => onValueChange(String(next))}>
        {options.map((option) => (
          <BaseMenu.RadioItem key={option.value} value={option.value} closeOnClick className={itemClass}>
            {option.icon}
            <span className="flex-1">{option.label}</span>
            <BaseMenu.RadioItemIndicator>
              <Check aria-hidden className="size-3.5 text-accent" />
            </BaseMenu.RadioItemIndicator>
          </BaseMenu.RadioItem>
        ))}
      </BaseMenu.RadioGroup>
    </BaseMenu.Group>
  );
}

function CheckboxItem({ checked, onCheckedChange, platform, children }: MenuCheckboxItemProps) {
  return (
    <BaseMenu.CheckboxItem checked={checked} onCheckedChange={onCheckedChange} className={itemClass}>
      <span
        aria-hidden
        className={cx(
          'grid size-4 place-items-center rounded-sm border',
          checked ? 'border-accent-solid bg-accent-solid text-on-solid' : 'border-border-control',
        )}
      >
        {checked ? <Check className="size-3! text-on-solid!" /> : null}
      </span>
      {platform === undefined ? null : <PlatformLogo size="sm" label={null} platform={platform} />}
      <span className="flex-1 truncate">{children}</span>
    </BaseMenu.CheckboxItem>
  );
}

function Separator() {
  return <BaseMenu.Separator className="my-1 h-px bg-border" />;
}

const PARTS: MenuParts = { Item, LinkItem, RadioGroup, CheckboxItem, Separator };

const popupClass =
  'max-h-[min(26rem,var(--available-height))] min-w-44 max-w-[min(22rem,calc(100vw-1rem))] origin-[var(--transform-origin)] overflow-y-auto rounded-lg bg-surface-raised p-1 shadow-float outline-none transition-[opacity,scale] duration-[120ms] data-ending-style:scale-[0.98] data-starting-style:scale-[0.98] data-ending-style:opacity-0 data-starting-style:opacity-0';
const itemClass =
  'flex min-h-8 cursor-default select-none items-center gap-2 rounded-sm px-2.5 py-1 text-sm text-text no-underline outline-none data-disabled:opacity-50 data-highlighted:bg-surface-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-text-muted';
const labelClass = 'px-2.5 pt-1.5 pb-1 font-medium text-text-faint text-xs';
