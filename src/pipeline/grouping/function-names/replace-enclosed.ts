/**
 * Replaces every outermost pair of brackets with its content, by what `replace` makes of the content and of where in
 * `text` the pair begins. A pair that does not end takes the rest of the text with it.
 */
export function replaceEnclosed(
  text: string,
  open: string,
  close: string,
  replace: (inner: string, start: number) => string,
): string {
  if (!text.includes(open)) return text;
  let result = '';
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === open) {
      if (depth === 0) start = index;
      depth += 1;
    } else if (character === close) {
      depth -= 1;
      if (depth === 0) result += replace(text.slice(start + 1, index), start);
    } else if (depth === 0) {
      result += character;
    }
  }
  return result;
}
