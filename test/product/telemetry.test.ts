import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Issue } from '#domain/issues/issue.ts';
import type { Project } from '#domain/projects.ts';
import {
  getEventAttachment,
  listEventAttachments,
  listIssueAttachments,
} from '#product/attachments/attachments.ts';
import type { Context } from '#product/context.ts';
import { getEventOrTransaction } from '#product/events/get-event.ts';
import { findFeedbackIssues, listEventFeedback, listIssueFeedback } from '#product/feedback/feedback.ts';
import { getMonitor, listCheckIns, listMonitors } from '#product/monitors/monitors.ts';
import { getReleaseHealth } from '#product/releases/get-release-health.ts';
import { getReplay, getReplaySegment, listReplaySegments, listReplays } from '#product/replays/replays.ts';
import { getTelemetry, listTelemetry, openBlob } from '#product/telemetry/telemetry.ts';
import { getTrace, getTransaction } from '#product/traces/traces.ts';
import { blobKey } from '#protocol/blob-key.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import { TELEMETRY_KINDS } from '#protocol/telemetry.ts';
import { DAY_MS, NOON_MS } from '../contract/sample-events.ts';
import { ids, openFilledProduct } from './fill-telemetry.ts';
import type { Product } from './open-product.ts';

const RANGE = { fromMs: NOON_MS - DAY_MS, toMs: NOON_MS + DAY_MS };
const PAGE = { cursor: null, limit: 10 };

let product: Product;
let web: Project;
let error: DigestedEvent;
let issue: Issue;
let member: Context;
let stranger: Context;

beforeAll(async () => {
  ({ product, web, error, issue, member, stranger } = await openFilledProduct());
});
afterAll(async () => {
  await product?.close();
});

describe('every verb', () => {
  const input = { projectSlug: 'web', ...PAGE };
  const verbs: Readonly<Record<string, (ctx: Context) => Promise<unknown>>> = {
    ...Object.fromEntries(
      TELEMETRY_KINDS.map((kind) => [
        `listTelemetry ${kind}`,
        (ctx: Context) => listTelemetry(ctx, kind, input),
      ]),
    ),
    getTelemetry: (ctx) => getTelemetry(ctx, 'profiles', { projectSlug: 'web', id: ids.profile }),
    getTransaction: (ctx) => getTransaction(ctx, { projectSlug: 'web', eventId: ids.transaction }),
    getEventOrTransaction: (ctx) =>
      getEventOrTransaction(ctx, { projectSlug: 'web', eventId: ids.transaction }),
    getTrace: (ctx) => getTrace(ctx, ids.trace),
    listEventAttachments: (ctx) => listEventAttachments(ctx, { projectSlug: 'web', eventId: error.eventId }),
    getEventAttachment: (ctx) =>
      getEventAttachment(ctx, { projectSlug: 'web', eventId: error.eventId, attachmentId: ids.attachment }),
    listReplays: (ctx) => listReplays(ctx, { projectSlugs: [], ...PAGE }),
    getReplay: (ctx) => getReplay(ctx, { projectSlugs: [], replayId: ids.replay }),
    listReplaySegments: (ctx) => listReplaySegments(ctx, { projectSlug: 'web', replayId: ids.replay }),
    getReplaySegment: (ctx) =>
      getReplaySegment(ctx, { projectSlug: 'web', replayId: ids.replay, segmentId: 3 }),
    listMonitors: (ctx) => listMonitors(ctx, { projectSlugs: [], ...PAGE }),
    getMonitor: (ctx) => getMonitor(ctx, { projectSlugs: [], slug: 'nightly' }),
    listCheckIns: (ctx) => listCheckIns(ctx, { ...input, monitorSlug: null }),
    getReleaseHealth: (ctx) =>
      getReleaseHealth(ctx, { projectSlugs: [], range: RANGE, environments: [] }).then((rows) => ({ rows })),
    listIssueFeedback: (ctx) => listIssueFeedback(ctx, issue, { range: null, ...PAGE }),
    listIssueAttachments: (ctx) => listIssueAttachments(ctx, issue, { range: null, ...PAGE }),
    listEventFeedback: (ctx) => listEventFeedback(ctx, error),
  };

  /** What a caller got: rows, or the reason why not. */
  const outcome = async (verb: (ctx: Context) => Promise<unknown>, ctx: Context): Promise<unknown> => {
    try {
      const result = await verb(ctx);
      const { rows } = result as { rows?: readonly unknown[] };
      const list = rows ?? (Array.isArray(result) ? result : null);
      return list === null || list.length > 0 ? 'something' : 'nothing';
    } catch (reason) {
      return (reason as { code?: string }).code ?? reason;
    }
  };

  test.each(Object.keys(verbs))(
    '%s keeps to the organization, to the right and to visible projects',
    async (name) => {
      const verb = verbs[name]!;
      expect(await outcome(verb, member)).toBe('something');
      expect(['nothing', 'not_found']).toContain(await outcome(verb, stranger));
      const blind: Context = {
        ...member,
        actor: {
          kind: 'token',
          userId: 'u',
          name: 't',
          role: 'owner',
          isInstanceOwner: false,
          scopes: ['org:read'],
        },
      };
      expect(await outcome(verb, blind)).toBe('forbidden');
      // These are given an issue or an event that the caller was let see.
      if (['listIssueFeedback', 'listIssueAttachments', 'listEventFeedback'].includes(name)) return;
      const internal: Context = { ...member, stores: { ...member.stores, projects: withInternal(member) } };
      expect(['nothing', 'not_found']).toContain(await outcome(verb, internal));
    },
  );

  /** The same projects, as if they were internal. */
  const withInternal = ({ stores: { projects } }: Context): typeof projects => ({
    ...projects,
    listProjects: async (organizationId) =>
      (await projects.listProjects(organizationId)).map((each) => ({ ...each, isInternal: true })),
  });

  test('a blob and the issues of feedback need the right too', async () => {
    const blind: Context = {
      ...member,
      actor: { kind: 'token', userId: 'u', name: 't', role: 'owner', isInstanceOwner: false, scopes: [] },
    };
    const key = blobKey(NOON_MS, web.id, 'attachment');
    await expect(openBlob(blind, { blobKey: key })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(findFeedbackIssues(blind, [])).rejects.toMatchObject({ code: 'forbidden' });
    const rows = (await listTelemetry(member, 'feedback', input)).rows;
    expect([...(await findFeedbackIssues(stranger, rows)).keys()]).toEqual([]);
  });

  test('refuses empty ranges, large pages and cursors of others', async () => {
    const bad = [{ range: { fromMs: 5, toMs: 5 } }, { limit: 101 }, { cursor: 'nonsense' }];
    for (const wrong of bad) {
      for (const verb of [
        () => listTelemetry(member, 'logs', { ...input, ...wrong }),
        () => listReplays(member, { projectSlugs: [], ...PAGE, ...wrong }),
        () => listCheckIns(member, { ...input, monitorSlug: null, ...wrong }),
      ]) {
        await expect(verb()).rejects.toMatchObject({ code: 'invalid' });
      }
    }
    const monitors = { projectSlugs: [], ...PAGE };
    await expect(listMonitors(member, { ...monitors, limit: 0 })).rejects.toMatchObject({ code: 'invalid' });
    await expect(listMonitors(member, { ...monitors, cursor: 'e30' })).rejects.toMatchObject({
      code: 'invalid',
    });
  });
});
