/** As many rows as fit before the end, in their order; `fits` looks at the text as a whole. */
export function fitLines(
  rows: readonly string[],
  end: string | null,
  fits: (text: string) => boolean,
  separator = '\n',
): string {
  for (let kept = rows.length; kept > 0; kept--) {
    const text = [...rows.slice(0, kept), ...(end === null ? [] : [end])].join(separator);
    if (fits(text)) return text;
  }
  return end ?? '';
}
