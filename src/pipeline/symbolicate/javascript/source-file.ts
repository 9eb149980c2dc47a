import { toSafeText } from '../../normalize/safe-text.ts';
import type { SourceText } from './source-text.ts';

/** The name of the package, which may have a scope. */
const WEBPACK_NAMESPACE = /^webpack:\/\/(?:@[\w.-]+\/)?[\w@.-]+\/\.\//;
const WEBPACK_ROOT = 'webpack:///';
const OLD_PACKAGE = '/~/';

/** How a source is called in lists: the bundler's prefixes taken off its name in the map. */
export function sourceFileName(name: string): string {
  if (!name.startsWith('webpack:')) return name;
  const old = name.indexOf(OLD_PACKAGE);
  if (old !== -1) return `~/${name.slice(old + OLD_PACKAGE.length)}`;
  if (WEBPACK_NAMESPACE.test(name)) return name.replace(WEBPACK_NAMESPACE, './');
  return name.startsWith(WEBPACK_ROOT) ? name.slice(WEBPACK_ROOT.length) : name;
}

const PACKAGE_FOLDER = /(?:^|[/\\])node_modules[/\\]/;

/** Whether a source is the user's own; null when nothing about it says. */
export function isOwnSource(address: string, fileName: string): boolean | null {
  if (PACKAGE_FOLDER.test(address) || PACKAGE_FOLDER.test(fileName) || fileName.startsWith('~/'))
    return false;
  if (address.startsWith('webpack:')) return fileName.startsWith('./') || fileName.startsWith('../');
  return address.startsWith('app:') ? true : null;
}

/** Lines before and after the frame's own. */
export const CONTEXT_LINES = 5;
const LINE_CHARS_MAX = 1_024;
/** What is kept before the frame's column when its line is too long to keep whole. */
const CHARS_BEFORE_COLUMN = 256;

export type SourceContext = { before: readonly string[]; line: string; after: readonly string[] };

/** The lines around one, from 0; null when the text has no such line. */
export function sourceContext(text: SourceText, line: number, column: number): SourceContext | null {
  if (line < 0 || line >= text.lineCount) return null;
  const end = Math.min(text.lineCount, line + 1 + CONTEXT_LINES);
  return {
    before: safe(text.lines(Math.max(0, line - CONTEXT_LINES), line, LINE_CHARS_MAX)),
    line: toSafeText(text.lineAround(line, column, LINE_CHARS_MAX, CHARS_BEFORE_COLUMN)),
    after: safe(text.lines(line + 1, end, LINE_CHARS_MAX)),
  };
}

const safe = (lines: readonly string[]): readonly string[] => lines.map(toSafeText);
