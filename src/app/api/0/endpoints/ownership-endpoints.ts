import { z } from 'zod';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { CODEOWNERS, EVENT_OWNERS, OWNERSHIP } from '#app/api/0/schemas/ownership.ts';
import { getEvent } from '#product/events/get-event.ts';
import { getOwnership, updateOwnership } from '#product/ownership/ownership.ts';
import type { StoredOwnership } from '#product/ownership/ownership-store.ts';
import type { Owner } from '#product/ownership/resolve-owner.ts';
import { suggestOwners } from '#product/ownership/suggest-owners.ts';
import { findProject, type ProjectParams } from './find-project.ts';

/** Room for the longest text, with every character escaped. */
const BODY_BYTES_MAX = 1024 * 1024;
const AUTO_ASSIGN = 'Auto Assign to Issue Owner';
const NO_AUTO_ASSIGN = 'Turn off Auto-Assignment';

const OWNERSHIP_CHANGE = z.object({
  raw: z.string().optional(),
  autoAssignment: z.enum([AUTO_ASSIGN, NO_AUTO_ASSIGN]).optional(),
});
const CODEOWNERS_CHANGE = z.object({
  raw: z.string().optional(),
  stackRoot: z.string().max(10_000).optional(),
  sourceRoot: z.string().max(10_000).optional(),
});

const GET_OWNERSHIP = {
  summary: 'Answers the ownership rules of a project',
  scopes: ['project:read'],
  answer: OWNERSHIP,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/projects/retrieve-ownership-configuration-for-a-project/ */
export const getOwnershipEndpoint = declare<ProjectParams>(GET_OWNERSHIP, async ({ caller, params }) => {
  const { ctx, project } = await findProject(caller, params);
  return { body: serializeOwnership(await getOwnership(ctx, project.slug)) };
});

const UPDATE_OWNERSHIP = {
  summary: 'Changes the ownership rules of a project',
  scopes: ['project:write'],
  body: OWNERSHIP_CHANGE,
  answer: OWNERSHIP,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/projects/update-ownership-configuration-for-a-project/ */
export const updateOwnershipEndpoint = declare<ProjectParams>(
  UPDATE_OWNERSHIP,
  async ({ caller, params, request }) => {
    const { ctx, project } = await findProject(caller, params);
    const { raw, autoAssignment } = await readJsonBody(request, OWNERSHIP_CHANGE, BODY_BYTES_MAX);
    const change = {
      ...(raw === undefined ? {} : { rules: raw }),
      ...(autoAssignment === undefined ? {} : { autoAssign: autoAssignment === AUTO_ASSIGN }),
    };
    const saved = await updateOwnership(ctx, { projectSlug: project.slug, change });
    return { body: serializeOwnership(saved) };
  },
);

const GET_CODEOWNERS = {
  summary: 'Answers the CODEOWNERS of a project',
  scopes: ['project:read'],
  answer: CODEOWNERS,
} satisfies Operation;

/** The CODEOWNERS file of a project. The reference has one for each code mapping; here the mapping is a part of it. */
export const getCodeownersEndpoint = declare<ProjectParams>(GET_CODEOWNERS, async ({ caller, params }) => {
  const { ctx, project } = await findProject(caller, params);
  return { body: serializeCodeowners(await getOwnership(ctx, project.slug)) };
});

const UPDATE_CODEOWNERS = {
  summary: 'Replaces the CODEOWNERS of a project',
  scopes: ['project:write'],
  body: CODEOWNERS_CHANGE,
  answer: CODEOWNERS,
} satisfies Operation;

export const updateCodeownersEndpoint = declare<ProjectParams>(
  UPDATE_CODEOWNERS,
  async ({ caller, params, request }) => {
    const { ctx, project } = await findProject(caller, params);
    const { raw, ...roots } = await readJsonBody(request, CODEOWNERS_CHANGE, BODY_BYTES_MAX);
    const change = { ...roots, ...(raw === undefined ? {} : { codeowners: raw }) };
    const saved = await updateOwnership(ctx, { projectSlug: project.slug, change });
    return { body: serializeCodeowners(saved) };
  },
);

const LIST_EVENT_OWNERS = {
  summary: 'Lists who owns the issue of an event by the rules',
  scopes: ['event:read'],
  answer: EVENT_OWNERS,
} satisfies Operation;

/** Whom the rules name for an event, and by which rule; `isComplete` is false when not every rule could be tried. */
export const listEventOwnersEndpoint = declare<ProjectParams & { event: string }>(
  LIST_EVENT_OWNERS,
  async (call) => {
    const { ctx, project } = await findProject(call.caller, call.params);
    const { event } = await getEvent(ctx, { projectSlug: project.slug, eventId: call.params.event });
    const { owners: suggested, isComplete } = await suggestOwners(ctx, project.id, event);
    return {
      body: {
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
      },
    };
  },
);

const serializeOwnership = (ownership: StoredOwnership) => ({
  raw: ownership.rules,
  autoAssignment: ownership.autoAssign ? AUTO_ASSIGN : NO_AUTO_ASSIGN,
  isActive: true,
  fallthrough: false,
  // Nothing is fetched from a repository.
  codeownersAutoSync: false,
  lastUpdated: timeOf(ownership),
});

const serializeCodeowners = (ownership: StoredOwnership) => ({
  raw: ownership.codeowners,
  stackRoot: ownership.stackRoot,
  sourceRoot: ownership.sourceRoot,
  dateUpdated: timeOf(ownership),
});

const timeOf = ({ updatedAt }: StoredOwnership): string | null =>
  updatedAt === null ? null : new Date(updatedAt).toISOString();

const serializeOwner = (owner: Owner) =>
  owner.kind === 'user'
    ? { type: 'user', id: owner.userId, name: owner.name, email: owner.email }
    : { type: 'team', id: String(owner.teamId), name: owner.slug };
