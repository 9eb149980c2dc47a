import { addComment } from '#product/comments/comments.ts';
import { createDeploy } from '#product/releases/deploys.ts';
import { saveRelease } from '#product/releases/save-release.ts';
import { acceptedOutcomes, hashOf } from '../../contract/sample-events.ts';
import { ids } from '../fill-telemetry.ts';
import { type Joined, type MatrixScene, openMatrixScene } from './scene.ts';
import { newReleaseFile } from './upload-rows.ts';

/** Roles that see only the projects of their teams where membership is closed. */
export const BOUND_ROLES = ['viewer', 'member', 'admin'] as const;
export type BoundRole = (typeof BOUND_ROLES)[number];

export type ClosedScene = MatrixScene & {
  /** In the team that has the project `web`. */
  inside: Readonly<Record<BoundRole, Joined>>;
  /** In a team as well, whose project is `shop`. */
  outside: Readonly<Record<BoundRole, Joined>>;
  /** What of `web` an answer gives away, in words; null when nothing. */
  findHidden: (answer: unknown) => string | null;
};

/** The organization of the matrix with closed membership, where `web` has something of everything that can leak. */
export async function openClosedScene(): Promise<ClosedScene> {
  const scene = await openMatrixScene({ isOpen: false });
  const { product, mine, owner, version, team } = scene;
  const { teams } = product.stores;
  const shop = await product.createProject(mine, 'shop');
  await product.ingest(mine, [
    {
      projectId: shop.id,
      title: 'Visible error',
      culprit: 'visible()',
      message: 'visible',
      metadata: { type: 'Visible', value: 'error' },
      groupingHash: hashOf('visible'),
      release: 'shop@1',
    },
  ]);
  const shopTeam = await teams.create(mine.id, { slug: 'team-shop', name: 'Team Shop' });
  await teams.setProject(mine.id, shopTeam.id, shop.id, true);
  const joinTeam = async (role: BoundRole, teamId: number): Promise<Joined> => {
    const joined = await product.join(mine, role);
    await teams.setMember(mine.id, teamId, joined.userId, true);
    return joined;
  };
  const inside = {} as Record<BoundRole, Joined>;
  const outside = {} as Record<BoundRole, Joined>;
  for (const role of BOUND_ROLES) {
    inside[role] = await joinTeam(role, team.id);
    outside[role] = await joinTeam(role, shopTeam.id);
  }

  const commit = {
    id: 'c0ffee',
    repository: 'acme/hidden',
    message: 'Mend the hidden cart',
    authorName: 'Ada',
  };
  await saveRelease(owner, { version, projectSlugs: ['web'], change: {}, commits: [commit] });
  const deploy = {
    environment: 'hidden-production',
    name: null,
    url: null,
    startedAt: null,
    finishedAt: null,
  };
  await createDeploy(owner, { version, projectSlugs: [], deploy });
  const tagged = {
    projectId: scene.web.id,
    tags: [['plan', 'hidden']] as const,
    groupingHash: hashOf('plan'),
  };
  const events = await product.ingest(mine, [tagged]);
  await product.assignNext(events, { outcomes: acceptedOutcomes(events) });
  await newReleaseFile(scene);
  await scene.newCodeMapping();
  await addComment(owner, scene.issue, { text: 'A hidden comment' });
  await scene.newLink();
  return { ...scene, inside, outside, findHidden: findHiddenOf(scene) };
}

/** What only `web` has: its names, what was sent to it, and what the matrix makes in it. */
const HIDDEN = [
  /"web"/,
  /WEB-\d/,
  /web@/,
  /x is undefined/,
  /hidden/i,
  /c0ffee/,
  /acme\//,
  /build-[0-9a-f]{8}/,
  /"p-[0-9a-f]{8}/,
  /Error [0-9a-f]{8}/,
  /Of the matrix/,
  /tracker\.example\.com/,
  /orders\.paid/,
];

const findHiddenOf = (scene: MatrixScene): ClosedScene['findHidden'] => {
  const names = [
    ...HIDDEN,
    ...Object.values(ids).map((id) => new RegExp(id)),
    new RegExp(scene.error.eventId),
  ];
  const ofProject = new RegExp(`"projectIds?":(?:${scene.web.id}\\b|\\[[^\\]]*\\b${scene.web.id}\\b)`);
  return (answer) => {
    const text = toText(answer);
    const found = [...names, ofProject].map((name) => name.exec(text)).find((match) => match !== null);
    return found ? text.slice(Math.max(0, found.index - 60), found.index + 60) : null;
  };
};

/** As JSON, with what JSON leaves out. */
export const toText = (answer: unknown): string =>
  JSON.stringify(answer, (_, value: unknown) => {
    if (value instanceof Map || value instanceof Set) return [...value];
    return typeof value === 'bigint' ? String(value) : value;
  }) ?? '';
