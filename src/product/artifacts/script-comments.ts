import { isPlainText, toDebugId } from './check-upload.ts';

export type ScriptComments = {
  /** Lower case, with dashes; null when there is none. */
  debugId: string | null;
  /** As the comment has it; `data:` alone when the map is within the script; null when there is none. */
  sourceMap: string | null;
};

const NEWLINE = 0x0a;
const ADDRESS_BYTES_MAX = 4_096;
/** What is read of one, with the line break in front of it. */
const COMMENT_BYTES_MAX = ADDRESS_BYTES_MAX + 100;

/** The last comment with each mark, as it is written; null for none. */
type Marks = { debugId: string | null; map: string | null; oldMap: string | null };
const NO_MARKS: Marks = { debugId: null, map: null, oldMap: null };

/** What a script says of itself in comments of their own lines, of which the last counts. */
export const readScriptComments = (script: Buffer): ScriptComments =>
  toComments(findMarks(script, true, NO_MARKS));

/** The same of a script that comes in pieces, of which no more is held than one and the end of the one before. */
export async function scanScriptComments(pieces: AsyncIterable<Buffer>): Promise<ScriptComments> {
  let marks = NO_MARKS;
  let end = Buffer.alloc(0);
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    const window = Buffer.concat([end, piece]);
    marks = findMarks(window, window.length === bytes, marks);
    // A comment that the piece cuts is read once more, with its end.
    end = window.subarray(-COMMENT_BYTES_MAX);
  }
  return toComments(marks);
}

/** Those of the part before stand unless this one has later ones. */
const findMarks = (part: Buffer, isBeginning: boolean, before: Marks): Marks => ({
  debugId: lastComment(part, '//# debugId=', isBeginning) ?? before.debugId,
  map: lastComment(part, '//# sourceMappingURL=', isBeginning) ?? before.map,
  oldMap: lastComment(part, '//@ sourceMappingURL=', isBeginning) ?? before.oldMap,
});

const toComments = ({ debugId, map, oldMap }: Marks): ScriptComments => ({
  debugId: toDebugId(debugId),
  sourceMap: toSourceMap(map ?? oldMap),
});

/** `isBeginning`: a line begins where the part does. */
function lastComment(script: Buffer, marker: string, isBeginning: boolean): string | null {
  for (let at = script.lastIndexOf(marker); at >= 0; ) {
    if (at === 0 ? isBeginning : script[at - 1] === NEWLINE) {
      const from = at + marker.length;
      const end = script.indexOf(NEWLINE, from);
      const to = Math.min(end < 0 ? script.length : end, from + ADDRESS_BYTES_MAX + 1);
      const text = script.toString('utf8', from, to).trim();
      if (text !== '') return text;
    }
    if (at === 0) return null;
    at = script.lastIndexOf(marker, at - 1);
  }
  return null;
}

function toSourceMap(address: string | null): string | null {
  if (address === null) return null;
  if (address.startsWith('data:')) return 'data:';
  const isUsable = address.length <= ADDRESS_BYTES_MAX && !/\s/.test(address) && isPlainText(address);
  return isUsable ? address : null;
}
