import type { ExceptionValue } from '#protocol/event.ts';
import { leaf } from '../component.ts';
import type { GroupingComponent } from '../grouping-types.ts';

/**
 * The library or program in which a process died, of a crash dump in which no function has a name: addresses differ from
 * run to run, and the signal alone would put all crashes of a program together. null for every other exception.
 */
export function crashModule({ mechanism, stacktrace }: ExceptionValue): GroupingComponent | null {
  if (mechanism?.type !== 'minidump' && mechanism?.type !== 'unreal') return null;
  const frames = stacktrace?.frames ?? [];
  const image = frames.at(-1)?.package?.split(/[\\/]/).at(-1);
  if (!image || frames.some((frame) => frame.function || frame.raw_function)) return null;
  return leaf('crash_module', image.toLowerCase(), 'no function of the dump has a name');
}
