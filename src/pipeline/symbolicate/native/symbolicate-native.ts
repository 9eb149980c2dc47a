import type { Frame, NormalizedEvent, Stacktrace } from '#protocol/event.ts';
import { baseName } from '../../code-location.ts';
import { isSymbolicated, withProblem } from '../frame-problem.ts';
import { mapStacks } from '../map-stacks.ts';
import type { FrameProblem, SymbolSources } from '../symbol-sources.ts';
import { type FoundSymbol, findSymbol } from './find-symbol.ts';
import { imageAt, type NativeImage, readNativeImages, toAddress } from './native-images.ts';

/** Frames of one stack, with those of inlined calls; beyond it only the function that they are in is named. */
const FRAMES_MAX = 1_000;

/** As Sentry says of an image whether its symbols were there. */
type ImageStatus = 'found' | 'missing' | 'malformed' | 'timeout';

/** The event with its native frames named by uploaded symbols: function, file, line, and what compilers put into it. */
export function symbolicateNative(
  event: NormalizedEvent,
  findSymbols: SymbolSources['findSymbols'],
): NormalizedEvent {
  const images = readNativeImages(event.debug_meta?.images);
  if (images.length === 0) return event;
  const statuses = new Map<number, ImageStatus>();
  const named = mapStacks(event, (stacktrace) => mapStack(stacktrace, { images, findSymbols, statuses }));
  return withStatuses(named, statuses);
}

type NativeContext = {
  images: readonly NativeImage[];
  findSymbols: SymbolSources['findSymbols'];
  /** By the place of the image; written here. */
  statuses: Map<number, ImageStatus>;
};

/** null when no frame changed. */
function mapStack(stacktrace: Stacktrace, context: NativeContext): Stacktrace | null {
  let isChanged = false;
  let left = Math.max(0, FRAMES_MAX - stacktrace.frames.length);
  const innermost = stacktrace.frames.length - 1;
  const frames = stacktrace.frames.flatMap((frame, index) => {
    // Where a call returns to is behind it; only the innermost is where it is.
    const mapped = mapFrame(frame, index === innermost ? 0n : 1n, context);
    if (mapped === null) return [frame];
    isChanged = true;
    if (mapped.length - 1 > left) return mapped.slice(0, 1);
    left -= mapped.length - 1;
    return mapped;
  });
  return isChanged ? { ...stacktrace, frames } : null;
}

/** The frames that one stands for, oldest call first; null to keep it. */
function mapFrame(frame: Frame, back: bigint, context: NativeContext): readonly Frame[] | null {
  const place = placeOf(frame, context.images);
  if (place === null || isSymbolicated(frame)) return null;
  const { image, offset } = place;
  const { debugId, name: file } = image;
  const symbols = context.findSymbols(debugId);
  if (symbols === 'unknown') return null;
  if (symbols === null || 'reason' in symbols) {
    const problem = symbols ?? { reason: 'debug_file_not_uploaded' as const, debugId, file };
    context.statuses.set(image.index, STATUS_OF[problem.reason]);
    return unnamed(frame, problem);
  }
  context.statuses.set(image.index, 'found');
  const relative = offset >= back ? offset - back : offset;
  const symbol = relative <= ADDRESS_MAX ? findSymbol(symbols, Number(relative)) : null;
  if (symbol === null) return unnamed(frame, { reason: 'address_without_symbol', debugId, file });
  return symbol.calls.map((call) => named(frame, image, symbol, call)).reverse();
}

const ADDRESS_MAX = 0xffffffffn;

const STATUS_OF = {
  debug_file_not_uploaded: 'missing',
  debug_file_invalid: 'malformed',
  not_loaded_in_time: 'timeout',
} as const satisfies Record<string, ImageStatus>;

/** Where the SDK found the name itself nothing is missing. */
const unnamed = (frame: Frame, problem: FrameProblem): readonly Frame[] | null =>
  frame.function ? null : [withProblem(frame, problem)];

function named(
  frame: Frame,
  image: NativeImage,
  symbol: FoundSymbol,
  call: FoundSymbol['calls'][number],
): Frame {
  return {
    ...frame,
    function: call.function ?? frame.function ?? null,
    filename: call.file === null ? (frame.filename ?? null) : baseName(call.file),
    abs_path: call.file ?? frame.abs_path ?? null,
    lineno: call.line,
    colno: null,
    symbol_addr: `0x${(image.start + BigInt(symbol.address)).toString(16)}`,
    data: { ...frame.data, symbolicated: true },
  };
}

/** The image that a frame is in, and where in it; null for frames of other languages and of unknown images. */
function placeOf(
  { instruction_addr: sent, addr_mode: mode }: Frame,
  images: readonly NativeImage[],
): { image: NativeImage; offset: bigint } | null {
  const at = toAddress(sent);
  if (at === null) return null;
  const relative = /^rel:(\d{1,6})$/.exec(mode ?? '');
  const image = relative ? images.find(({ index }) => index === Number(relative[1])) : imageAt(at, images);
  if (!image) return null;
  return { image, offset: relative ? at : at - image.start };
}

function withStatuses(event: NormalizedEvent, statuses: ReadonlyMap<number, ImageStatus>): NormalizedEvent {
  const images = event.debug_meta?.images;
  if (statuses.size === 0 || !Array.isArray(images)) return event;
  const marked = (images as readonly unknown[]).map((image, index) => {
    const status = statuses.get(index);
    return status === undefined ? image : { ...(image as object), debug_status: status };
  });
  return { ...event, debug_meta: { ...event.debug_meta, images: marked } };
}
