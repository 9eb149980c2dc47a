import type { ExceptionValue, Frame, NormalizedEvent, Stacktrace } from '#protocol/event.ts';
import { isSymbolicated, withProblem } from '../frame-problem.ts';
import { mapStacks } from '../map-stacks.ts';
import type { MappingProblem, SymbolSources } from '../symbol-sources.ts';
import type { MappedClass, MappedMethod, ObfuscationMapping } from './parse-mapping.ts';

/** Code of the platform, whose names nobody changes. */
const PLATFORM_CLASS = /^(?:java|javax|jdk|sun|kotlin|kotlinx|android|androidx|dalvik|com\.android)\./;

/** The event with its obfuscated classes, methods and lines as they were written, by the first mapping that has them. */
export function deobfuscateEvent(
  event: NormalizedEvent,
  mappingIds: readonly string[],
  findMapping: SymbolSources['findMapping'],
): NormalizedEvent {
  const mappings: ObfuscationMapping[] = [];
  let problem: MappingProblem | null = null;
  // Each is asked for before the first unknown one ends it, so that all of them are looked for at once.
  for (const found of mappingIds.map(findMapping)) {
    if (found === 'unknown') return event;
    if ('reason' in found) problem ??= found;
    else mappings.push(found);
  }
  const isJava = (frame: Frame) => (frame.platform ?? event.platform) === 'java';
  const deobfuscated = mapStacks(event, (stacktrace) => mapStack(stacktrace, mappings, problem, isJava));
  if (!deobfuscated.exception) return deobfuscated;
  const exceptions = deobfuscated.exception.values.map((value) => nameException(value, mappings));
  return { ...deobfuscated, exception: { values: exceptions } };
}

/** null when no frame changed. */
function mapStack(
  stacktrace: Stacktrace,
  mappings: readonly ObfuscationMapping[],
  problem: MappingProblem | null,
  isJava: (frame: Frame) => boolean,
): Stacktrace | null {
  let isChanged = false;
  const frames = stacktrace.frames.flatMap((frame) => {
    if (!isJava(frame) || isSymbolicated(frame)) return [frame];
    for (const mapping of mappings) {
      const mapped = deobfuscateFrame(frame, mapping);
      if (!mapped) continue;
      isChanged = true;
      return mapped;
    }
    if (!problem || !frame.module || PLATFORM_CLASS.test(frame.module)) return [frame];
    isChanged = true;
    return [withProblem(frame, problem)];
  });
  return isChanged ? { ...stacktrace, frames } : null;
}

function nameException(value: ExceptionValue, mappings: readonly ObfuscationMapping[]): ExceptionValue {
  const name = value.module ? `${value.module}.${value.type ?? ''}` : (value.type ?? '');
  for (const mapping of mappings) {
    const found = mapping.findClass(name);
    if (found) return { ...value, ...splitClass(found.name) };
  }
  return value;
}

function splitClass(name: string): { module: string | null; type: string } {
  const dot = name.lastIndexOf('.');
  return dot === -1
    ? { module: null, type: name }
    : { module: name.slice(0, dot), type: name.slice(dot + 1) };
}

/** Frames that one frame expands to when methods were inlined. */
const INLINED_MAX = 50;

/** The frames that one stands for, oldest call first; null when its class is not of the mapping. */
export function deobfuscateFrame(frame: Frame, mapping: ObfuscationMapping): Frame[] | null {
  const found = frame.module ? mapping.findClass(frame.module) : null;
  if (!found) return null;
  const methods = methodsAt(found, frame.function ?? '', frame.lineno ?? null);
  if (methods.length === 0)
    return [named(frame, found, found.name, frame.function ?? null, frame.lineno ?? null)];
  return methods
    .slice(0, INLINED_MAX)
    .map((method) =>
      named(frame, found, method.className ?? found.name, method.name, lineOf(method, frame.lineno)),
    )
    .reverse();
}

/** Innermost first, as a mapping lists what was put into one another: all lines with the same range. */
function methodsAt(found: MappedClass, name: string, line: number | null): readonly MappedMethod[] {
  const all = found.members().get(name) ?? [];
  if (line !== null && line > 0) {
    const first = all.find(
      (method) => method.from !== null && method.to !== null && method.from <= line && line <= method.to,
    );
    if (first) return all.filter((method) => method.from === first.from && method.to === first.to);
  }
  // Without a line nobody knows which of several methods it was: only a single name is sure.
  const names = new Set(all.map((method) => `${method.className ?? ''}.${method.name}`));
  const [only] = all;
  return only && names.size === 1
    ? [{ ...only, from: null, to: null, originalFrom: null, originalTo: null }]
    : [];
}

function lineOf(method: MappedMethod, sent: number | null | undefined): number | null {
  // Lines that were not renumbered are told by one range only.
  if (method.originalFrom === null) return sent ?? null;
  const isRange = method.originalTo !== null && method.originalTo > method.originalFrom;
  if (!isRange || method.from === null || sent === null || sent === undefined) return method.originalFrom;
  return Math.min(method.originalFrom + sent - method.from, method.originalTo ?? method.originalFrom);
}

function named(
  frame: Frame,
  found: MappedClass,
  className: string,
  name: string | null,
  line: number | null,
): Frame {
  const file = sourceFileOf(className, found, frame.filename ?? '');
  return {
    ...frame,
    module: className,
    function: name,
    lineno: line,
    filename: file ?? frame.filename ?? null,
    abs_path: file ?? frame.abs_path ?? null,
    data: { ...frame.data, symbolicated: true },
  };
}

/**
 * null for the one that was sent. Mappings may tell the file of the class itself; that of another class, or one in place
 * of which a word without an ending was sent (`SourceFile`, `Unknown Source`), is taken from the name of the class.
 */
function sourceFileOf(className: string, found: MappedClass, sent: string): string | null {
  if (className === found.name && found.sourceFile) return found.sourceFile;
  if (className === found.name && sent.includes('.')) return null;
  const outer = className.split('.').at(-1)?.split('$')[0];
  return outer ? `${outer}.java` : null;
}
