import type { Frame } from '#protocol/event.ts';
import type { MappedClass, MappedMethod, ObfuscationMapping } from './parse-mapping.ts';

/** Frames that one may stand for, since methods were put into one another. */
const INLINED_MAX = 50;

/** The frames that one stands for, oldest call first; null when its class is not of the mapping. */
export function deobfuscateFrame(frame: Frame, mapping: ObfuscationMapping): Frame[] | null {
  const found = frame.module ? mapping.findClass(frame.module) : null;
  if (!found) return null;
  const methods = methodsAt(found, frame.function ?? '', frame.lineno ?? null);
  if (methods.length === 0)
    return [named(frame, found, found.name, frame.function ?? null, frame.lineno ?? null)];
  return methods
    .slice(0, INLINED_MAX)
    .map((method) =>
      named(frame, found, method.className ?? found.name, method.name, lineOf(method, frame.lineno)),
    )
    .reverse();
}

/** Innermost first, as a mapping lists what was put into one another: all lines with the same range. */
function methodsAt(found: MappedClass, name: string, line: number | null): readonly MappedMethod[] {
  const all = found.members().get(name) ?? [];
  if (line !== null && line > 0) {
    const first = all.find(
      (method) => method.from !== null && method.to !== null && method.from <= line && line <= method.to,
    );
    if (first) return all.filter((method) => method.from === first.from && method.to === first.to);
  }
  // Without a line nobody knows which of several methods it was: only a single name is sure.
  const names = new Set(all.map((method) => `${method.className ?? ''}.${method.name}`));
  const [only] = all;
  return only && names.size === 1
    ? [{ ...only, from: null, to: null, originalFrom: null, originalTo: null }]
    : [];
}

function lineOf(method: MappedMethod, sent: number | null | undefined): number | null {
  // Lines that were not renumbered are told by one range only.
  if (method.originalFrom === null) return sent ?? null;
  const isRange = method.originalTo !== null && method.originalTo > method.originalFrom;
  if (!isRange || method.from === null || sent === null || sent === undefined) return method.originalFrom;
  return Math.min(method.originalFrom + sent - method.from, method.originalTo ?? method.originalFrom);
}

function named(
  frame: Frame,
  found: MappedClass,
  className: string,
  name: string | null,
  line: number | null,
): Frame {
  const file = sourceFileOf(className, found, frame.filename ?? '');
  return {
    ...frame,
    module: className,
    function: name,
    lineno: line,
    filename: file ?? frame.filename ?? null,
    abs_path: file ?? frame.abs_path ?? null,
    data: { ...frame.data, symbolicated: true },
  };
}

/**
 * null for the one that was sent. Mappings may tell the file of the class itself; that of another class, or one in place
 * of which a word without an ending was sent (`SourceFile`, `Unknown Source`), is taken from the name of the class.
 */
function sourceFileOf(className: string, found: MappedClass, sent: string): string | null {
  if (className === found.name && found.sourceFile) return found.sourceFile;
  if (className === found.name && sent.includes('.')) return null;
  const outer = className.split('.').at(-1)?.split('$')[0];
  return outer ? `${outer}.java` : null;
}
