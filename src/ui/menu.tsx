'use client';

import { type ReactNode, useState } from 'react';
import {
  type MenuCheckboxItemProps,
  type MenuItemProps,
  type MenuLinkProps,
  type MenuProps,
  useMenuParts,
} from './menu/menu-parts.ts';
import { lightTrigger } from './on-demand/light-trigger.ts';
import { onDemand, usePopupOnDemand } from './on-demand/on-demand.ts';

const fullMenu = onDemand(() => import('./menu/full-menu.tsx'));

/** A menu of actions that opens from `trigger` (a button). Its code is fetched when it is first opened. */
export function Menu(props: MenuProps) {
  const [asked, setAsked] = useState<'pointer' | 'keyboard' | null>(null);
  const full = usePopupOnDemand(fullMenu, asked !== null, () => setAsked(null));
  if (full) return <full.FullMenu {...props} startsAtFirst={asked === 'keyboard'} />;
  return lightTrigger(props.trigger, {
    popup: 'menu',
    opensWithArrows: true,
    onNear: () => void fullMenu.load().catch(() => {}),
    onOpen: (isByKeyboard) => setAsked(isByKeyboard ? 'keyboard' : 'pointer'),
  });
}

export function MenuItem(props: MenuItemProps) {
  const { Item } = useMenuParts();
  return <Item {...props} />;
}

export function MenuLink(props: MenuLinkProps) {
  const { LinkItem } = useMenuParts();
  return <LinkItem {...props} />;
}

/** One choice out of several; choosing closes the menu. */
export function MenuRadioGroup<T extends string>({
  onValueChange,
  ...props
}: {
  label: string;
  value: T;
  onValueChange: (value: T) => void;
  options: readonly { value: T; label: ReactNode; icon?: ReactNode }[];
}) {
  const { RadioGroup } = useMenuParts();
  return <RadioGroup {...props} onValueChange={(next) => onValueChange(next as T)} />;
}

/** A choice that can be on or off; the menu stays open. */
export function MenuCheckboxItem(props: MenuCheckboxItemProps) {
  const { CheckboxItem } = useMenuParts();
  return <CheckboxItem {...props} />;
}

export function MenuSeparator() {
  const { Separator } = useMenuParts();
  return <Separator />;
}

/** A line of a menu that is no action. */
export function MenuText({ children }: { children: ReactNode }) {
  return <div className="px-2.5 py-1.5 text-text-muted text-xs">{children}</div>;
}
