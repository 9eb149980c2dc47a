'use client';

import { type ComponentType, createContext, type ReactElement, type ReactNode, useContext } from 'react';

export type MenuProps = {
  trigger: ReactElement;
  children: ReactNode;
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'bottom' | 'right' | 'left';
};

export type MenuItemProps = {
  children: ReactNode;
  icon?: ReactNode;
  hint?: ReactNode;
  onSelect: () => void;
  disabled?: boolean;
  tone?: 'neutral' | 'danger';
};

export type MenuLinkProps = { href: string; children: ReactNode; icon?: ReactNode; hint?: ReactNode };

export type MenuRadioGroupProps = {
  label: string;
  value: string;
  onValueChange: (value: string) => void;
  options: readonly { value: string; label: ReactNode; icon?: ReactNode }[];
};

export type MenuCheckboxItemProps = {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  children: ReactNode;
  /** Shows its logo, null a neutral one. */
  platform?: string | null;
};

export type MenuParts = {
  Item: ComponentType<MenuItemProps>;
  LinkItem: ComponentType<MenuLinkProps>;
  RadioGroup: ComponentType<MenuRadioGroupProps>;
  CheckboxItem: ComponentType<MenuCheckboxItemProps>;
  Separator: ComponentType;
};

/** The parts of an open menu; they are loaded with the menu. */
export const MenuPartsContext = createContext<MenuParts | null>(null);

export function useMenuParts(): MenuParts {
  const parts = useContext(MenuPartsContext);
  if (!parts) throw new Error('This component must be used inside a Menu');
  return parts;
}
