import { findSegment } from '../source-map/find-original.ts';
import type { FunctionStarts, ScriptFunctions } from '../source-map/function-starts.ts';
import { NONE, type SourceMap } from '../source-map/source-map.ts';
import {
  type FunctionScope,
  findFunctionScopes,
  type NamePart,
  type WrittenName,
} from './function-scopes.ts';

/** The name of one function. */
const NAME_CHARS_MAX = 256;

/**
 * The functions of a script under the names that its source map has for them. null when the script does not parse. A
 * function is left without a name rather than given one that only the minifier chose.
 */
export function nameFunctions(script: string, map: SourceMap): ScriptFunctions | null {
  const scopes = findFunctionScopes(script);
  if (!scopes) return null;
  const resolver = new NameResolver(script, map);
  const names: string[] = [];
  const indexes = new Map<string, number>();
  const starts = new StartWriter(resolver.lines);
  for (const scope of scopes) {
    const name = scope.name && resolver.resolve(scope.name);
    if (name === null) {
      starts.open(scope, NONE);
      continue;
    }
    const index = indexes.get(name) ?? names.push(name) - 1;
    indexes.set(name, index);
    starts.open(scope, index);
  }
  return { starts: starts.finish(), names };
}

/** Turns functions within functions into places where another one begins. */
class StartWriter {
  readonly #lines: LineIndex;
  readonly #around: { end: number; name: number }[] = [];
  #starts: { offset: number; name: number }[] = [{ offset: 0, name: NONE }];

  constructor(lines: LineIndex) {
    this.#lines = lines;
  }

  open({ start, end }: FunctionScope, name: number): void {
    this.#closeUntil(start);
    this.#begin(start, name);
    this.#around.push({ end, name });
  }

  finish(): FunctionStarts {
    this.#closeUntil(Number.POSITIVE_INFINITY);
    const count = this.#starts.length;
    const lines = new Uint32Array(count);
    const columns = new Uint32Array(count);
    const nameIndexes = new Uint32Array(count);
    for (const [at, { offset, name }] of this.#starts.entries()) {
      const line = this.#lines.lineOf(offset);
      lines[at] = line;
      columns[at] = offset - this.#lines.startOf(line);
      nameIndexes[at] = name;
    }
    return { sourceStarts: Uint32Array.of(0, count), lines, columns, nameIndexes };
  }

  #closeUntil(start: number): void {
    for (let inner = this.#around.at(-1); inner && inner.end <= start; inner = this.#around.at(-1)) {
      this.#around.pop();
      this.#begin(inner.end, this.#around.at(-1)?.name ?? NONE);
    }
  }

  #begin(offset: number, name: number): void {
    const last = this.#starts.at(-1);
    if (last?.offset === offset) last.name = name;
    else if (last?.name !== name) this.#starts.push({ offset, name });
  }
}

/** Finds what the minifier renamed. */
class NameResolver {
  readonly lines: LineIndex;
  readonly #map: SourceMap;
  readonly #sourceLines = new Map<number, LineIndex>();

  constructor(script: string, map: SourceMap) {
    this.lines = new LineIndex(script, SCRIPT_LINE_ENDS);
    this.#map = map;
  }

  /** null when the map does not say what a part of it is called in the source. */
  resolve(parts: readonly NamePart[]): string | null {
    let name = '';
    for (const part of parts) {
      const text = typeof part === 'string' ? part : this.#nameOf(part);
      if (text === null) return null;
      name += text;
    }
    return name.slice(0, NAME_CHARS_MAX);
  }

  #nameOf(written: WrittenName): string | null {
    const { text, at, kind } = written;
    const segment = this.#segmentAt(at);
    const isPrivate = kind === 'private';
    // Some tools name a key where its parenthesis begins.
    const end = at + text.length + (isPrivate ? 1 : 0);
    const named =
      (segment !== null && (this.#nameAt(segment) ?? this.#nameBefore(segment))) ||
      (kind !== 'binding' && this.#nameAt(this.#segmentAt(end)));
    if (kind === 'key') return named || text;
    const name = named || (segment === null ? null : this.#wordAt(segment));
    return isPrivate && name ? `#${name.replace(/^#/, '')}` : name;
  }

  /** The segment that begins exactly at an offset of the script. */
  #segmentAt(offset: number): number | null {
    const line = this.lines.lineOf(offset);
    const column = offset - this.lines.startOf(line);
    const segment = findSegment(this.#map, line, column);
    return typeof segment === 'number' && this.#map.generatedColumns[segment] === column ? segment : null;
  }

  #nameAt(segment: number | null): string | null {
    const name = segment === null ? NONE : (this.#map.nameIndexes[segment] ?? NONE);
    return name === NONE ? null : (this.#map.names[name] ?? null);
  }

  /** Some tools name the keyword before an identifier, as the same place of the source. */
  #nameBefore(segment: number): string | null {
    const { sourceIndexes, originalLines, originalColumns } = this.#map;
    const isSamePlace = [sourceIndexes, originalLines, originalColumns].every(
      (field) => field[segment] === field[segment - 1],
    );
    return isSamePlace ? this.#nameAt(segment - 1) : null;
  }

  /** The identifier that stands in the source where a segment comes from. */
  #wordAt(segment: number): string | null {
    const source = this.#map.sourceIndexes[segment] ?? NONE;
    const content = this.#map.sourcesContent[source] ?? null;
    if (content === null) return null;
    const known = this.#sourceLines.get(source);
    const lines = known ?? new LineIndex(content, SOURCE_LINE_ENDS);
    if (!known) this.#sourceLines.set(source, lines);
    const line = this.#map.originalLines[segment] ?? 0;
    IDENTIFIER.lastIndex = lines.startOf(line) + (this.#map.originalColumns[segment] ?? 0);
    const word = IDENTIFIER.exec(content)?.[0] ?? null;
    return word === null || KEYWORDS.has(word) ? null : word;
  }
}

/** As engines count them in error stacks. */
const SCRIPT_LINE_ENDS = /\r\n|[\n\r\u2028\u2029]/g;
/** As bundlers count them. */
const SOURCE_LINE_ENDS = /\n/g;

/** Where the lines of a text begin. Lines and offsets count from 0. */
class LineIndex {
  readonly #starts: number[] = [0];

  constructor(text: string, ends: RegExp) {
    for (const { index, 0: end } of text.matchAll(ends)) this.#starts.push(index + end.length);
  }

  lineOf(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Behind every text for a line that it does not have. */
  startOf(line: number): number {
    return this.#starts[line] ?? Number.MAX_SAFE_INTEGER;
  }
}

const IDENTIFIER = /#?[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;

/** What stands at the beginning of a function or class and is not its name. */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'abstract as async await break case catch class const continue debugger declare default delete do else enum ' +
    'export extends false finally for from function get if import in instanceof let new null of override private ' +
    'protected public readonly return set static super switch this throw true try type typeof undefined var void ' +
    'while with yield'
  ).split(' '),
);
