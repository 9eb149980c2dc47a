import type { Frame } from '#protocol/event.ts';
import { component, ignored } from '../component.ts';
import type { GroupingConfig } from '../grouping-configs.ts';
import type { GroupingComponent } from '../grouping-types.ts';
import { platformFamily } from '../platform-family.ts';
import { contextLineComponent } from './context-line-component.ts';
import { filenameComponent } from './filename-component.ts';
import { afterLastDot, functionComponent } from './function-component.ts';
import { moduleComponent } from './module-component.ts';

/** Places that stand for code without a place. */
const NO_PLACES: ReadonlySet<string> = new Set(['[native code]', 'native code', 'eval code', '<anonymous>']);

/** One call of a stack: module or file, function, source line. Rules and other frames are not looked at here. */
export function frameComponent(frame: Frame, platform: string, config: GroupingConfig): GroupingComponent {
  const module = moduleComponent(frame, platform);
  const file = filenameComponent(frame, platform);
  const filename =
    module.contributes && file.contributes ? ignored(file, 'the module tells more than the file') : file;
  const line =
    frame.context_line && config.contextLinePlatforms.has(platform)
      ? contextLineComponent(frame, platform)
      : null;
  const named = functionComponent(frame, platform, line?.contributes ?? false);
  const part = component('frame', line ? [module, filename, named, line] : [module, filename, named]);
  return isPoorScriptFrame(frame, platform) ? ignored(part, 'the frame has no place of its own') : part;
}

const isPoorScriptFrame = (frame: Frame, platform: string): boolean =>
  platformFamily(platform) === 'javascript' &&
  (afterLastDot(frame.raw_function || frame.function || '') === 'eval' ||
    NO_PLACES.has(frame.abs_path ?? ''));
