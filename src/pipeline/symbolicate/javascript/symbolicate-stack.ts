import type { Frame, Stacktrace } from '#protocol/event.ts';
import { isJavaScript } from '../../code-location.ts';
import type { SymbolSources } from '../artifacts.ts';
import { withProblem } from '../frame-problem.ts';
import { type LineBudget, mapFrame } from './map-frame.ts';
import { isScriptAddress } from './script-address.ts';

export type StackContext = {
  platform: string;
  release: string | null;
  dist: string | null;
  /** Address of a script → its debug id. */
  debugIds: ReadonlyMap<string, string>;
  findScript: SymbolSources['findScript'];
  /** Of all stacks of the event. */
  lines: LineBudget;
};

/** Takes frames of bundles to their sources; on every one that stays it says why. null when nothing changed. */
export function symbolicateStack(stacktrace: Stacktrace, context: StackContext): Stacktrace | null {
  let isChanged = false;
  // Oldest call first: each frame is named by the one before it.
  let called: string | null = null;
  const frames = stacktrace.frames.map((frame): Frame => {
    const calledHere = called;
    called = null;
    const done = symbolicateFrame(frame, calledHere, context);
    if (done === null) return frame;
    isChanged = true;
    called = done.name;
    return done.frame;
  });
  return isChanged ? { ...stacktrace, frames } : null;
}

/** null when the frame stays as it is. */
function symbolicateFrame(
  frame: Frame,
  called: string | null,
  { platform, release, dist, debugIds, findScript, lines }: StackContext,
): { frame: Frame; name: string | null } | null {
  const address = frame.abs_path ?? frame.filename ?? '';
  if (!isJavaScript(frame.platform ?? platform) || !isScriptAddress(address)) return null;
  if (frame.data?.symbolicated === true) return null;
  const debugId = debugIds.get(address) ?? null;
  const script = findScript({ url: address, debugId, release, dist });
  if (script === 'unknown') return null;
  if (script.kind === 'absent') {
    // The SDK read the source itself, from files that nobody bundled: those have no debug id.
    if (frame.context_line && debugId === null) return null;
    const { kind: _kind, ...problem } = script;
    return { frame: withProblem(frame, problem), name: null };
  }
  const mapped = mapFrame(frame, script, called, lines);
  switch (mapped.kind) {
    case 'unknown':
      return null;
    case 'unmapped':
      return { frame: withProblem(frame, mapped.problem), name: null };
    case 'mapped': {
      const { problem, name } = mapped;
      return { frame: problem ? withProblem(mapped.frame, problem) : mapped.frame, name };
    }
  }
}
