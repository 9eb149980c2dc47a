import { FRAME_TRUSTS, type Frame, type Stacktrace, type TemplateInfo } from '#protocol/event.ts';
import { type FieldReader, isSource, type Source } from './field-reader.ts';
import {
  FRAMES_PER_STACK_MAX,
  NAME_CHARS_MAX,
  PATH_CHARS_MAX,
  REGISTERS_MAX,
  SMALL_JSON_LIMITS,
  SOURCE_LINE_CHARS_MAX,
  SOURCE_LINES_MAX,
  VARS_LIMITS,
} from './limits.ts';
import { cutText } from './safe-text.ts';

/** Reads `source[key]` as a stack trace: `{frames: […]}` or a bare list of frames. Absent when it has no frame. */
export function normalizeStacktrace(
  reader: FieldReader,
  source: Source,
  key: string,
  path: string,
): Stacktrace | undefined {
  const value = source[key];
  if (value === undefined || value === null) return undefined;
  const stack: Source | undefined = Array.isArray(value)
    ? { frames: value }
    : reader.object(source, key, path);
  if (stack === undefined) return undefined;
  const stackPath = `${path}${path === '' ? '' : '.'}${key}`;
  const framesSent = stack.frames;
  if (!Array.isArray(framesSent)) {
    if (framesSent !== undefined && framesSent !== null)
      reader.invalid(stackPath, 'frames', 'a list', framesSent);
    return undefined;
  }
  const kept = keepOutermostAndInnermost(reader, framesSent, stackPath);
  const frames: Frame[] = [];
  for (const [index, frame] of kept.frames.entries()) {
    if (isSource(frame)) frames.push(normalizeFrame(reader, frame, `${stackPath}.frames.${index}`));
    else if (frame !== null) reader.invalid(`${stackPath}.frames.${index}`, '', 'an object', frame);
  }
  if (frames.length === 0) return undefined;
  return {
    frames,
    registers: registersOf(reader, stack, stackPath),
    frames_omitted: kept.omitted ?? framesOmittedOf(stack),
  };
}

/** A stack that is too deep keeps both ends: where it started, and where it crashed. */
function keepOutermostAndInnermost(
  reader: FieldReader,
  frames: readonly unknown[],
  path: string,
): { frames: readonly unknown[]; omitted: readonly [number, number] | undefined } {
  if (frames.length <= FRAMES_PER_STACK_MAX) return { frames, omitted: undefined };
  const half = FRAMES_PER_STACK_MAX / 2;
  reader.report('too_many_items', path, 'frames', `kept ${FRAMES_PER_STACK_MAX} of ${frames.length} frames`);
  return {
    frames: [...frames.slice(0, half), ...frames.slice(-half)],
    omitted: [half, frames.length - half],
  };
}

function normalizeFrame(reader: FieldReader, source: Source, path: string): Frame {
  const filenameSent = reader.text(source, 'filename', path, PATH_CHARS_MAX);
  const absPathSent = reader.text(source, 'abs_path', path, PATH_CHARS_MAX);
  // SDKs for browsers send the whole address as `filename` alone.
  const absPath = absPathSent ?? filenameSent;
  const functionSent = reader.text(source, 'function', path, PATH_CHARS_MAX);
  return {
    function: functionSent,
    raw_function: reader.text(source, 'raw_function', path, PATH_CHARS_MAX),
    module: reader.text(source, 'module', path, PATH_CHARS_MAX),
    package: reader.text(source, 'package', path, PATH_CHARS_MAX),
    filename: absPathSent === undefined || filenameSent === undefined ? pathOfAddress(absPath) : filenameSent,
    abs_path: absPath,
    lineno: reader.position(source, 'lineno', path),
    colno: reader.position(source, 'colno', path),
    pre_context: sourceLines(reader, source, 'pre_context', path, 'last'),
    context_line: contextLine(reader, source, path),
    post_context: sourceLines(reader, source, 'post_context', path, 'first'),
    in_app: reader.boolean(source, 'in_app', path) ?? null,
    vars: reader.jsonObject(source, 'vars', path, VARS_LIMITS),
    instruction_addr: address(reader, source, 'instruction_addr', path),
    symbol_addr: address(reader, source, 'symbol_addr', path),
    image_addr: address(reader, source, 'image_addr', path),
    addr_mode: reader.text(source, 'addr_mode', path, NAME_CHARS_MAX),
    trust: FRAME_TRUSTS.find((trust) => trust === source.trust),
    platform: reader.text(source, 'platform', path, NAME_CHARS_MAX),
    lock: reader.json(source, 'lock', path, SMALL_JSON_LIMITS),
    data: withoutOwnFlags(reader.jsonObject(source, 'data', path, SMALL_JSON_LIMITS)),
  };
}

/** What the rules and symbolication write of a frame: what is sent under these names is not that. */
const OWN_FLAGS = ['orig_in_app', 'source_problem', 'symbolicated'] as const;

function withoutOwnFlags(data: Frame['data']): Frame['data'] {
  if (!data || !OWN_FLAGS.some((flag) => flag in data)) return data;
  const { orig_in_app: _original, source_problem: _problem, symbolicated: _symbolicated, ...kept } = data;
  return Object.keys(kept).length === 0 ? undefined : kept;
}

/** Addresses of other schemes (`app:///main.jsbundle`, `webpack:///./a.js`) name no host, and stay whole. */
const WEB_ADDRESS = /^(?:https?|file|applewebdata):/;

/** The path of `https://host/a/b.js?x#y`: `/a/b.js`. Anything else as it is. */
function pathOfAddress(absPath: string | undefined): string | undefined {
  if (absPath === undefined) return undefined;
  const authority = absPath.indexOf('://');
  if (authority <= 0 || !WEB_ADDRESS.test(absPath)) return absPath;
  const start = absPath.indexOf('/', authority + 3);
  if (start === -1) return absPath;
  const end = absPath.slice(start).search(/[?#]/);
  const path = end === -1 ? absPath.slice(start) : absPath.slice(start, start + end);
  return path === '/' ? absPath : path;
}

function contextLine(reader: FieldReader, source: Source, path: string): string | undefined {
  const value = source.context_line;
  const line = sourceLine(reader, value);
  if (line === undefined && value !== undefined && value !== null) {
    reader.invalid(path, 'context_line', 'a string', value);
  }
  return line;
}

function sourceLine(reader: FieldReader, value: unknown): string | undefined {
  const text = reader.textOf(value);
  return text === undefined ? undefined : reader.safe(cutText(text, SOURCE_LINE_CHARS_MAX));
}

/** Keeps the lines nearest to the frame's own. An empty list is absent. */
function sourceLines(
  reader: FieldReader,
  source: Source,
  key: string,
  path: string,
  nearest: 'first' | 'last',
): (string | null)[] | undefined {
  const value = source[key];
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) {
    reader.invalid(path, key, 'a list', value);
    return undefined;
  }
  if (value.length === 0) return undefined;
  const lines = nearest === 'last' ? value.slice(-SOURCE_LINES_MAX) : value.slice(0, SOURCE_LINES_MAX);
  return lines.map((line) => sourceLine(reader, line) ?? null);
}

function address(reader: FieldReader, source: Source, key: string, path: string): string | undefined {
  const value = source[key];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)
    return `0x${value.toString(16)}`;
  return reader.text(source, key, path, NAME_CHARS_MAX);
}

function registersOf(reader: FieldReader, stack: Source, path: string): Record<string, string> | undefined {
  const registers = reader.object(stack, 'registers', path);
  if (registers === undefined) return undefined;
  const named: [string, string][] = [];
  for (const name of Object.keys(registers).slice(0, REGISTERS_MAX)) {
    const value = address(reader, registers, name, `${path}.registers`);
    if (value !== undefined) named.push([reader.safe(cutText(name, NAME_CHARS_MAX)), value]);
  }
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

function framesOmittedOf(stack: Source): readonly [number, number] | undefined {
  const value = stack.frames_omitted;
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [from, to] = value;
  return Number.isSafeInteger(from) && Number.isSafeInteger(to) && from < to ? [from, to] : undefined;
}

/** Reads `template`; absent when it names neither a file nor a line. */
export function normalizeTemplate(reader: FieldReader, event: Source): TemplateInfo | undefined {
  const source = reader.object(event, 'template', '');
  if (source === undefined) return undefined;
  const filename = reader.text(source, 'filename', 'template', PATH_CHARS_MAX);
  const line = contextLine(reader, source, 'template');
  if (filename === undefined && line === undefined) return undefined;
  return {
    filename,
    abs_path: reader.text(source, 'abs_path', 'template', PATH_CHARS_MAX),
    lineno: reader.position(source, 'lineno', 'template'),
    pre_context: sourceLines(reader, source, 'pre_context', 'template', 'last'),
    context_line: line,
    post_context: sourceLines(reader, source, 'post_context', 'template', 'first'),
  };
}
