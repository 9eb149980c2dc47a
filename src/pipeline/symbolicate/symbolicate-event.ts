import type { NormalizedEvent, Stacktrace } from '#protocol/event.ts';
import { deobfuscateEvent } from './java/deobfuscate-event.ts';
import { type StackContext, symbolicateStack } from './javascript/symbolicate-stack.ts';
import { mapStacks } from './map-stacks.ts';
import { symbolicateNative } from './native/symbolicate-native.ts';
import type { SymbolSources } from './symbol-sources.ts';

/** Debug images of one event that are used. */
const IMAGES_MAX = 1_000;
/** ProGuard mappings of one event that are used. */
const MAPPINGS_MAX = 8;
/** Characters of source context added to one event. */
const SOURCE_CHARS_MAX = 1_000_000;

/**
 * The event with its frames as they were written, before a bundler or an obfuscator changed them. What was sent is kept
 * as `raw_stacktrace`. Pure: the same answers of `sources` give the same event. Where it answered `unknown`, frames stay.
 */
export function symbolicateEvent(event: NormalizedEvent, sources: SymbolSources): NormalizedEvent {
  const { scripts, mappings } = readImages(event.debug_meta?.images);
  const context: StackContext = {
    platform: event.platform,
    release: event.release ?? null,
    dist: event.dist ?? null,
    debugIds: scripts,
    findScript: sources.findScript,
    lines: { charsLeft: SOURCE_CHARS_MAX },
  };
  const mapped = mapStacks(event, (stacktrace: Stacktrace) => symbolicateStack(stacktrace, context));
  const java = mappings.length === 0 ? mapped : deobfuscateEvent(mapped, mappings, sources.findMapping);
  return symbolicateNative(java, sources.findSymbols);
}

/**
 * Ids that an event, or a profile, names for what it was built from.
 * Source: https://develop.sentry.dev/sdk/foundations/transport/event-payloads/debugmeta/
 */
export function readImages(images: unknown): {
  /** Address of a script → its debug id. */
  scripts: ReadonlyMap<string, string>;
  mappings: readonly string[];
} {
  const scripts = new Map<string, string>();
  const mappings = new Set<string>();
  for (const image of Array.isArray(images) ? images.slice(0, IMAGES_MAX) : []) {
    if (typeof image !== 'object' || image === null) continue;
    const { type, code_file: file, debug_id: debugId, uuid } = image as Readonly<Record<string, unknown>>;
    const id = normalizeDebugId(debugId ?? uuid);
    if (id === null) continue;
    if (type === 'sourcemap' && typeof file === 'string') scripts.set(file, id);
    if (type === 'proguard' && mappings.size < MAPPINGS_MAX) mappings.add(id);
  }
  return { scripts, mappings: [...mappings] };
}

/** Lower case with dashes; null for anything that is no such id. */
export function normalizeDebugId(value: unknown): string | null {
  const digits = typeof value === 'string' ? value.toLowerCase().replaceAll('-', '') : '';
  if (!/^[0-9a-f]{32}$/.test(digits)) return null;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
