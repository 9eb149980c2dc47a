/** Where to go after signing in: a path of this site, or `/` for anything else. */
export function safeNext(next: string | null | undefined): string {
  if (!next?.startsWith('/')) return '/';
  const base = 'http://errata.invalid';
  if (!URL.canParse(next, base)) return '/';
  const url = new URL(next, base);
  if (url.origin !== base || url.pathname.startsWith('//')) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
