import type { ExceptionValue, Frame, NormalizedEvent, Stacktrace } from '#protocol/event.ts';
import type { MappingProblem, SymbolSources } from '../artifacts.ts';
import { isSymbolicated, withProblem } from '../frame-problem.ts';
import { mapStacks } from '../map-stacks.ts';
import { deobfuscateFrame } from './deobfuscate-frame.ts';
import type { ObfuscationMapping } from './parse-mapping.ts';

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
