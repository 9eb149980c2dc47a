import { notFound } from '#lib/errors.ts';
import { compilePlan } from '#pipeline/scrub/compile-plan.ts';
import type { Mark } from '#pipeline/scrub/mark-tree.ts';
import { scrubEventPayload } from '#pipeline/scrub/scrub-payload.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import { parseEventId } from '#protocol/event-id.ts';
import { mergePrivacy, type PrivacySettings } from '#protocol/ingest-settings.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import { checkPrivacy, type PrivacyProblem } from './check-privacy.ts';

/** One value of the event that would be stored differently. */
export type PreviewChange = {
  /** Dotted, with the names of headers, tags and the like instead of their places: `request.headers.Authorization`. */
  path: string;
  /** Shortened to `VALUE_CHARS_MAX` characters; null when there was or is no value. */
  before: string | null;
  after: string | null;
  /** Names of the rules, as in `_meta`. */
  rules: readonly string[];
};

export type PrivacyPreview = {
  /** The event that the rules were tried on; null when none is stored. */
  event: { eventId: string; projectId: number; title: string; occurredAt: number } | null;
  changes: readonly PreviewChange[];
  /** Changes that are not listed. */
  furtherChanges: number;
  /** How many values each of the given advanced rules changed, in their order. */
  hits: readonly number[];
  /** When there are any, nothing was tried. */
  problems: readonly PrivacyProblem[];
};

const CHANGES_MAX = 200;
const VALUE_CHARS_MAX = 400;

/** Tries unsaved settings on the given or newest stored event, with the organization's. Throws NotFound. */
export async function previewPrivacyRules(
  ctx: Context,
  input: { projectSlug: string | null; privacy: PrivacySettings; eventId: string | null },
): Promise<PrivacyPreview> {
  requireRight(ctx, input.projectSlug === null ? 'org:write' : 'project:write');
  requireRight(ctx, 'event:read');
  const projects = await selectProjects(ctx, input.projectSlug === null ? [] : [input.projectSlug]);
  const { settings, problems } = checkPrivacy(input.privacy);
  if (problems.length > 0) return { event: null, changes: [], furtherChanges: 0, hits: [], problems };
  const organization =
    input.projectSlug === null
      ? null
      : await ctx.stores.ingestSettings.findOrganizationPrivacy(ctx.organization.id);
  const stored = await findEvent(
    ctx,
    projects.map((project) => project.id),
    input.eventId,
  );
  const count = settings.advancedRules.length;
  if (!stored) {
    return { event: null, changes: [], furtherChanges: 0, hits: Array(count).fill(0), problems: [] };
  }
  const plan = compilePlan(organization === null ? settings : mergePrivacy(organization, settings));
  const first = organization?.advancedRules.length ?? 0;
  const { value, marks, hits } = scrubEventPayload(plan, stored.payload);
  const changes = marks.map((mark) => describeChange(mark, stored.payload, value));
  return {
    event: {
      eventId: stored.eventId,
      projectId: stored.projectId,
      title: stored.title,
      occurredAt: stored.occurredAt,
    },
    changes: changes.slice(0, CHANGES_MAX),
    furtherChanges: Math.max(0, changes.length - CHANGES_MAX),
    hits: Array.from({ length: count }, (_, index) => hits.get(first + index) ?? 0),
    problems: [],
  };
}

async function findEvent(
  ctx: Context,
  projectIds: readonly number[],
  wanted: string | null,
): Promise<StoredEvent | null> {
  const scope = eventScope(ctx, projectIds);
  if (wanted !== null) {
    const eventId = parseEventId(wanted.trim());
    const event = eventId === null ? null : await ctx.stores.events.findEvent(scope, eventId);
    if (!event) {
      throw notFound(
        `Event "${wanted.trim().slice(0, 40)}" not found: copy the ID from the event page, or leave it empty for the latest event`,
      );
    }
    return event;
  }
  const { events } = await ctx.stores.events.listEvents(scope, { limit: 1, before: null, range: null });
  const [newest] = events;
  return newest ? ctx.stores.events.findEvent(scope, newest.eventId) : null;
}

function describeChange(mark: Mark, before: NormalizedEvent, after: NormalizedEvent): PreviewChange {
  return {
    path: nameOf(mark.path, before),
    before: textOf(valueAt(mark.path, before)),
    after: textOf(valueAt(mark.path, after)),
    rules: [...new Set(mark.remarks.map(([rule]) => rule))],
  };
}

/** A pair's place in its list says nothing to people: its name stands for it. */
function nameOf(path: Mark['path'], payload: unknown): string {
  const parts: string[] = [];
  let node = payload;
  for (let index = 0; index < path.length; index += 1) {
    const part = path[index] as string | number;
    const next = valueAt([part], node);
    const isPair =
      Array.isArray(next) && next.length === 2 && typeof next[0] === 'string' && path[index + 1] === 1;
    if (isPair) {
      parts.push(String(next[0]));
      node = next[1];
      index += 1;
    } else {
      parts.push(String(part));
      node = next;
    }
  }
  return parts.join('.');
}

const valueAt = (path: Mark['path'], payload: unknown): unknown =>
  path.reduce<unknown>(
    (node, part) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, part)
        ? (node as Record<string | number, unknown>)[part]
        : undefined,
    payload,
  );

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= VALUE_CHARS_MAX ? text : `${text.slice(0, VALUE_CHARS_MAX).toWellFormed()}…`;
}
