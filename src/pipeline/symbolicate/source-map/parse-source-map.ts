import { JsonTooLarge, parseBoundedJson } from '#lib/bounded-json.ts';
import { decodeMappings } from './decode-mappings.ts';
import { FunctionCollector } from './function-starts.ts';
import { SegmentWriter } from './segment-writer.ts';
import {
  InvalidSourceMap,
  NAMES_MAX,
  POSITION_MAX,
  SECTIONS_MAX,
  SOURCES_MAX,
  type SourceMap,
} from './source-map.ts';

/** Some servers put it before JSON, so that no page can run it as a script. */
const GUARD = /^\)\]\}'[^\n]*(\n|$)/;
const VERSION = 3;

/**
 * Parses a source map or an index map.
 * Throws InvalidSourceMap, saying what is wrong, for what the format forbids and beyond the limits.
 * Source: https://tc39.es/ecma426/#sec-ParseSourceMap
 */
export function parseSourceMap(text: string): SourceMap {
  const map = asObject(parseJson(text), 'It');
  const functions = new FunctionCollector();
  const parts: Parts = { sources: [], sourcesContent: [], names: [], ignored: [], functions };
  const writer = new SegmentWriter();
  if ('sections' in map) addSections(map, parts, writer);
  else addMap(map, parts, writer, { line: 0, column: 0 });
  return {
    ...parts,
    functions: functions.finish(),
    functionNames: functions.names,
    debugId: readDebugId(map),
    ...writer.finish(),
  };
}

type Parts = {
  sources: (string | null)[];
  sourcesContent: (string | null)[];
  names: string[];
  ignored: number[];
  functions: FunctionCollector;
};
type Json = Readonly<Record<string, unknown>>;
type Offset = { line: number; column: number };

function parseJson(text: string): unknown {
  try {
    return parseBoundedJson(text.startsWith(')') ? text.replace(GUARD, '') : text);
  } catch (error) {
    throw new InvalidSourceMap(error instanceof JsonTooLarge ? error.message : 'It is not JSON');
  }
}

function addSections(map: Json, parts: Parts, writer: SegmentWriter): void {
  if ('mappings' in map) throw new InvalidSourceMap('It has both "sections" and "mappings"');
  checkVersion(map);
  readText(map.file, '"file"');
  const sections = asList(map.sections, '"sections"');
  if (sections.length > SECTIONS_MAX) throw new InvalidSourceMap(`It has more than ${SECTIONS_MAX} sections`);
  let before: Offset = { line: 0, column: 0 };
  for (const [index, entry] of sections.entries()) {
    const what = `Section ${index + 1}`;
    const section = asObject(entry, what);
    if ('url' in section && !('map' in section))
      throw new InvalidSourceMap(`${what} refers to another file, which is not supported`);
    const offset = asObject(section.offset, `The offset of section ${index + 1}`);
    const place = { line: readOffset(offset.line, what), column: readOffset(offset.column, what) };
    const isBehind = place.line < before.line || (place.line === before.line && place.column < before.column);
    if (isBehind || !writer.moveTo(place.line, place.column))
      throw new InvalidSourceMap(`${what} starts before the previous section ends`);
    before = place;
    const inner = asObject(section.map, `The map in section ${index + 1}`);
    if ('sections' in inner) throw new InvalidSourceMap(`${what} is itself an index map`);
    addMap(inner, parts, writer, place);
  }
}

function addMap(map: Json, parts: Parts, writer: SegmentWriter, offset: Offset): void {
  checkVersion(map);
  if (typeof map.mappings !== 'string') throw new InvalidSourceMap('"mappings" is not a string');
  readText(map.file, '"file"');
  const root = readText(map.sourceRoot, '"sourceRoot"');
  const sources = asList(map.sources, '"sources"').map((source) => {
    if (source !== null && typeof source !== 'string')
      throw new InvalidSourceMap('"sources" contains a value that is neither a string nor null');
    return source === null ? null : withRoot(source, root);
  });
  const names = asList(map.names ?? [], '"names"').map((name) => {
    if (typeof name !== 'string') throw new InvalidSourceMap('"names" contains a value that is not a string');
    return name;
  });
  const contents = map.sourcesContent === undefined ? [] : asList(map.sourcesContent, '"sourcesContent"');
  const ignored = readIgnored(map, sources.length);
  const sourceOffset = parts.sources.length;
  const nameOffset = parts.names.length;
  if (sourceOffset + sources.length > SOURCES_MAX)
    throw new InvalidSourceMap(`It has more than ${SOURCES_MAX} sources`);
  if (nameOffset + names.length > NAMES_MAX)
    throw new InvalidSourceMap(`It has more than ${NAMES_MAX} names`);

  for (const source of sources) parts.sources.push(source);
  for (const name of names) parts.names.push(name);
  for (let index = 0; index < sources.length; index++) {
    const content = contents[index] ?? null;
    if (content !== null && typeof content !== 'string')
      throw new InvalidSourceMap('"sourcesContent" contains a value that is neither a string nor null');
    parts.sourcesContent.push(content);
  }
  for (const index of ignored) parts.ignored.push(index + sourceOffset);
  parts.functions.add(map.x_facebook_sources, sources.length);
  decodeMappings(
    map.mappings,
    {
      sourceCount: sources.length,
      nameCount: names.length,
      sourceOffset,
      nameOffset,
      columnOffset: offset.column,
    },
    writer,
  );
}

/** `ignoreList` is the standard's name, the other one that of the browsers before it. */
function readIgnored(map: Json, sourceCount: number): number[] {
  const list = map.ignoreList ?? map.x_google_ignoreList;
  if (list === undefined) return [];
  return asList(list, '"ignoreList"').map((index) => {
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= sourceCount) {
      throw new InvalidSourceMap('"ignoreList" refers to a source that does not exist');
    }
    return index as number;
  });
}

function checkVersion(map: Json): void {
  if (map.version !== VERSION) {
    throw new InvalidSourceMap(
      `Its version is ${describe(map.version)}; only version ${VERSION} is supported`,
    );
  }
}

/** As the bundlers write it; `debugId` is the standard's name. */
function readDebugId(map: Json): string | null {
  const id = map.debugId ?? map.debug_id;
  return typeof id === 'string' && id !== '' ? id : null;
}

function readOffset(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > POSITION_MAX)
    throw new InvalidSourceMap(`${what} has no valid offset`);
  return value;
}

function readText(value: unknown, what: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw new InvalidSourceMap(`${what} is not a string`);
  return value;
}

/** The root is put before every name, whatever it looks like: https://tc39.es/ecma426/#sec-DecodeSourceMapSources */
function withRoot(source: string, root: string): string {
  if (root === '') return source;
  return root.endsWith('/') ? root + source : `${root}/${source}`;
}

function asObject(value: unknown, what: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidSourceMap(`${what} is not an object`);
  }
  return value as Json;
}

function asList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new InvalidSourceMap(`${what} is not an array`);
  return value;
}

const describe = (value: unknown): string =>
  value === undefined ? 'missing' : JSON.stringify(value).slice(0, 40);
