import { z } from 'zod';
import { get, type Operation, put } from '#app/api/0/operation.ts';
import { each, FALSE, isoMsOrNull, shapeOf, TRUE } from '#app/api/0/shape.ts';
import { getEvent } from '#product/events/get-event.ts';
import { getOwnership, updateOwnership } from '#product/ownership/ownership.ts';
import type { StoredOwnership } from '#product/ownership/ownership-store.ts';
import type { Owner } from '#product/ownership/resolve-owner.ts';
import { suggestOwners } from '#product/ownership/suggest-owners.ts';

const AUTO_ASSIGN = 'Auto Assign to Issue Owner';
const NO_AUTO_ASSIGN = 'Turn off Auto-Assignment';

export const [OWNERSHIP, serializeOwnership] = shapeOf<StoredOwnership>()(
  {
    raw: [z.string(), 'rules'],
    autoAssignment: [z.string(), ({ autoAssign }) => (autoAssign ? AUTO_ASSIGN : NO_AUTO_ASSIGN)],
    isActive: TRUE,
    // Nothing is fetched from a repository.
    ...each(FALSE, 'fallthrough', 'codeownersAutoSync'),
    lastUpdated: isoMsOrNull('updatedAt'),
  },
  'Ownership',
);

export const [CODEOWNERS, serializeCodeowners] = shapeOf<StoredOwnership>()(
  {
    raw: [z.string(), 'codeowners'],
    ...each(z.string(), 'stackRoot', 'sourceRoot'),
    dateUpdated: isoMsOrNull('updatedAt'),
  },
  'Codeowners',
);

const OWNER = z.object({
  type: z.enum(['user', 'team']),
  id: z.string(),
  name: z.string(),
  /** Of a user. */
  email: z.string().optional(),
});

export const EVENT_OWNERS = z
  .object({
    owners: z.array(OWNER),
    rule: z.array(z.string()).nullable(),
    rules: z.array(
      z.object({
        owner: OWNER,
        source: z.enum(['codeowners', 'rules']),
        line: z.number(),
        text: z.string(),
        value: z.string(),
      }),
    ),
    isComplete: z.boolean(),
  })
  .meta({ id: 'EventOwners' });

/** Room for the longest text, with every character escaped. */
const BODY_BYTES_MAX = 1024 * 1024;

const OWNERSHIP_CHANGE = z.object({
  raw: z.string().optional(),
  autoAssignment: z.enum([AUTO_ASSIGN, NO_AUTO_ASSIGN]).optional(),
});

const CODEOWNERS_CHANGE = z.object({
  raw: z.string().optional(),
  stackRoot: z.string().max(10_000).optional(),
  sourceRoot: z.string().max(10_000).optional(),
});

export const ownershipOperations: readonly Operation[] = [
  /** Source: https://docs.sentry.io/api/projects/retrieve-ownership-configuration-for-a-project/ */
  get('projects/[org]/[project]/ownership', {
    summary: "Retrieves a project's ownership rules",
    scopes: ['project:read'],
    answer: OWNERSHIP,
    handle: async ({ ctx, project }) => serializeOwnership(await getOwnership(ctx, project.slug)),
  }),

  /** Source: https://docs.sentry.io/api/projects/update-ownership-configuration-for-a-project/ */
  put('projects/[org]/[project]/ownership', {
    summary: "Updates a project's ownership rules",
    scopes: ['project:write'],
    body: OWNERSHIP_CHANGE,
    bodyBytesMax: BODY_BYTES_MAX,
    answer: OWNERSHIP,
    async handle({ ctx, project, body }) {
      const { raw, autoAssignment } = body;
      const change = {
        ...(raw === undefined ? {} : { rules: raw }),
        ...(autoAssignment === undefined ? {} : { autoAssign: autoAssignment === AUTO_ASSIGN }),
      };
      return serializeOwnership(await updateOwnership(ctx, { projectSlug: project.slug, change }));
    },
  }),

  /** The CODEOWNERS file of a project. The reference has one for each code mapping; here the mapping is a part of it. */
  get('projects/[org]/[project]/codeowners', {
    summary: "Retrieves a project's CODEOWNERS",
    scopes: ['project:read'],
    answer: CODEOWNERS,
    handle: async ({ ctx, project }) => serializeCodeowners(await getOwnership(ctx, project.slug)),
  }),

  put('projects/[org]/[project]/codeowners', {
    summary: "Replaces a project's CODEOWNERS",
    scopes: ['project:write'],
    body: CODEOWNERS_CHANGE,
    bodyBytesMax: BODY_BYTES_MAX,
    answer: CODEOWNERS,
    async handle({ ctx, project, body }) {
      const { raw, ...roots } = body;
      const change = { ...roots, ...(raw === undefined ? {} : { codeowners: raw }) };
      return serializeCodeowners(await updateOwnership(ctx, { projectSlug: project.slug, change }));
    },
  }),

  /** Whom the rules name for an event, and by which rule; `isComplete` is false when not every rule could be tried. */
  get('projects/[org]/[project]/events/[event]/owners', {
    summary: "Lists the owners of an event's issue according to the ownership rules",
    scopes: ['event:read'],
    answer: EVENT_OWNERS,
    async handle({ ctx, project, params }) {
      const { event } = await getEvent(ctx, { projectSlug: project.slug, eventId: params.event });
      const { owners: suggested, isComplete } = await suggestOwners(ctx, project.id, event);
      return {
        owners: suggested.map(({ owner }) => serializeOwner(owner)),
        rule: suggested[0] ? [suggested[0].rule.type, suggested[0].rule.pattern] : null,
        rules: suggested.map(({ owner, rule, value }) => ({
          owner: serializeOwner(owner),
          source: rule.source,
          line: rule.line,
          text: rule.text,
          value,
        })),
        isComplete,
      };
    },
  }),
];

const serializeOwner = (owner: Owner) =>
  owner.kind === 'user'
    ? { type: 'user' as const, id: owner.userId, name: owner.name, email: owner.email }
    : { type: 'team' as const, id: String(owner.teamId), name: owner.slug };
