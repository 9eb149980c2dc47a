import type { Tracker } from './tracker-store.ts';

const REFERENCE_CHARACTERS_MAX = 2_000;

/** The key of an issue of the tracker, of its address or of what people call it; null for anything else. */
export function keyOf({ kind, url }: Pick<Tracker, 'kind' | 'url'>, reference: string): string | null {
  const text = reference.trim();
  if (text.length > REFERENCE_CHARACTERS_MAX) return null;
  if (!/^https?:\/\//i.test(text)) return READ_KEY[kind](text);
  const base = new URL(url);
  const address = URL.parse(text);
  const folder = base.pathname.replace(/\/+$/, '');
  if (!address || address.origin !== base.origin || !address.pathname.startsWith(`${folder}/`)) return null;
  const parts = address.pathname.slice(folder.length).split('/').filter(Boolean).map(decode);
  return READ_ADDRESS[kind](parts, address);
}

const READ_KEY: Readonly<Record<Tracker['kind'], (text: string) => string | null>> = {
  github: (text) => (/^[\w.-]{1,100}\/[\w.-]{1,100}#\d{1,15}$/.test(text) ? text : null),
  gitlab: (text) => (/^[\w.-]+(?:\/[\w.-]+)+#\d{1,15}$/.test(text) ? text : null),
  jira: (text) => shortKey(text),
  linear: (text) => shortKey(text),
};

const READ_ADDRESS: Readonly<
  Record<Tracker['kind'], (parts: readonly string[], address: URL) => string | null>
> = {
  github([owner, repository, kind, number]) {
    if (kind !== 'issues') return null;
    return READ_KEY.github(`${owner}/${repository}#${number}`);
  },
  gitlab(parts) {
    const mark = parts.lastIndexOf('-');
    const [kind, number] = parts.slice(mark + 1);
    if (mark < 2 || (kind !== 'issues' && kind !== 'work_items')) return null;
    return READ_KEY.gitlab(`${parts.slice(0, mark).join('/')}#${number}`);
  },
  jira([kind, key], { searchParams }) {
    return shortKey(kind === 'browse' ? (key ?? '') : (searchParams.get('selectedIssue') ?? ''));
  },
  linear([, kind, key]) {
    return kind === 'issue' ? shortKey(key ?? '') : null;
  },
};

/** `web-7` is WEB-7. */
const shortKey = (text: string): string | null =>
  /^[a-z][a-z0-9_]{0,99}-\d{1,15}$/i.test(text) ? text.toUpperCase() : null;

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
