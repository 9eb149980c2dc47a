'use client';

import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { cx } from './cx.ts';
import { Link } from './link.tsx';

/** A menu of actions that opens from `trigger` (a button). */
export function Menu({
  trigger,
  children,
  align = 'start',
  side = 'bottom',
}: {
  trigger: ReactElement;
  children: ReactNode;
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'bottom' | 'right' | 'left';
}) {
  return (
    <BaseMenu.Root modal={false}>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner
          className="z-50 outline-none"
          sideOffset={6}
          align={align}
          side={side}
          collisionPadding={8}
        >
          <BaseMenu.Popup className={popupClass}>{children}</BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

export function MenuItem({
  children,
  icon,
  hint,
  onSelect,
  disabled = false,
  tone = 'neutral',
}: {
  children: ReactNode;
  icon?: ReactNode;
  hint?: ReactNode;
  onSelect: () => void;
  disabled?: boolean;
  tone?: 'neutral' | 'danger';
}) {
  return (
    <BaseMenu.Item
      disabled={disabled}
      onClick={onSelect}
      className={cx(itemClass, tone === 'danger' && 'text-danger')}
    >
      {icon}
      <span className="flex-1">{children}</span>
      {hint}
    </BaseMenu.Item>
  );
}

export function MenuLink({ href, children, icon }: { href: string; children: ReactNode; icon?: ReactNode }) {
  return (
    <BaseMenu.LinkItem render={<Link href={href} />} closeOnClick className={itemClass}>
      {icon}
      <span className="flex-1">{children}</span>
    </BaseMenu.LinkItem>
  );
}

/** One choice out of several, kept open state left to the menu. */
export function MenuRadioGroup<T extends string>({
  label,
  value,
  onValueChange,
  options,
}: {
  label: string;
  value: T;
  onValueChange: (value: T) => void;
  options: readonly { value: T; label: ReactNode; icon?: ReactNode }[];
}) {
  return (
    <BaseMenu.Group>
      <BaseMenu.GroupLabel className={labelClass}>{label}</BaseMenu.GroupLabel>
      <BaseMenu.RadioGroup value={value} onValueChange={(next) => onValueChange(next as T)}>
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

/** A choice that can be on or off; the menu stays open. */
export function MenuCheckboxItem({
  checked,
  onCheckedChange,
  children,
}: {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  children: ReactNode;
}) {
  return (
    <BaseMenu.CheckboxItem
      checked={checked}
      onCheckedChange={(next) => onCheckedChange(next)}
      className={itemClass}
    >
      <span
        aria-hidden
        className={cx(
          'grid size-4 place-items-center rounded-sm border',
          checked ? 'border-accent-solid bg-accent-solid text-on-solid' : 'border-border-control',
        )}
      >
        {checked ? <Check className="size-3 text-on-solid" /> : null}
      </span>
      <span className="flex-1 truncate">{children}</span>
    </BaseMenu.CheckboxItem>
  );
}

export function MenuSeparator() {
  return <BaseMenu.Separator className="my-1 h-px bg-border" />;
}

/** A line of a menu that is no action. */
export function MenuText({ children }: { children: ReactNode }) {
  return <div className="px-2.5 py-1.5 text-text-muted text-xs">{children}</div>;
}

const popupClass =
  'max-h-[min(26rem,var(--available-height))] min-w-44 max-w-[min(22rem,calc(100vw-1rem))] origin-[var(--transform-origin)] overflow-y-auto rounded-lg bg-surface-raised p-1 shadow-float outline-none transition-[opacity,scale] duration-[120ms] data-ending-style:scale-[0.98] data-starting-style:scale-[0.98] data-ending-style:opacity-0 data-starting-style:opacity-0';
const itemClass =
  'flex min-h-8 cursor-default select-none items-center gap-2 rounded-sm px-2.5 py-1 text-sm text-text no-underline outline-none data-disabled:opacity-50 data-highlighted:bg-surface-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-text-muted';
const labelClass = 'px-2.5 pt-1.5 pb-1 font-medium text-text-faint text-xs';
