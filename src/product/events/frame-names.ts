import { offsetInModule } from '#pipeline/code-location.ts';
import { crashingFrame, crashingStack } from '#pipeline/main-exception.ts';
import type { Frame, NormalizedEvent, Stacktrace } from '#protocol/event.ts';

/** Where a file's name says little, the class belongs to the function: `com.shop.Cache.grow`. */
const CLASS_FILE = /\.(java|kt|scala|groovy|cs|vb|fs)$/;

/** What the called function is called, or of native code where in its module it is; never empty. */
export function functionOf(frame: Frame): string {
  const name = frame.function || frame.raw_function || offsetInModule(frame) || '<unknown>';
  const isClass = frame.module && frame.filename && CLASS_FILE.test(frame.filename);
  return isClass && !name.startsWith(`${frame.module}.`) ? `${frame.module}.${name}` : name;
}

/** File, module or path; empty when nothing is known. */
export const fileOf = (frame: Frame): string => frame.filename || frame.module || frame.abs_path || '';

/** Name of the library that a frame belongs to, without its path; empty when it names none. */
export const libraryOf = (frame: Frame): string => (frame.package ?? '').split(/[/\\]/).at(-1) ?? '';

/** `checkout/cart.ts:84:12` as far as it is known; empty without a file. */
export function positionOf(frame: Frame): string {
  const { lineno, colno } = frame;
  return [fileOf(frame), lineno, lineno == null ? null : colno]
    .filter((part) => part !== null && part !== undefined && part !== '')
    .join(':');
}

/** The frame that the culprit names; null without frames. */
export const findCrashFrame = (event: NormalizedEvent): Frame | null => crashingFrame(event);

/** The stack of the crash frame; null without frames. */
export const findCrashStack = (event: NormalizedEvent): Stacktrace | null => crashingStack(event);
