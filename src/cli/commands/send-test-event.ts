import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Issue } from '#domain/issues/issue.ts';
import { ErrataError, isErrataError } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { getEvent } from '#product/events/get-event.ts';
import type { ProjectKey } from '#product/projects/client-keys.ts';
import { listProjects } from '#product/visible-projects.ts';
import {
  type CliCommand,
  type CliConnection,
  EXIT,
  JSON_OPTION,
  ORG_OPTION,
  UsageError,
} from '../cli-command.ts';
import { fetchLocal, withOrganization } from '../with-connection.ts';
import { findActiveKey } from './projects.ts';

const READABLE_WITHIN_MS = 30_000;
const POLL_INTERVAL_MS = 200;

export const sendTestEvent: CliCommand = {
  name: 'send-test-event',
  positionals: ['[project]'],
  options: { org: ORG_OPTION, json: JSON_OPTION },
  summary: 'Send an error like an SDK, wait until it is readable, and print its event ID and URL',
  run: (input, deps) =>
    withOrganization(input, deps, async (ctx, connection) => {
      const projectSlug = input.positionals[0] ?? (await findOnlyProject(ctx));
      const { eventId, envelope } = buildTestEvent(ctx.now());
      await send(connection, await findActiveKey(ctx, projectSlug), envelope);
      const issue = await waitForIssue(ctx, projectSlug, eventId);
      const url = `${ctx.publicUrl}/${ctx.organization.slug}/issues/${issue.shortId}`;
      if (input.isSet('json')) deps.io.out(JSON.stringify({ eventId, issue: issue.shortId, url }));
      else for (const line of [eventId, url]) deps.io.out(line);
      return EXIT.done;
    }),
};

async function findOnlyProject(ctx: Context): Promise<string> {
  const projects = (await listProjects(ctx)).filter((project) => !project.isInternal);
  const [only] = projects;
  if (only && projects.length === 1) return only.slug;
  const slugs = projects.map((project) => project.slug).join(', ');
  throw new UsageError(
    slugs === '' ? 'There is no project yet: create one first' : `Specify the project: ${slugs}`,
  );
}

async function send(
  { localUrl }: CliConnection,
  key: ProjectKey,
  envelope: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const response = await fetchLocal(`${localUrl}/api/${key.projectId}/envelope/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-sentry-envelope',
      'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${key.publicKey}, sentry_client=errata.cli/1`,
    },
    body: envelope,
  });
  const answer = await response.text();
  if (response.ok) return;
  throw new Error(`The server rejected the event with ${response.status}: ${answer.slice(0, 500)}`);
}

async function waitForIssue(ctx: Context, projectSlug: string, eventId: string): Promise<Issue> {
  const deadlineMs = performance.now() + READABLE_WITHIN_MS;
  while (performance.now() < deadlineMs) {
    const issue = await findIssue(ctx, projectSlug, eventId);
    if (issue) return issue;
    await delay(POLL_INTERVAL_MS);
  }
  throw new ErrataError(
    'conflict',
    `The event ${eventId} was accepted but is not readable after ${READABLE_WITHIN_MS / 1_000} s: see errata status`,
  );
}

async function findIssue(ctx: Context, projectSlug: string, eventId: string): Promise<Issue | null> {
  try {
    return (await getEvent(ctx, { projectSlug, eventId })).issue;
  } catch (error) {
    if (isErrataError(error) && error.code === 'not_found') return null;
    throw error;
  }
}

type TestEvent = { eventId: string; envelope: Uint8Array<ArrayBuffer> };

/** An envelope with one error, as an SDK would send it. Each one has its own id; all group into one issue. */
export function buildTestEvent(nowMs: number): TestEvent {
  const eventId = randomUUID().replaceAll('-', '');
  const event = JSON.stringify({
    event_id: eventId,
    timestamp: nowMs / 1_000,
    platform: 'node',
    level: 'error',
    environment: 'test',
    sdk: { name: 'errata.cli', version: '1' },
    exception: {
      values: [
        {
          type: 'TestEventError',
          value: 'This is a test event: Errata receives, groups and shows what SDKs send',
          mechanism: { type: 'generic', handled: true },
          stacktrace: { frames: FRAMES },
        },
      ],
    },
  });
  const lines = [
    JSON.stringify({ event_id: eventId, sent_at: new Date(nowMs).toISOString() }),
    JSON.stringify({ type: 'event', length: Buffer.byteLength(event) }),
    event,
  ];
  return { eventId, envelope: new TextEncoder().encode(`${lines.join('\n')}\n`) };
}

const FRAMES = [
  { function: 'main', filename: 'test-event.js', module: 'test-event', lineno: 9, in_app: true },
  {
    function: 'sendTestEvent',
    filename: 'test-event.js',
    module: 'test-event',
    lineno: 4,
    colno: 9,
    in_app: true,
    pre_context: ['function sendTestEvent() {', '  // Nothing is broken: this line is here to be shown.'],
    context_line: "  throw new TestEventError('This is a test event');",
    post_context: ['}'],
  },
];
