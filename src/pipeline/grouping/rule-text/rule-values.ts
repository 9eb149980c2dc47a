import type { PlatformFamily } from '../platform-family.ts';

/** `yes`, `true`, `1` and their opposites; null for anything else. */
export function parseRuleBoolean(text: string): boolean | null {
  switch (text.toLowerCase()) {
    case '1':
    case 'yes':
    case 'true':
      return true;
    case '0':
    case 'no':
    case 'false':
      return false;
    default:
      return null;
  }
}

const FAMILIES: readonly PlatformFamily[] = ['native', 'javascript', 'other'];

/** `native,javascript` as a set; `all` is every family. null when no name is known. */
export function parseFamilies(text: string): ReadonlySet<PlatformFamily> | null {
  const names = text.split(',');
  const families = names.includes('all') ? FAMILIES : FAMILIES.filter((family) => names.includes(family));
  return families.length === 0 ? null : new Set(families);
}
