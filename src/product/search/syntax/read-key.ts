import { type AggregateParameter, readPattern, type SearchKey } from './search-tokens.ts';

/** The key of a filter, which ends before its colon; null when none begins here. */
export const readKey = (text: string, at: number): SearchKey | null =>
  readTagKey(text, at) ?? readSimpleKey(text, at);

function readSimpleKey(text: string, at: number): SearchKey | null {
  const quoted = readPattern(QUOTED_NAME, text, at);
  const name = quoted ?? readPattern(NAME, text, at);
  if (name === null) return null;
  const end = at + name.length;
  return quoted === null
    ? { kind: 'simple', name, isQuoted: false, start: at, end }
    : { kind: 'simple', name: name.slice(1, -1), isQuoted: true, start: at, end };
}

const NAME = /[a-zA-Z0-9_.-]+/y;
const QUOTED_NAME = /"[a-zA-Z0-9_.:-]+"/y;

function readTagKey(text: string, at: number): SearchKey | null {
  TAG.lastIndex = at;
  const match = TAG.exec(text);
  if (!match) return null;
  const [written, prefix, name = '', type] = match;
  const isQuoted = name.startsWith('"');
  return {
    kind: 'tag',
    prefix: prefix === 'flags' ? 'flags' : 'tags',
    name: isQuoted ? name.slice(1, -1) : name,
    type: type === 'number' || type === 'string' || type === 'boolean' ? type : null,
    isQuoted,
    start: at,
    end: at + written.length,
  };
}

const TAG = /(tags|flags)\[("[a-zA-Z0-9_.:-]+"|[a-zA-Z0-9_.:-]+)(?: *, *(string|number|boolean))?\]/y;

/** `name(parameters)`; null when none begins here. */
export function readAggregateKey(text: string, at: number): SearchKey | null {
  const opening = readPattern(AGGREGATE_OPENING, text, at);
  if (opening === null) return null;
  const parameters: (AggregateParameter | null)[] = [];
  let end = skipSpaces(text, at + opening.length);
  const first = readParameter(text, end);
  if (first) {
    parameters.push(first);
    end = first.end;
    for (;;) {
      const comma = readPattern(COMMA, text, end);
      if (comma === null || text[end + comma.length] === ',') break;
      const parameter = readParameter(text, end + comma.length);
      parameters.push(parameter);
      end = parameter?.end ?? end + comma.length;
    }
  }
  end = skipSpaces(text, end);
  if (text[end] !== ')') return null;
  return { kind: 'aggregate', name: opening.slice(0, -1), parameters, start: at, end: end + 1 };
}

const AGGREGATE_OPENING = /[a-zA-Z0-9_.-]+\(/y;
const COMMA = / *, */y;

function readParameter(text: string, at: number): AggregateParameter | null {
  const written = readPattern(QUOTED_PARAMETER, text, at);
  const parameter = written ?? readPattern(PARAMETER, text, at);
  if (parameter === null) return null;
  return { text: parameter, isQuoted: written !== null, start: at, end: at + parameter.length };
}

const QUOTED_PARAMETER = /"(?:\\"|[^\t\n"])*"/y;
const PARAMETER = /[^()\t\n, "]+/y;

export function skipSpaces(text: string, at: number): number {
  let end = at;
  while (text[end] === ' ') end += 1;
  return end;
}
