const SLUG_CHARS_MAX = 50;

/**
 * The name of a monitor as it stands in addresses: lower-case letters, digits, `_` and `-`, at most 50 of them; empty
 * when nothing of it can stay. Sources: relay-monitors/src/lib.rs (the length); the slugs of Django, as Sentry makes them.
 */
export function slugOfMonitor(name: string): string {
  const plain = name
    .slice(0, 4 * SLUG_CHARS_MAX)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_\s-]/g, '')
    .replace(/[\s-]+/g, '-');
  return trimDashes(trimDashes(plain).slice(0, SLUG_CHARS_MAX));
}

const trimDashes = (text: string): string => text.replace(/^[-_]+/, '').replace(/[-_]+$/, '');
