/**
 * Whether a text consists of these pieces in order, with any text between each two of them: what a glob with no sign but `*`
 * asks for. The usual ones (`abc`, `abc*`, `*abc*`) need no more than the engine's own search.
 */
export function matchPieces(pieces: readonly string[]): (text: string) => boolean {
  const [first = ''] = pieces;
  if (pieces.length === 1) return (text) => text === first;
  const last = pieces.at(-1) as string;
  const middle = pieces.slice(1, -1).filter((piece) => piece !== '');
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) {
      return false;
    }
    const end = text.length - last.length;
    let from = first.length;
    for (const piece of middle) {
      const found = text.indexOf(piece, from);
      if (found === -1 || found + piece.length > end) return false;
      from = found + piece.length;
    }
    return true;
  };
}
