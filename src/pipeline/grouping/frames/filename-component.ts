import type { Frame } from '#protocol/event.ts';
import { ignored, leaf } from '../component.ts';
import type { GroupingComponent } from '../grouping-types.ts';
import { withoutJavassistMark } from './generated-classes.ts';
import { isWebPath } from './url-origin.ts';

/** The file's own name without its folders, in lower case: builds and machines differ in the rest. */
export function filenameComponent(frame: Frame, platform: string): GroupingComponent {
  if (frame.filename === null || frame.filename === undefined) return leaf('filename', null);
  const name = baseName(frame.filename).toLowerCase();
  if (isWebPath(frame.abs_path)) return ignored(leaf('filename', name), 'the frame is at a web address');
  if (name === '<anonymous>') return ignored(leaf('filename', name), 'the file has no name');
  if (name === '[native code]') return ignored(leaf('filename', name), 'native code has no file');
  if (platform !== 'java') return leaf('filename', name);
  const stable = withoutJavassistMark(name);
  return stable === name ? leaf('filename', name) : leaf('filename', stable, 'generated part replaced');
}

const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
