import { asSent, isSymbolicated } from '#pipeline/symbolicate/frame-problem.ts';
import type { ScriptReference } from '#pipeline/symbolicate/symbol-sources.ts';
import { symbolicateEvent } from '#pipeline/symbolicate/symbolicate-event.ts';
import type { Context } from '#product/context.ts';
import { getEvent } from '#product/events/get-event.ts';
import { readSourceProblem, type SourceProblem } from '#product/events/source-problem.ts';
import type { Frame, NormalizedEvent } from '#protocol/event.ts';
import { locateSourceMap } from './locate-source-map.ts';

/** Scripts of one event that are looked for; frames of further ones tell what was found when the event came. */
const SCRIPTS_MAX = 50;

/** What the uploads of now say of a script: `located` is not yet a map that fits. */
export type ScriptNow =
  | { kind: 'located'; file: string; foundBy: string; map: string | null }
  | { kind: 'absent'; problem: SourceProblem };

export type ExplainedFrame = {
  /** As it was sent. */
  frame: Frame;
  /** Whether the event shows its source. */
  isSymbolicated: boolean;
  /** Why it does not, as it was when the event came, or when uploads were applied to it last; null when nothing is wrong. */
  problem: SourceProblem | null;
  debugId: string | null;
  /** null for a frame of no script, and for one that digest leaves alone since the SDK sent its source. */
  now: ScriptNow | null;
};

export type ExplainedSourceMaps = {
  release: string | null;
  dist: string | null;
  hasDebugIds: boolean;
  sdkVersion: string | null;
  /** In the order of the event; frames oldest call first. */
  exceptions: readonly { frames: readonly ExplainedFrame[] }[];
};

/** For each frame of an event's exceptions: its source, or why there is none, then and now. Throws NotFound. */
export async function explainSourceMaps(
  ctx: Context,
  input: { projectSlug: string; eventId: string },
): Promise<ExplainedSourceMaps> {
  const { event } = await getEvent(ctx, input);
  const sent = asSent(event.payload);
  const references = findReferences(sent);
  const scripts = await lookUp(ctx, event.projectId, references);
  const shown = event.payload.exception?.values ?? [];
  const exceptions = (sent.exception?.values ?? []).map((exception, index) => ({
    frames: (exception.stacktrace?.frames ?? []).map((frame, place): ExplainedFrame => {
      const stored = shown[index]?.stacktrace?.frames[place];
      const debugId = references.get(addressOf(frame))?.debugId ?? null;
      return {
        frame,
        isSymbolicated: stored !== undefined && isSymbolicated(stored),
        problem: stored ? readSourceProblem(stored) : null,
        debugId,
        now: findNow(frame, debugId, scripts),
      };
    }),
  }));
  return {
    release: event.payload.release ?? null,
    dist: event.payload.dist ?? null,
    hasDebugIds: [...references.values()].some(({ debugId }) => debugId !== null),
    sdkVersion: event.payload.sdk?.version ?? null,
    exceptions,
  };
}

const addressOf = (frame: Frame): string => frame.abs_path ?? frame.filename ?? '';

function findNow(
  frame: Frame,
  debugId: string | null,
  scripts: ReadonlyMap<string, ScriptNow>,
): ScriptNow | null {
  const now = scripts.get(addressOf(frame)) ?? null;
  // The SDK read the source itself, from files that nobody bundled: digest leaves such a frame alone.
  return now?.kind === 'absent' && frame.context_line && debugId === null ? null : now;
}

/** What digest would ask for, by the address of the script. */
function findReferences(event: NormalizedEvent): ReadonlyMap<string, ScriptReference> {
  const references = new Map<string, ScriptReference>();
  symbolicateEvent(event, {
    findScript: (reference) => {
      references.set(reference.url, reference);
      return 'unknown';
    },
    findMapping: () => 'unknown',
    findSymbols: () => 'unknown',
  });
  return references;
}

async function lookUp(
  { stores, organization }: Context,
  projectId: number,
  references: ReadonlyMap<string, ScriptReference>,
): Promise<ReadonlyMap<string, ScriptNow>> {
  const scope = { organizationId: organization.id, projectId };
  const found = new Map<string, ScriptNow>();
  for (const [address, reference] of [...references].slice(0, SCRIPTS_MAX)) {
    const located = await locateSourceMap(stores.artifacts, scope, reference);
    if (located.kind === 'absent') {
      const { kind, ...problem } = located;
      found.set(address, { kind, problem });
      continue;
    }
    const { file, foundBy, script, map } = located;
    found.set(address, {
      kind: 'located',
      file,
      foundBy,
      map: map ? map.url || map.path : (script?.sourceMap ?? null),
    });
  }
  return found;
}
