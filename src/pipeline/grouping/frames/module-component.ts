import type { Frame } from '#protocol/event.ts';
import { ignored, leaf } from '../component.ts';
import type { GroupingComponent } from '../grouping-types.ts';
import { withoutGeneratedParts } from './generated-classes.ts';

/** The module or class of a frame. */
export function moduleComponent(frame: Frame, platform: string): GroupingComponent {
  const { module, abs_path: path } = frame;
  if (module === null || module === undefined) return leaf('module', null);
  if (platform === 'javascript' && module.includes('/') && path?.endsWith(module)) {
    return ignored(leaf('module', module), 'the module is only the end of the address');
  }
  if (platform !== 'java') return leaf('module', module);
  const stable = withoutGeneratedParts(module);
  const part = stable === module ? leaf('module', module) : leaf('module', stable, 'generated part replaced');
  return module.includes('$$Lambda$') && stable === module
    ? ignored(part, 'lambdas have no stable name')
    : part;
}
