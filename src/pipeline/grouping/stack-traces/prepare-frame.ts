import type { Frame } from '#protocol/event.ts';
import { trimFunction } from '../function-names/trim-function.ts';

/**
 * A frame as rules and hashes look at it: a bare function name (the one that was sent stays in `raw_function`) and a file
 * without query. The same object when that is how it is already.
 */
export function prepareFrame(frame: Frame, eventPlatform: string): Frame {
  const changes: Partial<Frame> = {};
  trimName(frame, frame.platform || eventPlatform, changes);
  if (eventPlatform === 'javascript') dropQuery(frame, changes);
  if (eventPlatform === 'python') replaceSpawnArguments(frame, changes);
  return Object.keys(changes).length === 0 ? frame : { ...frame, ...changes };
}

function trimName(frame: Frame, platform: string, changes: Partial<Frame>): void {
  const { function: name, raw_function: raw } = frame;
  if (!name || (raw !== null && raw !== undefined)) return;
  const trimmed = trimFunction(name, platform);
  if (trimmed === name) return;
  changes.function = trimmed;
  changes.raw_function = name;
}

function dropQuery({ filename }: Frame, changes: Partial<Frame>): void {
  if (!filename?.includes('?')) return;
  const [beforeFragment = ''] = filename.split('#', 1);
  const query = beforeFragment.slice(beforeFragment.indexOf('?') + 1);
  if (query !== '' && beforeFragment.includes('?')) changes.filename = filename.replaceAll(`?${query}`, '');
}

/** The line that CPython's multiprocessing makes up for each process that it starts, with that process's numbers. */
const SPAWN_LINE =
  /^from multiprocessing\.spawn import spawn_main; spawn_main\((?:tracker_fd|parent_pid)=\d+, pipe_handle=\d+\)/;

function replaceSpawnArguments(frame: Frame, changes: Partial<Frame>): void {
  const { module, filename, function: name, context_line: line } = frame;
  if (module !== '__main__' || filename !== '<string>' || name !== '<module>' || !line) return;
  if (SPAWN_LINE.test(line)) changes.context_line = line.replace(/=\d+/g, '=<int>');
}
