import { type ApiRequest, type ApiRow, forBuilds, row } from './api-row.ts';
import type { MatrixScene } from './scene.ts';

const ORG = 'organizations/[org]';
const PROJECT = 'projects/[org]/[project]';

const ofRelease = async (s: MatrixScene): Promise<ApiRequest> => ({
  params: { version: await s.newRelease() },
  body: { ref: 'main' },
});
const ofRepository = async (s: MatrixScene): Promise<ApiRequest> => ({
  params: { repo: String((await s.newRepository()).id) },
  body: { host: 'github' },
});
const mappingBody = async (s: MatrixScene) => ({
  projectSlug: s.web.slug,
  repositoryId: String((await s.newRepository()).id),
  stackRoot: `${s.unique()}/`,
  sourceRoot: 'src/',
  defaultBranch: 'main',
});
const ofMapping = async (s: MatrixScene): Promise<ApiRequest> => ({
  params: { mapping: String(await s.newCodeMapping()) },
  body: await mappingBody(s),
});

const releaseRows = (base: string): Record<string, ApiRow> => ({
  [`GET ${base}/releases`]: forBuilds('viewer'),
  [`POST ${base}/releases`]: forBuilds('member', (s) => ({
    body: { version: s.unique(), projects: [s.web.slug] },
  })),
  [`GET ${base}/releases/[version]`]: forBuilds('viewer'),
  [`PUT ${base}/releases/[version]`]: forBuilds('member', ofRelease),
  [`DELETE ${base}/releases/[version]`]: row('member', ofRelease),
  [`GET ${base}/releases/[version]/commits`]: forBuilds('viewer'),
});

/** Routes of releases, and of what says where their code is. */
export const RELEASE_ROWS: Readonly<Record<string, ApiRow>> = {
  ...releaseRows(ORG),
  ...releaseRows(PROJECT),
  [`GET ${ORG}/releases/[version]/meta`]: forBuilds('viewer'),
  [`GET ${ORG}/releases/[version]/previous-with-commits`]: forBuilds('viewer'),
  [`GET ${ORG}/releases/[version]/commitfiles`]: forBuilds('viewer'),
  [`GET ${ORG}/releases/[version]/deploys`]: forBuilds('viewer'),
  [`POST ${ORG}/releases/[version]/deploys`]: forBuilds('member', () => ({
    body: { environment: 'production' },
  })),
  [`GET ${ORG}/repos`]: forBuilds('viewer'),
  [`POST ${ORG}/repos`]: row('manager', (s) => ({ body: { name: `acme/${s.unique()}` } })),
  [`GET ${ORG}/repos/[repo]`]: forBuilds('viewer', ofRepository),
  [`PUT ${ORG}/repos/[repo]`]: row('manager', ofRepository),
  [`DELETE ${ORG}/repos/[repo]`]: row('manager', ofRepository),
  [`GET ${ORG}/repos/[repo]/commits`]: forBuilds('viewer', ofRepository),
  [`GET ${ORG}/code-mappings`]: forBuilds('viewer'),
  [`POST ${ORG}/code-mappings`]: forBuilds('member', async (s) => ({ body: await mappingBody(s) })),
  [`PUT ${ORG}/code-mappings/[mapping]`]: forBuilds('member', ofMapping),
  [`DELETE ${ORG}/code-mappings/[mapping]`]: forBuilds('member', ofMapping),
  [`POST ${ORG}/code-mappings/bulk`]: forBuilds('member', (s) => ({
    body: {
      project: s.web.slug,
      repository: 'acme/web',
      defaultBranch: 'main',
      mappings: [{ stackRoot: `${s.unique()}/`, sourceRoot: 'src/' }],
    },
  })),
  [`GET ${PROJECT}/stacktrace-link`]: row('viewer', () => ({ query: 'file=src/cart.ts' })),
};
