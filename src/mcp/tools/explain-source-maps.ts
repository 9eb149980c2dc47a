import { z } from 'zod';
import { type ExplainedFrame, explainSourceMaps } from '#product/artifacts/explain-source-maps.ts';
import { functionOf, positionOf } from '#product/events/frame-names.ts';
import { projectInput } from '../inputs.ts';
import { DATA_SENTENCE, fencedFacts, fencedRows, paragraphs } from '../text/answer.ts';
import { defineTool, type ToolHost } from '../tool.ts';
import { findEvent } from './find-event.ts';

const FRAMES_SHOWN = 40;

export const explainSourceMapsTool = defineTool({
  name: 'explain_source_maps',
  title: 'Explain missing source',
  description:
    'For each call of an event of JavaScript (or one that ProGuard renamed): whether its source is shown, and if not, exactly why and what to do about it, by what was uploaded when the event came and by what is uploaded now.',
  right: 'event:read',
  input: z.strictObject({
    event: z.string().min(1).max(40).describe('Event id: 32 hexadecimal digits.'),
    project: projectInput,
  }),
  async run(ctx, { event: eventId, project }, host) {
    const { event, projectSlug } = await findEvent(ctx, { event: eventId, project });
    const explained = await explainSourceMaps(ctx, { projectSlug, eventId: event.eventId });
    const frames = explained.exceptions.flatMap((exception) => exception.frames.toReversed());
    const problems = frames.filter(({ problem, isSymbolicated, now }) => {
      return problem !== null || (!isSymbolicated && now?.kind === 'absent');
    });
    return paragraphs(
      `# Source of event \`${event.eventId}\` of project \`${projectSlug}\``,
      DATA_SENTENCE,
      fencedFacts([
        ['release', explained.release ?? 'none'],
        ['dist', explained.dist ?? 'none'],
        ['debug ids', explained.hasDebugIds ? 'yes' : 'none'],
        ['calls', String(frames.length)],
        ['with source of their own', String(frames.filter(({ isSymbolicated }) => isSymbolicated).length)],
        ['with a problem', String(problems.length)],
      ]),
      problems.length > 0 &&
        paragraphs(
          '## Calls with a problem, newest first',
          fencedRows(problems.slice(0, FRAMES_SHOWN).map((frame) => frameRow(frame, host))),
        ),
      problems.length > FRAMES_SHOWN && `${problems.length - FRAMES_SHOWN} more have one of these reasons.`,
    );
  },
});

function frameRow({ frame, problem, now }: ExplainedFrame, host: ToolHost): string {
  const told = now?.kind === 'absent' ? now.problem : problem;
  const words = told && host.describeSourceProblem(told);
  const after =
    now?.kind === 'located' && problem
      ? `Now ${now.file} is uploaded for it (${now.foundBy}): apply uploads to stored events on the page of the release.`
      : (words?.next ?? '');
  return `${functionOf(frame)} ${positionOf(frame)} | ${words?.what ?? ''} ${after}`;
}
