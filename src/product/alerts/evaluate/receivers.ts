import type { AlertReceiver } from '#domain/alerts/alert-rule.ts';
import type { Receiver } from '#domain/alerts/who-is-notified.ts';
import type { Issue } from '#domain/issues/issue.ts';
import type { Member } from '#domain/people.ts';
import type { Organization, Project } from '#domain/projects.ts';
import { findOwners, type OwnedEvent } from '#pipeline/ownership/find-owners.ts';
import type { Ownership } from '#product/ownership/ownership-store.ts';
import {
  compiledOwnership,
  makeOwnerDirectory,
  type Owner,
  type OwnerDirectory,
  resolveOwner,
} from '#product/ownership/resolve-owner.ts';
import { roleHas } from '#product/permissions.ts';
import type { Stores } from '#product/stores.ts';
import type { Team } from '#product/teams/team-store.ts';

/** One firing notifies at most so many; mails beyond the budget of an organization would wait anyway. */
const RECEIVERS_PER_FIRING_MAX = 500;
/** Comparisons of characters for the owners of one batch: half a second of plain rules. */
const OWNER_COMPARISONS_MAX = 500_000_000;

export type ReceiverStores = Pick<
  Stores,
  'accounts' | 'teams' | 'projects' | 'destinations' | 'ownership' | 'notifications'
>;

/** Everybody of an organization who could be notified, as it is now. */
export type AudienceOf = {
  organization: Pick<Organization, 'id' | 'isOpen'>;
  members: readonly Member[];
  teams: readonly Team[];
  projects: ReadonlyMap<number, Project>;
  destinationIds: ReadonlySet<number>;
  directory: OwnerDirectory;
  /** Who wants no mail about alerts, by the project. */
  silent: ReadonlyMap<number, ReadonlySet<string>>;
};

/** For notifications of these projects; null for an organization that is gone. */
export async function loadAudience(
  stores: ReceiverStores,
  organizationId: number,
  projectIds: readonly number[],
): Promise<AudienceOf | null> {
  const [organizations, members, teams, projects, destinations] = await Promise.all([
    stores.projects.listOrganizations(),
    stores.accounts.listMembers(organizationId),
    stores.teams.list(organizationId),
    stores.projects.listProjects(organizationId),
    stores.destinations.list(organizationId),
  ]);
  const organization = organizations.find(({ id }) => id === organizationId);
  if (!organization) return null;
  const userIds = members.map(({ id }) => id);
  const silent = new Map<number, ReadonlySet<string>>();
  for (const projectId of new Set(projectIds)) {
    silent.set(projectId, await stores.notifications.listOff('alerts', organizationId, projectId, userIds));
  }
  return {
    organization,
    members,
    teams,
    projects: new Map(projects.map((project) => [project.id, project])),
    destinationIds: new Set(destinations.map(({ id }) => id)),
    directory: makeOwnerDirectory(members, teams),
    silent,
  };
}

/** Who owns what an event concerns; the rules of a project are read once. */
export function openOwners(
  stores: Pick<Stores, 'ownership'>,
  { organization, directory }: Pick<AudienceOf, 'organization' | 'directory'>,
) {
  const budget = { left: OWNER_COMPARISONS_MAX };
  const rules = new Map<number, Promise<Ownership | null>>();
  const rulesOf = (projectId: number) => {
    const known = rules.get(projectId) ?? stores.ownership.find(organization.id, projectId);
    rules.set(projectId, known);
    return known;
  };
  return {
    async hasRules(projectId: number): Promise<boolean> {
      const found = await rulesOf(projectId);
      return found !== null && (found.rules !== '' || found.codeowners !== '');
    },
    /** Of the rule that counts most. */
    async find(projectId: number, event: OwnedEvent): Promise<readonly Owner[]> {
      const found = await rulesOf(projectId);
      if (!found) return [];
      const { matches } = findOwners(compiledOwnership(found), event, { limit: 1, budget });
      return (matches[0]?.rule.owners ?? []).flatMap((owner) => resolveOwner(directory, owner) ?? []);
    },
  };
}

/**
 * Whom the receivers of a rule are: people who are in the organization, see the project and want mail about it, and
 * destinations that are there; each once. `owners` are those of the issue, besides its assignee.
 */
export function resolveReceivers(
  audience: AudienceOf,
  receivers: readonly AlertReceiver[],
  projectId: number,
  subject: { issue: Pick<Issue, 'assignee' | 'assigneeTeam'>; owners: readonly Owner[] } | null,
): readonly Receiver[] {
  const destinations = new Set<number>();
  const people = new Set<string>();
  const addTeam = (teamId: number) => {
    for (const userId of audience.teams.find(({ id }) => id === teamId)?.memberIds ?? []) people.add(userId);
  };
  const addOwners = (otherwise: 'members' | 'nobody') => {
    const owners = subject ? ownersOf(subject) : [];
    for (const owner of owners) owner.kind === 'user' ? people.add(owner.userId) : addTeam(owner.teamId);
    if (owners.length > 0 || otherwise === 'nobody') return;
    const teams = audience.teams.filter(({ projectIds }) => projectIds.includes(projectId));
    for (const { id } of teams) addTeam(id);
    if (teams.length === 0) for (const { id } of audience.members) people.add(id);
  };
  for (const receiver of receivers) {
    if (receiver.kind === 'user') people.add(receiver.userId);
    else if (receiver.kind === 'team') addTeam(receiver.teamId);
    else if (receiver.kind === 'owners') addOwners(receiver.otherwise);
    else if (audience.destinationIds.has(receiver.destinationId)) destinations.add(receiver.destinationId);
  }
  const silent = audience.silent.get(projectId);
  const notified = audience.members.filter(
    (member) => people.has(member.id) && !silent?.has(member.id) && seesProject(audience, member, projectId),
  );
  return [
    ...[...destinations].map((destinationId): Receiver => ({ kind: 'destination', destinationId })),
    ...notified.map(({ id }): Receiver => ({ kind: 'user', userId: id })),
  ].slice(0, RECEIVERS_PER_FIRING_MAX);
}

type NamedOwner = { kind: 'user'; userId: string } | { kind: 'team'; teamId: number };

function ownersOf({
  issue,
  owners,
}: {
  issue: Pick<Issue, 'assignee' | 'assigneeTeam'>;
  owners: readonly Owner[];
}): readonly NamedOwner[] {
  if (issue.assignee) return [{ kind: 'user', userId: issue.assignee.userId }];
  if (issue.assigneeTeam) return [{ kind: 'team', teamId: issue.assigneeTeam.teamId }];
  return owners;
}

/** As `listVisibleProjects` decides it for whoever asks. */
function seesProject(
  { organization, teams, projects }: AudienceOf,
  member: Member,
  projectId: number,
): boolean {
  if (projects.get(projectId)?.isInternal !== false && !member.isInstanceOwner) return false;
  if (organization.isOpen || roleHas(member.role, 'org:write')) return true;
  return teams.some(
    ({ memberIds, projectIds }) => memberIds.includes(member.id) && projectIds.includes(projectId),
  );
}
