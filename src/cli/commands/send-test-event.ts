import { setTimeout as delay } from 'node:timers/promises';
import { type CliCommand, EXIT, UsageError } from '#cli/cli-command.ts';
import type { CliConnection } from '#cli/cli-connection.ts';
import { fetchLocal } from '#cli/fetch-local.ts';
import { findActiveKey } from '#cli/find-active-key.ts';
import { JSON_OPTION, ORG_OPTION } from '#cli/options.ts';
import { buildTestEvent } from '#cli/test-event.ts';
import { withOrganization } from '#cli/with-connection.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { ErrataError, isErrataError } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { getEvent } from '#product/events/get-event.ts';
import type { ProjectKey } from '#product/projects/client-keys.ts';
import { listProjects } from '#product/visible-projects.ts';

const READABLE_WITHIN_MS = 30_000;
const POLL_INTERVAL_MS = 200;

export const sendTestEvent: CliCommand = {
  name: 'send-test-event',
  positionals: ['[project]'],
  options: { org: ORG_OPTION, json: JSON_OPTION },
  summary: 'Send an error as an SDK would, wait until it is readable, and print its event id and address',
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
    slugs === '' ? 'There is no project yet: create one first' : `Name the project: ${slugs}`,
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
  throw new Error(`The server refused the event with ${response.status}: ${answer.slice(0, 500)}`);
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
    `The event ${eventId} was accepted but cannot be read after ${READABLE_WITHIN_MS / 1_000} s: see errata status`,
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
