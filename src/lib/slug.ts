const SLUG_CHARS_MAX = 50;
const SLUG = /^[a-z0-9][a-z0-9_-]{0,49}$/;

/** Lowercase letters, digits, `-` and `_`, 50 at most, a letter or digit first, not all digits. */
export function isSlug(text: string): boolean {
  return SLUG.test(text) && !/^\d+$/.test(text);
}

/** A slug for a name as typed; empty when the name holds nothing to make one of. */
export function suggestSlug(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, SLUG_CHARS_MAX)
    .replace(/[-_]+$/, '');
  return /^\d+$/.test(slug) ? `p-${slug}`.slice(0, SLUG_CHARS_MAX) : slug;
}
