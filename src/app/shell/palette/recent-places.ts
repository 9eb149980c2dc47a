/** A page that was opened lately, in this browser. */
export type RecentPlace = { href: string; label: string };

const PLACES_MAX = 6;
const TEXT_MAX = 300;

const storageKey = (organizationSlug: string) => `errata.recent.${organizationSlug}`;

/** Newest first; empty where the browser keeps nothing. */
export function readRecent(
  storage: Pick<Storage, 'getItem'>,
  organizationSlug: string,
): readonly RecentPlace[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(storageKey(organizationSlug)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isPlace).slice(0, PLACES_MAX) : [];
  } catch {
    return [];
  }
}

/** What a place is called when the title of its page begins with it: `WEB-3F TypeError` of `WEB-3F TypeError · Errata`. */
export const titledLabel = (label: string, pageTitle: string): string =>
  pageTitle.startsWith(`${label} `) ? pageTitle.replace(/ · [^·]*$/, '').slice(0, TEXT_MAX) : label;

/** Puts a place first, under the longer name that it was kept with before. A browser that refuses to keep it remembers nothing. */
export function keepRecent(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  organizationSlug: string,
  place: RecentPlace,
): void {
  if (!isPlace(place)) return;
  const kept = readRecent(storage, organizationSlug);
  const before = kept.find((each) => each.href === place.href);
  const others = kept.filter((each) => each !== before);
  const first = before?.label.startsWith(`${place.label} `) ? before : place;
  try {
    storage.setItem(storageKey(organizationSlug), JSON.stringify([first, ...others].slice(0, PLACES_MAX)));
  } catch {
    // A full or forbidden storage.
  }
}

/** Only addresses of this app, since what is stored may have been changed. */
function isPlace(value: unknown): value is RecentPlace {
  if (typeof value !== 'object' || value === null) return false;
  const { href, label } = value as Partial<RecentPlace>;
  return (
    typeof href === 'string' &&
    /^\/(?![/\\])/.test(href) &&
    href.length <= TEXT_MAX &&
    typeof label === 'string' &&
    label !== '' &&
    label.length <= TEXT_MAX
  );
}
