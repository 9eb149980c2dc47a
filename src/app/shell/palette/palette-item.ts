import type { ShortcutId } from '../shortcuts.ts';

/** What choosing does. */
export type PaletteAct =
  | { kind: 'go'; href: string }
  | { kind: 'shortcut'; id: ShortcutId }
  | { kind: 'theme'; theme: 'light' | 'dark' | 'system' }
  | { kind: 'copy-dsn'; projectSlug: string }
  | { kind: 'copy-address' }
  | { kind: 'sign-out' };

export type PaletteGroup =
  | 'Recent'
  | 'On this page'
  | 'Go to'
  | 'Issues'
  | 'Found'
  | 'Projects'
  | 'Settings'
  | 'Actions';

export type PaletteItem = {
  id: string;
  group: PaletteGroup;
  label: string;
  /** Words that find it besides its label. */
  words?: string;
  /** A key that does the same. */
  keys?: string;
  detail?: string;
  /** Shown only once something is typed that finds it. */
  isQuiet?: boolean;
  act: PaletteAct;
};
