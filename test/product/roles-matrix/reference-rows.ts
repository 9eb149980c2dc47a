import { type ApiRequest, type ApiRow, row } from './api-row.ts';
import type { Joined, MatrixScene } from './scene.ts';

const ORG = 'organizations/[org]';
const PROJECT = 'projects/[org]/[project]';

const ofTeam = (s: MatrixScene): ApiRequest => ({ params: { team: s.team.slug } });

/** Without open membership, people give projects to their own teams only. */
const ofOwnTeam = async (s: MatrixScene, { userId }: Joined): Promise<ApiRequest> => {
  const team = await s.newTeam();
  await s.product.stores.teams.setMember(s.mine.id, team.id, userId, true);
  return { params: { team: team.slug }, body: { name: `Project ${s.unique()}` } };
};

const ofTeamMember = async (s: MatrixScene): Promise<ApiRequest> => {
  const [team, { userId }] = [await s.newTeam(), await s.newMember()];
  await s.product.stores.teams.setMember(s.mine.id, team.id, userId, true);
  return { params: { team: team.slug, member: userId }, body: { teamRole: 'contributor' } };
};

const ofProjects = async (s: MatrixScene): Promise<ApiRequest> => ({
  body: { projects: [(await s.newProject()).slug] },
});

/** Routes that other programs than ours ask for. */
export const REFERENCE_ROWS: Readonly<Record<string, ApiRow>> = {
  [`GET ${ORG}/shortids/[short]`]: row('viewer', (s) => ({ params: { short: s.issue.shortId } })),
  [`GET ${ORG}/replay-count`]: row('viewer', (s) => ({ query: `query=issue.id:${s.issue.id}` })),
  [`PUT ${ORG}/members/[member]/teams/[team]`]: row('manager', ofTeamMember),
  [`POST ${ORG}/spike-protections`]: row('admin', ofProjects),
  [`DELETE ${ORG}/spike-protections`]: row('admin', ofProjects),
  [`GET ${PROJECT}/environments/[environment]`]: row('viewer', () => ({
    params: { environment: 'production' },
  })),
  [`DELETE ${PROJECT}/keys/[key]`]: row('admin', async (s) => {
    const { projectSlug, publicKey } = await s.newKey();
    return { params: { project: projectSlug, key: publicKey } };
  }),
  'GET teams/[org]/[team]/projects': row('viewer', ofTeam),
  'POST teams/[org]/[team]/projects': row('admin', ofOwnTeam),
};
