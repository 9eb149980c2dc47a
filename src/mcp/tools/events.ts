import { z } from 'zod';
import { describeEvent } from '#product/event-description/describe-event.ts';
import { functionOf, libraryOf, positionOf } from '#product/events/frame-names.ts';
import { listIssueEvents } from '#product/issues/issue-events.ts';
import type { ExceptionValue, Frame, NormalizedEvent } from '#protocol/event.ts';
import type { EventSummary } from '#storage/ports/events.ts';
import {
  cursorInput,
  environmentInput,
  issueInput,
  limitInput,
  periodInput,
  projectInput,
  rangeOf,
} from '../inputs.ts';
import { DATA_SENTENCE, fencedRows, moment, moreRows, pageOfText, paragraphs } from '../text/answer.ts';
import { defineTool } from '../tool.ts';
import { findEvent, findIssue } from './find-named.ts';

export const listIssueEventsTool = defineTool({
  name: 'list_issue_events',
  title: 'List the events of an issue',
  description:
    'Events of an issue, newest first, with the time, release and user of each. Narrow them down with a search, for example "release:latest user.email:*@example.com".',
  right: 'event:read',
  input: z.strictObject({
    issue: issueInput,
    query: z.string().max(4_096).default('').describe('A search for events. Defaults to all events.'),
    environment: environmentInput,
    period: periodInput.optional(),
    limit: limitInput,
    cursor: cursorInput,
  }),
  async run(ctx, { issue: named, query, environment, period, limit, cursor = null }) {
    const { issue } = await findIssue(ctx, named);
    const { events, nextCursor } = await listIssueEvents(ctx, issue, {
      query,
      environments: environment ? [environment] : [],
      range: period ? rangeOf(period, ctx.now()) : null,
      limit,
      cursor,
    });
    if (events.length === 0) return `No matching stored events in ${issue.shortId}.`;
    return paragraphs(
      DATA_SENTENCE,
      'Each row: event id | time | release | environment | transaction | user | title',
      fencedRows(events.map(eventRow)),
      moreRows(nextCursor),
    );
  },
});

function eventRow(event: EventSummary): string {
  const { id, email, username, ip } = event.user;
  return [
    event.eventId,
    moment(event.occurredAt),
    event.release ?? 'no release',
    event.environment ?? 'no environment',
    event.transaction ?? 'no transaction',
    email ?? username ?? id ?? ip ?? 'no user',
    event.title,
  ].join(' | ');
}

/** Of the requested text; fenced it stays below 30,000. */
const PAGE_CHARACTERS_MAX = 20_000;

export const getEventTool = defineTool({
  name: 'get_event',
  title: 'Read an event',
  description:
    'One event by its ID. "overview" is the same as in get_issue; "stack" has every call of every exception, including library calls, with source and variables; "json" is the whole event as stored. Long results are split into pages.',
  right: 'event:read',
  input: z.strictObject({
    event: z.string().min(1).max(40).describe('Event ID: 32 hexadecimal digits.'),
    project: projectInput,
    part: z.enum(['overview', 'stack', 'json']).default('overview'),
    offset: z
      .number()
      .int()
      .min(0)
      .default(0)
      .describe('Where a page of "stack" or "json" starts: the offset at the end of the previous page.'),
  }),
  async run(ctx, { event: eventId, project, part, offset }) {
    const { event, issue, projectSlug } = await findEvent(ctx, { event: eventId, project });
    if (part === 'overview' && issue) return describeEvent(ctx, issue, event);
    const head = `Event \`${event.eventId}\` of project \`${projectSlug}\`, ${
      issue ? `issue ${issue.shortId}` : 'whose issue was deleted'
    }`;
    if (event.isBodySampled) {
      return paragraphs(head, 'Its details were not kept: spike protection stored only a sample.');
    }
    const text = part === 'json' ? JSON.stringify(event.payload, null, 1) : printFrames(event.payload);
    if (text === '') return paragraphs(head, 'It has no stack.');
    return paragraphs(head, DATA_SENTENCE, pageOfText(text, { offset, charactersMax: PAGE_CHARACTERS_MAX }));
  },
});

const SOURCE_LINE_CHARACTERS_MAX = 300;
const VALUE_CHARACTERS_MAX = 1_000;

/** Every exception with every call, newest first, with source and variables; empty for an event without a stack. */
function printFrames(event: NormalizedEvent): string {
  const exceptions = event.exception?.values ?? [];
  if (exceptions.length > 0) return exceptions.toReversed().map(exceptionText).join('\n\ncaused by\n\n');
  return (event.stacktrace?.frames ?? []).toReversed().map(frameText).join('\n');
}

function exceptionText({ type, value, mechanism, stacktrace }: ExceptionValue): string {
  const how = mechanism?.handled === false ? ' (not handled)' : '';
  const head = `${[type, value].filter(Boolean).join(': ')}${how}`;
  return [head, ...(stacktrace?.frames ?? []).toReversed().map(frameText)].join('\n');
}

function frameText(frame: Frame): string {
  const at = positionOf(frame) || libraryOf(frame) || frame.instruction_addr;
  const head = [`at ${functionOf(frame)}`, at && `in ${at}`, frame.in_app === true && '(in app)'];
  return [head.filter(Boolean).join(' '), ...sourceLines(frame), ...variableLines(frame)].join('\n');
}

function sourceLines({ pre_context, context_line, post_context, lineno }: Frame): string[] {
  if (typeof context_line !== 'string') return [];
  const before = pre_context ?? [];
  return [...before, context_line, ...(post_context ?? [])].map((text, index) => {
    const number = lineno ? `${lineno - before.length + index} ` : '';
    const mark = index === before.length ? '>' : ' ';
    return `  ${mark} ${number}| ${(text ?? '').slice(0, SOURCE_LINE_CHARACTERS_MAX)}`;
  });
}

const variableLines = ({ vars }: Frame): string[] =>
  Object.entries(vars ?? {}).map(
    ([name, value]) => `    ${name} = ${(JSON.stringify(value) ?? '').slice(0, VALUE_CHARACTERS_MAX)}`,
  );
