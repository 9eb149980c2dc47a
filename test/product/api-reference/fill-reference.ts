import type { OutcomeCount } from '#protocol/outcome.ts';
import type { ApiRequest } from '../roles-matrix/api-row.ts';
import type { MatrixScene } from '../roles-matrix/scene.ts';
import { newMapping, newReleaseFile } from '../roles-matrix/upload-rows.ts';

type Ask = (operation: string, given?: ApiRequest) => Promise<{ status: number; body: unknown }>;

/** What lists would be empty without, and an empty list says nothing of its rows. Answers requests for those lists. */
export async function fillReference(
  scene: MatrixScene,
  ask: Ask,
): Promise<Readonly<Record<string, ApiRequest>>> {
  const repository = `acme/${scene.unique()}`;
  const team = await scene.newTeam();
  const member = await scene.newMember();
  await scene.product.stores.teams.setMember(scene.mine.id, team.id, member.userId, true);
  await scene.product.stores.teams.setMember(scene.mine.id, team.id, scene.owner.userId, true);
  await scene.product.stores.teams.setProject(scene.mine.id, team.id, scene.web.id, true);
  await newReleaseFile(scene);
  await newMapping(scene);
  const version = { version: scene.version };
  const outcome = { organizationId: scene.mine.id, projectId: scene.web.id, keyId: null, reason: '' };
  const counted = { at: scene.product.clock.nowMs, category: 'error', outcome: 'accepted', quantity: 1 };
  await scene.product.assignNext([], { outcomes: [{ ...outcome, ...counted }] as OutcomeCount[] });
  const made = [
    await ask('PUT organizations/{org}/releases/{version}/', {
      params: version,
      body: {
        commits: [
          {
            id: 'a'.repeat(40),
            repository,
            message: 'Mend the cart',
            author_name: 'Ada',
            author_email: 'ada@example.com',
            timestamp: new Date(scene.product.clock.nowMs).toISOString(),
            patch_set: [{ path: 'src/cart.ts', type: 'M' }],
          },
        ],
      },
    }),
    await ask('POST organizations/{org}/releases/{version}/deploys/', {
      params: version,
      body: { environment: 'production' },
    }),
    await ask('POST organizations/{org}/org-auth-tokens/'),
    await ask('POST issues/{issue}/external-issues/'),
    await ask('POST projects/{org}/{project}/rules/'),
    await ask('POST organizations/{org}/alert-rules/'),
  ];
  const failed = made.find(({ status }) => status >= 300);
  if (failed) throw new Error(`The scene could not be filled: ${JSON.stringify(failed)}`);
  const { id } = (await scene.product.stores.repositories.findByName(scene.mine.id, repository))!;
  return {
    'GET organizations/{org}/repos/{repo}/commits/': { params: { repo: String(id) } },
    'GET teams/{org}/{team}/': { params: { team: team.slug } },
    'GET teams/{org}/{team}/members/': { params: { team: team.slug } },
    'GET teams/{org}/{team}/projects/': { params: { team: team.slug } },
  };
}
