import { isJavaScript } from '#pipeline/code-location.ts';
import type { Frame } from '#protocol/event.ts';
import { isSymbolicated } from '../frame-problem.ts';
import type { FrameProblem, SymbolSources } from '../symbol-sources.ts';
import { readImages } from '../symbolicate-event.ts';
import { symbolicateStack } from './symbolicate-stack.ts';

/** Frames of one profile that are taken to their sources; later ones stay as they were sent. */
export const MAPPED_FRAMES_MAX = 20_000;

export type SymbolicatedProfile = {
  /** The body with its frames replaced; the one that was sent where nothing changed. */
  body: unknown;
  mappedFrames: number;
  /** Why frames of own scripts stayed as they were sent, each reason once, the one of most frames first. */
  unmapped: readonly UnmappedFrames[];
};

export type UnmappedFrames = { problem: FrameProblem; frames: number };

type Fields = Readonly<Record<string, unknown>>;

/**
 * The body of a profile in the sample format, with the functions of bundled JavaScript as they were written. Pure; where
 * `sources` answered `unknown`, frames stay.
 */
export function symbolicateProfile(
  body: unknown,
  release: string | null,
  { findScript }: Pick<SymbolSources, 'findScript'>,
): SymbolicatedProfile {
  const unchanged = { body, mappedFrames: 0, unmapped: [] };
  if (!isFields(body) || !isFields(body.profile) || !Array.isArray(body.profile.frames)) return unchanged;
  const platform = textOf(body.platform) ?? '';
  if (!isJavaScript(platform)) return unchanged;
  const sent: readonly unknown[] = body.profile.frames;
  const { scripts } = readImages(isFields(body.debug_meta) ? body.debug_meta.images : null);
  const frames = sent.slice(0, MAPPED_FRAMES_MAX).map(readFrame);
  const done = symbolicateStack(
    { frames },
    {
      platform,
      release,
      dist: textOf(body.dist),
      debugIds: scripts,
      findScript,
      // A profile shows no source.
      lines: { charsLeft: 0 },
    },
  );
  if (!done) return unchanged;
  const mapped = done.frames.filter(isSymbolicated).length;
  return {
    body: mapped === 0 ? body : withFrames(body, body.profile, done.frames, sent),
    mappedFrames: mapped,
    unmapped: collectProblems(done.frames, (address) => scripts.has(address) || !isNode(platform)),
  };
}

function withFrames(
  body: Fields,
  profile: Fields,
  frames: readonly Frame[],
  sent: readonly unknown[],
): Fields {
  return {
    ...body,
    profile: {
      ...profile,
      frames: sent.map((own, index) => {
        const frame = frames[index];
        if (!frame || !isSymbolicated(frame) || !isFields(own)) return own;
        const { function: name, filename, abs_path, module, lineno, colno, in_app } = frame;
        return { ...own, function: name, filename, abs_path, module, lineno, colno, in_app };
      }),
    },
  };
}

/**
 * Of libraries nothing is said. Programs of Node often run as they were written: their scripts want a map only if a bundler
 * gave them an id.
 */
function collectProblems(
  frames: readonly Frame[],
  isBundled: (address: string) => boolean,
): readonly UnmappedFrames[] {
  const found = new Map<string, UnmappedFrames>();
  for (const frame of frames) {
    const problem = frame.data?.source_problem as FrameProblem | undefined;
    if (!problem || isSymbolicated(frame) || frame.in_app === false) continue;
    if (!isBundled(frame.abs_path ?? '')) continue;
    const known = found.get(problem.reason) ?? { problem, frames: 0 };
    found.set(problem.reason, { ...known, frames: known.frames + 1 });
  }
  return [...found.values()].sort((a, b) => b.frames - a.frames);
}

const isNode = (platform: string): boolean => platform.startsWith('node');

/** Only what leads to its source; anything else stays as it was sent. */
function readFrame(sent: unknown): Frame {
  if (!isFields(sent)) return {};
  const filename = textOf(sent.filename);
  return {
    function: textOf(sent.function),
    filename,
    abs_path: textOf(sent.abs_path) || filename,
    module: textOf(sent.module),
    lineno: positionOf(sent.lineno),
    colno: positionOf(sent.colno),
    in_app: typeof sent.in_app === 'boolean' ? sent.in_app : null,
  };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const positionOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
