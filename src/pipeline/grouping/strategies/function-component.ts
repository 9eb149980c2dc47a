import type { Frame } from '#protocol/event.ts';
import { ignored, leaf } from '../component.ts';
import type { GroupingComponent } from '../grouping-types.ts';
import { platformFamily } from '../platform-family.ts';

/** Two numbers at the end of the methods that Ruby's ERB makes of templates. */
const ERB_SUFFIX = /__\d{4,}_\d{4,}$/;

/**
 * The function of a frame, whose name was trimmed before.
 * @param hasContextLine whether the frame's source line contributes
 */
export function functionComponent(
  frame: Frame,
  platform: string,
  hasContextLine: boolean,
): GroupingComponent {
  const name = nameOf(frame, platform);
  if (name === '') return leaf('function', null);
  switch (platform) {
    case 'ruby':
      return rubyFunction(name);
    case 'php':
      return phpFunction(name);
    case 'java':
      return name.startsWith('lambda$')
        ? ignored(leaf('function', name), 'lambdas have no stable name')
        : leaf('function', name);
    default:
      return platformFamily(platform) === 'javascript'
        ? scriptFunction(frame, name, hasContextLine)
        : otherFunction(name, platform);
  }
}

/** C# is hashed with its signature, as it was before signatures were trimmed for display. */
const nameOf = (frame: Frame, platform: string): string =>
  (platform === 'csharp' ? frame.raw_function || frame.function : frame.function || frame.raw_function) || '';

function rubyFunction(name: string): GroupingComponent {
  if (name.startsWith('block ')) return leaf('function', 'block', 'block location ignored');
  const stable = name.replace(ERB_SUFFIX, '');
  return stable === name ? leaf('function', name) : leaf('function', stable, 'generated suffix removed');
}

function phpFunction(name: string): GroupingComponent {
  if (name.startsWith('class@anonymous')) {
    const method = name.slice(name.lastIndexOf('::') + 2);
    if (name.includes('::')) return leaf('function', method, 'method of an anonymous class');
  }
  return name.startsWith('[Anonymous') || /^class@anonymous[\0\ufffd]/.test(name)
    ? ignored(leaf('function', name), 'anonymous functions have no stable name')
    : leaf('function', name);
}

const otherFunction = (name: string, platform: string): GroupingComponent =>
  platformFamily(platform) === 'native' && (name === '<redacted>' || name === '<unknown>')
    ? ignored(leaf('function', name), 'the function is unknown')
    : leaf('function', name);

const UNKNOWN_SCRIPT_FUNCTIONS: ReadonlySet<string> = new Set([
  '?',
  '<anonymous function>',
  '<anonymous>',
  'Anonymous function',
]);

/** What browsers put before the last dot (`Object.`, the name of a class, an alias) differs between them. */
function scriptFunction(frame: Frame, name: string, hasContextLine: boolean): GroupingComponent {
  const own = afterLastDot(name);
  const part = leaf('function', own, own === name ? null : 'prefix before the dot removed');
  const sent = afterLastDot(frame.raw_function || frame.function || '');
  if (sent === '') return ignored(part);
  if (UNKNOWN_SCRIPT_FUNCTIONS.has(sent) || sent.endsWith('/<')) {
    return ignored(part, 'the function is unknown');
  }
  if (hasContextLine && frame.data?.sourcemap !== undefined && frame.data.sourcemap !== null) {
    return ignored(part, 'function names from source maps are unreliable, the source line is more specific');
  }
  return part;
}

export const afterLastDot = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
