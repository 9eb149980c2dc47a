import { codeLocation, isJavaScript } from '#pipeline/code-location.ts';
import { PATH_CHARS_MAX } from '#pipeline/normalize/limits.ts';
import { cutText, toSafeText } from '#pipeline/normalize/safe-text.ts';
import type { Frame, Stacktrace } from '#protocol/event.ts';
import { withProblem } from '../frame-problem.ts';
import { findSegment } from '../source-map/find-original.ts';
import { findFunction } from '../source-map/function-starts.ts';
import { type PackedMap, textAt } from '../source-map/packed-map.ts';
import { NONE } from '../source-map/source-map.ts';
import type { FoundScript, FrameProblem, SymbolSources } from '../symbol-sources.ts';
import { isScriptAddress, resolveAddress } from './script-address.ts';
import { isOwnSource, type SourceContext, sourceContext, sourceFileName } from './source-text.ts';

export type StackContext = {
  platform: string;
  release: string | null;
  dist: string | null;
  /** Address of a script → its debug id. */
  debugIds: ReadonlyMap<string, string>;
  /** By its upload: `product/artifacts/locate-source-map.ts`. */
  findScript: SymbolSources['findScript'];
  /** Of all stacks of the event. */
  lines: LineBudget;
};

/** Takes frames of bundles to their sources; on every one that stays it says why. null when nothing changed. */
export function symbolicateStack(stacktrace: Stacktrace, context: StackContext): Stacktrace | null {
  let isChanged = false;
  const frames = stacktrace.frames.map((frame): Frame => {
    const done = symbolicateFrame(frame, context);
    if (done === null) return frame;
    isChanged = true;
    return done;
  });
  return isChanged ? { ...stacktrace, frames } : null;
}

/** null when the frame stays as it is. */
function symbolicateFrame(
  frame: Frame,
  { platform, release, dist, debugIds, findScript, lines }: StackContext,
): Frame | null {
  const address = frame.abs_path ?? frame.filename ?? '';
  if (!isJavaScript(frame.platform ?? platform) || !isScriptAddress(address)) return null;
  if (frame.data?.symbolicated === true) return null;
  const debugId = debugIds.get(address) ?? null;
  const script = findScript({ url: address, debugId, release, dist });
  if (script === 'unknown') return null;
  if (script.kind === 'absent') {
    // The SDK read the source itself, from files that nobody bundled: those have no debug id.
    if (frame.context_line && debugId === null) return null;
    const { kind: _kind, ...problem } = script;
    return withProblem(frame, problem);
  }
  const mapped = mapFrame(frame, script, lines);
  switch (mapped.kind) {
    case 'unknown':
      return null;
    case 'unmapped':
      return withProblem(frame, mapped.problem);
    case 'mapped':
      return mapped.problem ? withProblem(mapped.frame, mapped.problem) : mapped.frame;
  }
}

type MappedFrame =
  | {
      kind: 'mapped';
      frame: Frame;
      /** Set when the place is known and its text is not. */
      problem: FrameProblem | null;
    }
  | { kind: 'unmapped'; problem: FrameProblem }
  /** The text of the source has to be looked for first. */
  | { kind: 'unknown' };

/** What is left for source lines. A frame that begins within it gets all of its own; what it takes is taken off. */
type LineBudget = { charsLeft: number };

/** One frame of a bundle in its source. Once the budget is spent, places are told without their lines. */
function mapFrame(frame: Frame, script: FoundScript, budget: LineBudget): MappedFrame {
  const { file, map } = script;
  const line = frame.lineno ?? 0;
  const column = frame.colno ?? 0;
  if (line < 1 || column < 1) return { kind: 'unmapped', problem: { reason: 'no_position' } };
  const at = findSegment(map, line - 1, column - 1);
  if (at === 'no-line') return { kind: 'unmapped', problem: { reason: 'line_out_of_range', file, line } };
  if (at === 'unmapped') {
    return { kind: 'unmapped', problem: { reason: 'column_out_of_range', file, line, column } };
  }

  const index = map.sourceIndexes[at] ?? NONE;
  const hasRoom = budget.charsLeft > 0;
  const text = hasRoom ? script.findSource(index) : null;
  if (text === 'unknown') return { kind: 'unknown' };
  const originalLine = map.originalLines[at] ?? 0;
  const originalColumn = map.originalColumns[at] ?? 0;
  const place = placeOf(map, index, script.baseUrl);
  const context = text && sourceContext(text, originalLine, originalColumn);
  if (context) budget.charsLeft -= countChars(context);
  const name =
    functionInSource(map, index, originalLine, originalColumn) ?? functionInScript(map, line - 1, column - 1);
  const mapped: Frame = {
    ...frame,
    function: name ?? frame.function ?? null,
    abs_path: place.address,
    filename: place.filename ?? frame.filename ?? null,
    module: place.module,
    lineno: originalLine + 1,
    colno: originalColumn + 1,
    pre_context: context?.before ?? null,
    context_line: context?.line ?? null,
    post_context: context?.after ?? null,
    in_app: place.isOwn ?? frame.in_app ?? null,
    data: { ...frame.data, sourcemap: file, symbolicated: true, resolved_with: script.foundBy },
  };
  const noLines: FrameProblem = hasRoom
    ? { reason: 'source_content_missing', file, source: place.source }
    : { reason: 'source_lines_limit' };
  return { kind: 'mapped', frame: mapped, problem: context ? null : noLines };
}

function countChars({ before, line, after }: SourceContext): number {
  let chars = line.length;
  for (const { length } of before) chars += length;
  for (const { length } of after) chars += length;
  return chars;
}

/** What is the same for every frame of a source. */
type SourcePlace = {
  /** As the map names it; its address where the map does not. */
  source: string;
  address: string;
  /** null when the map does not name the source. */
  filename: string | null;
  module: string | null;
  isOwn: boolean | null;
};

/** Resolved positions cached for each source map. */
const PLACES_PER_MAP_MAX = 5_000;
const places = new WeakMap<PackedMap, Map<string, SourcePlace>>();

function placeOf(map: PackedMap, index: number, baseUrl: string): SourcePlace {
  const known = places.get(map) ?? new Map<string, SourcePlace>();
  places.set(map, known);
  const key = `${index} ${baseUrl}`;
  const remembered = known.get(key);
  if (remembered) return remembered;
  const source = map.sources[index] ?? null;
  const address = safe(source === null ? baseUrl : resolveAddress(baseUrl, source));
  const filename = source === null ? null : safe(sourceFileName(source));
  const module = codeLocation({ filename, abs_path: address }, 'javascript');
  const place: SourcePlace = {
    source: source === null ? address : safe(source),
    address,
    filename,
    module: module === '' ? null : module,
    isOwn: map.ignored[index] === 1 ? false : isOwnSource(address, filename ?? ''),
  };
  if (known.size >= PLACES_PER_MAP_MAX) known.clear();
  known.set(key, place);
  return place;
}

/** As the map itself says of its sources. */
function functionInSource(map: PackedMap, source: number, line: number, column: number): string | null {
  const found = map.functions && findFunction(map.functions, source, line, column);
  const name = found === null ? null : safeName(textAt(map.functionNames, found));
  return name === null || USELESS.has(name) ? null : name;
}

/** As the code of the script says, in the words of the map. */
function functionInScript(map: PackedMap, line: number, column: number): string | null {
  const found = map.scriptStarts && findFunction(map.scriptStarts, 0, line, column);
  return found === null || found === NONE ? null : safeName(textAt(map.scriptNames, found));
}

/** Maps hold whatever somebody uploaded. */
const safe = (text: string): string => toSafeText(cutText(text, PATH_CHARS_MAX));
const safeName = (text: string | null): string | null => (text === null ? null : safe(text));

/** What React Native's bundler calls code that has no name. */
const USELESS = new Set(['', '<anonymous>', '?', 'anonymous']);
