/** Keys that mean something else than the tag in a search. */
const NAMED_OTHERWISE: ReadonlySet<string> = new Set([
  'is',
  'has',
  'assigned',
  'issue',
  'project',
  'age',
  'message',
]);

/** The search of issues that a tag's value leads to; null when issues cannot be searched by that tag. */
export function tagSearch(key: string, value: string): string | null {
  if (value === '' || !/^[\w.:-]+$/.test(key)) return null;
  const name = NAMED_OTHERWISE.has(key) || !/^[A-Za-z_][\w.-]*$/.test(key) ? `tags[${key}]` : key;
  return `${name}:${quoteValue(value)}`;
}

function quoteValue(value: string): string {
  return /^[^\s"()[\],\\*:/<>=!][^\s"()[\],\\*]*$/.test(value)
    ? value
    : `"${value.replace(/["\\*]/g, '\\$&')}"`;
}
