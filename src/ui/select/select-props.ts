import type { ReactNode } from 'react';

export type SelectOption<T extends string> = { value: T; label: string; hint?: string };

export type SelectProps<T extends string> = {
  /** Said to assistive technology when no visible label is tied to `id`. */
  label?: string;
  options: readonly SelectOption<T>[];
  value?: T;
  defaultValue?: T;
  onValueChange?: (value: T) => void;
  /** Takes part in the form around it under this name. */
  name?: string;
  id?: string;
  /** Stands before the value: `Sort: last seen`. */
  prefix?: string;
  icon?: ReactNode;
  /** `compact` in tool bars, `field` in forms. */
  look?: 'compact' | 'field';
  disabled?: boolean;
  className?: string;
};
