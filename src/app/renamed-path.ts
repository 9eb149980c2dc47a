/** The path of a request with the organization's present slug in place of the one that it had before. */
export function renamedPath(path: string | null, formerSlug: string, slug: string): string {
  const former = `/${formerSlug}`;
  const rest = path?.startsWith(former) ? path.slice(former.length) : '';
  return /^[/?]/.test(rest) ? `/${slug}${rest}` : `/${slug}/issues`;
}
