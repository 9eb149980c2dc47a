/**
 * Whether `?query=` of a list asks for it: each of its words stands in the slug or the name, in either case. What has a
 * key, such as `slug:web`, asks for exactly this slug, id or name.
 */
export function isNamedLike(
  query: string,
  { id, slug, name }: { id: number; slug: string; name: string },
): boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => {
    const [, key, value] = /^(slug|id|name):(.+)$/.exec(word) ?? [];
    if (key === 'slug') return slug === value;
    if (key === 'id') return String(id) === value;
    if (key === 'name') return name.toLowerCase() === value;
    return slug.includes(word) || name.toLowerCase().includes(word);
  });
}
