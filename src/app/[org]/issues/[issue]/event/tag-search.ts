import { LEVELS } from '#protocol/event.ts';

/** The search of issues that a tag's value leads to; null when issues cannot be searched by that tag. */
export function tagSearch(key: string, value: string): string | null {
  if (key === 'level') return (LEVELS as readonly string[]).includes(value) ? `level:${value}` : null;
  if (key === 'release') return value === '' ? null : `release:${quoteValue(value)}`;
  return null;
}

function quoteValue(value: string): string {
  return /^[^\s"[\],\\]+$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
}
