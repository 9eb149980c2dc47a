import { isErrataError } from '#lib/errors.ts';
import { LONG_TEXT_CHARACTERS_MAX } from '../../record-parts.ts';
import type { RecordOf, TransferRecord } from '../../records.ts';
import { hexOf, textOf, timeOf } from '../foreign-values.ts';
import { arrayOf, type JsonObject, objectOf, objectsOf } from '../json-values.ts';
import { emailOf } from '../people.ts';
import { unmapped } from '../unmapped.ts';
import type { SentryRequests } from './api-requests.ts';
import type { SentryPeople } from './people-of-sentry.ts';
import { roleOf } from './roles.ts';
import type { SentryApi, SentryRequest } from './sentry-api.ts';

/** Read at the beginning, as everything else names it; some kilobytes for each project. */
export type ApiOrganization = {
  organization: JsonObject;
  members: readonly JsonObject[];
  teams: readonly JsonObject[];
  projects: readonly JsonObject[];
  people: SentryPeople;
};

/** `slugs`: of projects, null for all. */
export async function readOrganization(
  api: SentryApi,
  requests: SentryRequests,
  slugs: ReadonlySet<string> | null,
): Promise<ApiOrganization> {
  const organization = objectOf(await api.get(requests.organization)) ?? {};
  const members = await listObjects(api, requests.members);
  const teams = await listObjects(api, requests.teams);
  const projects = (await listObjects(api, requests.projects)).filter(
    ({ slug }) => slugs === null || slugs.has(String(slug)),
  );
  const emails = new Map(members.map((member) => [String(objectOf(member.user)?.id), emailOfMember(member)]));
  const teamIds = new Set(teams.map(({ id }) => String(id)));
  return {
    organization,
    members,
    teams,
    projects,
    people: { emailOf: (id) => emails.get(id) ?? null, hasTeam: (id) => teamIds.has(id) },
  };
}

export async function listObjects(api: SentryApi, request: SentryRequest): Promise<readonly JsonObject[]> {
  const rows: unknown[] = [];
  for await (const row of api.rows(request)) rows.push(row);
  return objectsOf(rows);
}

/** null where the server knows no such thing, as older ones do. */
export async function ifThere<Result>(ask: () => Promise<Result>): Promise<Result | null> {
  try {
    return await ask();
  } catch (error) {
    if (isErrataError(error) && error.code === 'not_found') return null;
    throw error;
  }
}

const emailOfMember = (member: JsonObject): string | null =>
  emailOf(member.email) ?? emailOf(objectOf(member.user)?.email);

export function organizationRecord({ organization }: ApiOrganization): RecordOf<'organization'> {
  const slug = String(organization.slug);
  const { openMembership } = organization;
  return {
    kind: 'organization',
    id: String(organization.id),
    slug,
    name: textOf(organization.name) ?? slug,
    isOpen: typeof openMembership === 'boolean' ? openMembership : null,
  };
}

export function* memberRecords({ members }: ApiOrganization): Generator<TransferRecord> {
  for (const member of members) {
    const id = String(member.id);
    const email = emailOfMember(member);
    const name = textOf(objectOf(member.user)?.name) ?? textOf(member.name);
    if (email === null) yield unmapped('member', id, name, 'The user has no email address');
    // Somebody invited goes by their address.
    else
      yield {
        kind: 'member',
        id,
        email,
        name: name === email ? null : name,
        role: roleOf(member.orgRole ?? member.role),
      };
  }
}

export function* teamRecords({ teams, members }: ApiOrganization): Generator<TransferRecord> {
  for (const team of teams) {
    const slug = String(team.slug);
    yield {
      kind: 'team',
      id: String(team.id),
      slug,
      name: textOf(team.name) ?? slug,
      members: members
        .filter((member) => isIn(member, slug))
        .flatMap((member) => emailOfMember(member) ?? []),
    };
  }
}

/** Teams of a member are slugs, of newer servers with the role beside. */
const isIn = (member: JsonObject, slug: string): boolean =>
  arrayOf(member.teams).includes(slug) || objectsOf(member.teamRoles).some((role) => role.teamSlug === slug);

export async function* projectRecords(
  api: SentryApi,
  requests: SentryRequests,
  { projects }: ApiOrganization,
): AsyncGenerator<TransferRecord> {
  for (const project of projects) {
    const slug = String(project.slug);
    const keys = await listObjects(api, requests.keys(slug));
    const detail = objectOf(await api.get(requests.project(slug))) ?? {};
    const ownership = objectOf(await ifThere(() => api.get(requests.ownership(slug))));
    yield {
      kind: 'project',
      id: String(project.id),
      number: Number(project.id),
      slug,
      name: textOf(project.name) ?? slug,
      platform: textOf(project.platform),
      teams: objectsOf(project.teams).map(({ id }) => String(id)),
      keys: keys.flatMap((key) => {
        const publicKey = hexOf(key.public);
        return publicKey === null
          ? []
          : [{ publicKey, label: textOf(key.name), isActive: key.isActive !== false }];
      }),
      createdAt: timeOf(project.dateCreated),
      fingerprintRules: textOf(detail.fingerprintingRules, LONG_TEXT_CHARACTERS_MAX),
      stackTraceRules: textOf(detail.groupingEnhancements, LONG_TEXT_CHARACTERS_MAX),
      ownershipRules: textOf(ownership?.raw, LONG_TEXT_CHARACTERS_MAX),
    };
  }
}

export async function* environmentRecords(
  api: SentryApi,
  requests: SentryRequests,
  { projects }: ApiOrganization,
): AsyncGenerator<TransferRecord> {
  for (const project of projects) {
    for (const environment of (await ifThere(() =>
      listObjects(api, requests.environments(String(project.slug))),
    )) ?? []) {
      const name = textOf(environment.name);
      if (name !== null) yield { kind: 'environment', project: String(project.id), name, firstSeen: null };
    }
  }
}
