import { isShortId } from '#protocol/short-id.ts';

/** Issues that one commit names at most; the others stay as they are. */
const FIXES_MAX = 50;
/** A message beyond this is no place for such a word. */
const MESSAGE_CHARACTERS_MAX = 20_000;

/** The words that Sentry knows, followed on their line by what they are about. */
const STATEMENT =
  /\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)\b:?[ \t]+(https?:\/\/[^\s)\]>]+|[\w\-, \t]+)/gi;
const WORD = /[\w-]+/g;

/** What a message says is fixed: short ids in capitals, and numbers of issues. */
export type Fixes = { shortIds: readonly string[]; issueIds: readonly number[] };

/** Whose addresses count. */
export type FixedPlace = { publicUrl: string; organizationSlug: string };

/**
 * `fixes WEB-3F, API-12` and `Closes https://errors.example.com/acme/issues/WEB-3F`, with addresses of the organization
 * on this instance only. Which of the issues there are, is not known here.
 */
export function findFixes(message: string, place: FixedPlace): Fixes {
  const shortIds = new Set<string>();
  const issueIds = new Set<number>();
  // A link is about its text: `Fixes [WEB-3F](https://…)`.
  const text = message.slice(0, MESSAGE_CHARACTERS_MAX).replace(/[[\]]/g, ' ');
  for (const [, about = ''] of text.matchAll(STATEMENT)) {
    const names = /^https?:/i.test(about) ? namesInAddress(about, place) : (about.match(WORD) ?? []);
    for (const name of names) {
      if (shortIds.size + issueIds.size >= FIXES_MAX) break;
      if (isShortId(name)) shortIds.add(name.toUpperCase());
      else if (/^https?:/i.test(about) && /^\d{1,15}$/.test(name)) issueIds.add(Number(name));
    }
  }
  return { shortIds: [...shortIds], issueIds: [...issueIds] };
}

/** Whatever could be the short id of an issue, written in capitals; most such words are none. */
export function findMentionedIds(message: string): readonly string[] {
  const words = message.slice(0, MESSAGE_CHARACTERS_MAX).match(WORD) ?? [];
  const ids = words.filter((word) => isShortId(word) && word === word.toUpperCase() && /[A-Z]/.test(word));
  return [...new Set(ids)].slice(0, FIXES_MAX);
}

/** What the address of an issue names, `/acme/issues/WEB-3F` or `/organizations/acme/issues/7/`; nothing for others. */
function namesInAddress(address: string, { publicUrl, organizationSlug }: FixedPlace): readonly string[] {
  const url = URL.parse(address);
  if (!url || url.origin !== new URL(publicUrl).origin) return [];
  const [slug, issues, name] = url.pathname
    .replace(/^\/organizations(?=\/)/, '')
    .split('/')
    .slice(1);
  return slug === organizationSlug && issues === 'issues' && name ? [name] : [];
}
