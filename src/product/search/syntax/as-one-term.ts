/** A search to which terms can be added: in parentheses when it has alternatives of its own, as AND binds closer. */
export function asOneTerm(search: string): string {
  const own = search.trim();
  let outside = own.replaceAll(/"(?:\\.|[^"\\])*"?/g, '""');
  for (let before = ''; before !== outside; ) {
    before = outside;
    outside = before.replaceAll(/\([^()]*\)/g, '');
  }
  return /(?:^|\s)OR(?=\s|$)/i.test(outside) ? `(${own})` : own;
}
