import type { Frame } from '#protocol/event.ts';
import { baseName } from '../../code-location.ts';
import { component, ignored, leaf } from '../component.ts';
import type { GroupingComponent, GroupingConfig } from '../grouping-types.ts';
import { platformFamily } from '../platform-family.ts';
import { afterLastDot, functionComponent } from './function-component.ts';

/** Places that stand for code without a place. */
const NO_PLACES: ReadonlySet<string> = new Set(['[native code]', 'native code', 'eval code', '<anonymous>']);

/** One call of a stack: module or file, function, source line. Rules and other frames are not looked at here. */
export function frameComponent(frame: Frame, platform: string, config: GroupingConfig): GroupingComponent {
  const module = moduleComponent(frame, platform);
  const file = filenameComponent(frame, platform);
  const filename =
    module.contributes && file.contributes
      ? ignored(file, 'the module is more specific than the file')
      : file;
  const line =
    frame.context_line && config.contextLinePlatforms.has(platform)
      ? contextLineComponent(frame, platform)
      : null;
  const named = functionComponent(frame, platform, line?.contributes ?? false);
  const part = component('frame', line ? [module, filename, named, line] : [module, filename, named]);
  // What a scan finds may be left of calls that have returned, and differs from run to run.
  if (frame.trust === 'scan') return ignored(part, 'the frame was found by scanning the stack');
  return isPoorScriptFrame(frame, platform) ? ignored(part, 'the frame has no identifiable location') : part;
}

const isPoorScriptFrame = (frame: Frame, platform: string): boolean =>
  platformFamily(platform) === 'javascript' &&
  (afterLastDot(frame.raw_function || frame.function || '') === 'eval' ||
    NO_PLACES.has(frame.abs_path ?? ''));

/** A longer source line is minified or generated, and does not group. */
const LINE_CHARS_MAX = 120;

/** The frame's source line, with single spaces. */
function contextLineComponent(frame: Frame, platform: string): GroupingComponent {
  const sent = frame.context_line ?? '';
  const line = sent.trim().replace(/\s+/g, ' ');
  if (line === '') return leaf('context_line', null);
  if (isLong(sent)) return ignored(leaf('context_line', line), 'the line is too long');
  if (platformFamily(platform) === 'javascript' && !frame.function && isWebOrFilePath(frame.abs_path)) {
    return ignored(leaf('context_line', line), 'unreliable without a function in a file at a URL');
  }
  return leaf('context_line', line);
}

/** Counts characters, not UTF-16 units. */
const isLong = (line: string): boolean =>
  line.length > LINE_CHARS_MAX && (line.length > 2 * LINE_CHARS_MAX || [...line].length > LINE_CHARS_MAX);

/** The file's own name without its folders, in lower case: builds and machines differ in the rest. */
function filenameComponent(frame: Frame, platform: string): GroupingComponent {
  if (frame.filename === null || frame.filename === undefined) return leaf('filename', null);
  const name = baseName(frame.filename).toLowerCase();
  if (isWebPath(frame.abs_path)) return ignored(leaf('filename', name), 'the frame is at a URL');
  if (name === '<anonymous>') return ignored(leaf('filename', name), 'the file has no name');
  if (name === '[native code]') return ignored(leaf('filename', name), 'native code has no file');
  if (platform !== 'java') return leaf('filename', name);
  const stable = withoutJavassistMark(name);
  return stable === name ? leaf('filename', name) : leaf('filename', stable, 'generated part replaced');
}

/** The module or class of a frame. */
function moduleComponent(frame: Frame, platform: string): GroupingComponent {
  const { module, abs_path: path } = frame;
  if (module === null || module === undefined) return leaf('module', null);
  if (platform === 'javascript' && module.includes('/') && path?.endsWith(module)) {
    return ignored(leaf('module', module), 'the module is only the end of the URL');
  }
  if (platform !== 'java') return leaf('module', module);
  const stable = withoutGeneratedParts(module);
  const part = stable === module ? leaf('module', module) : leaf('module', stable, 'generated part replaced');
  return module.includes('$$Lambda$') && stable === module
    ? ignored(part, 'lambdas have no stable name')
    : part;
}

/** Names that JVM libraries give to classes made at run time: what follows the mark differs from start to start. */
const MARKS: readonly (readonly [hint: string, pattern: RegExp])[] = [
  // Reflection of OpenJDK: sun.reflect.GeneratedConstructorAccessor12
  ['Generated', /(sun\.reflect\.Generated(?:Serialization)?ConstructorAccessor)\d+/g],
  // Spring: Shop$$EnhancerBySpringCGLIB$$1a2b3c4d
  ['CGLIB$$', /(\$\$\w{1,200}?CGLIB\$\$)[a-fA-F0-9]+(?:_[0-9]+)?/g],
  // Javassist: Order_$$_javassist_seam_74
  ['_javassist', /(\$\$_javassist)(?:_seam)?(?:_[0-9]+)?/g],
  // Clojure: shop.core$fn__1234
  ['$fn__', /(\$fn__)\d+/g],
  // Guice: Shop$$EnhancerByGuice$$1a2b3c4d
  ['EnhancerBy', /(\$\$?EnhancerBy\w{1,200}?\$?\$)[a-fA-F0-9]+(?:_[0-9]+)?/g],
  // Guice: Shop$$FastClassByGuice$$1a2b3c4d
  ['FastClassBy', /(\$\$?FastClassBy\w{1,200}?\$?\$)[a-fA-F0-9]+(?:_[0-9]+)?/g],
  // Hibernate: User$HibernateProxy$oRWxjAWT
  ['HibernateProxy', /(\$\$?HibernateProxy\$?\$)\w+(?:_[0-9]+)?/g],
];

/** Accessors of methods are all one class, whichever method they call. */
const METHOD_ACCESSORS = [
  'sun.reflect.GeneratedMethodAccessor',
  'jdk.internal.reflect.GeneratedMethodAccessor',
] as const;

/** A Java class with what was generated replaced by `<auto>`; the same name when nothing was. */
function withoutGeneratedParts(name: string): string {
  const accessor = METHOD_ACCESSORS.find((prefix) => name.startsWith(prefix));
  if (accessor !== undefined) return accessor;
  let stable = name;
  for (const [hint, pattern] of MARKS) {
    if (stable.includes(hint)) stable = stable.replace(pattern, '$1<auto>');
  }
  return stable;
}

/** Only the mark of Javassist, which is the one that reaches file names. */
const withoutJavassistMark = (name: string): string =>
  name.includes('$$_javassist') ? name.replace(/(\$\$_javassist)(?:_seam)?(?:_[0-9]+)?/g, '$1<auto>') : name;

const WEB_SCHEMES = ['http:', 'https:', 'applewebdata:', 'blob:'] as const;

/** Whether code at that path came over the web, so that the path says where it was served and not what it is. */
const isWebPath = (path: string | null | undefined): boolean =>
  Boolean(path) && WEB_SCHEMES.some((scheme) => path?.startsWith(scheme));

/** The same, where a page opened from a disk counts as well. */
export const isWebOrFilePath = (path: string | null | undefined): boolean =>
  isWebPath(path) || Boolean(path?.startsWith('file:'));
