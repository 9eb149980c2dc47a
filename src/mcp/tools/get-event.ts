import { z } from 'zod';
import { describeEvent } from '#product/event-description/describe-event.ts';
import { projectInput } from '../inputs.ts';
import { DATA_SENTENCE, pageOfText, paragraphs } from '../text/answer.ts';
import { printFrames } from '../text/print-frames.ts';
import { defineTool } from '../tool.ts';
import { findEvent } from './find-event.ts';

/** Of the text that is asked for; fenced it stays below 30,000. */
const PAGE_CHARACTERS_MAX = 20_000;

export const getEventTool = defineTool({
  name: 'get_event',
  title: 'Read an event',
  description:
    'One event by its id. "overview" is as get_issue describes it; "stack" has every call of every exception, also those of libraries, with source and variables; "json" is the whole event as it is stored. Long ones come in pages.',
  right: 'event:read',
  input: z.strictObject({
    event: z.string().min(1).max(40).describe('Event id: 32 hexadecimal digits.'),
    project: projectInput,
    part: z.enum(['overview', 'stack', 'json']).default('overview'),
    offset: z
      .number()
      .int()
      .min(0)
      .default(0)
      .describe('Where a page of "stack" or "json" begins, as the page before says at its end.'),
  }),
  async run(ctx, { event: eventId, project, part, offset }) {
    const { event, issue, projectSlug } = await findEvent(ctx, { event: eventId, project });
    if (part === 'overview' && issue) return describeEvent(ctx, issue, event);
    const head = `Event \`${event.eventId}\` of project \`${projectSlug}\`, ${
      issue ? `issue ${issue.shortId}` : 'whose issue is gone'
    }`;
    if (event.isBodySampled) {
      return paragraphs(head, 'Its details were not kept: spike protection stored a sample only.');
    }
    const text = part === 'json' ? JSON.stringify(event.payload, null, 1) : printFrames(event.payload);
    if (text === '') return paragraphs(head, 'It has no stack.');
    return paragraphs(head, DATA_SENTENCE, pageOfText(text, { offset, charactersMax: PAGE_CHARACTERS_MAX }));
  },
});
