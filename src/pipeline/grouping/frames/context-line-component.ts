import type { Frame } from '#protocol/event.ts';
import { ignored, leaf } from '../component.ts';
import type { GroupingComponent } from '../grouping-types.ts';
import { platformFamily } from '../platform-family.ts';
import { isWebOrFilePath } from './url-origin.ts';

/** A longer line is minified or generated. */
const LINE_CHARS_MAX = 120;

/** The frame's source line, with single spaces. */
export function contextLineComponent(frame: Frame, platform: string): GroupingComponent {
  const sent = frame.context_line ?? '';
  const line = sent.trim().replace(/\s+/g, ' ');
  if (line === '') return leaf('context_line', null);
  if (isLong(sent)) return ignored(leaf('context_line', line), 'the line is too long');
  if (platformFamily(platform) === 'javascript' && !frame.function && isWebOrFilePath(frame.abs_path)) {
    return ignored(leaf('context_line', line), 'at an address and without a function it may be any text');
  }
  return leaf('context_line', line);
}

/** Counts characters, not UTF-16 units. */
const isLong = (line: string): boolean =>
  line.length > LINE_CHARS_MAX && (line.length > 2 * LINE_CHARS_MAX || [...line].length > LINE_CHARS_MAX);
