import { expect, test } from 'vitest';
import { makeProject } from '../../harness/shared-errata.ts';

/** Names that an address has to carry unharmed: through the public port, the framework and the store. */
const NAMES = [
  'team/web@1.0.0-rc.1+7',
  'a b',
  '100%',
  'a%2Fb',
  'ü@1.0',
  'x?y#z&a=b',
  '..x',
  '"q";v',
  'back\\slash',
];

test('a release of any name is made, found, changed and deleted by its address', async () => {
  const { api, slug } = await makeProject('release-names');
  for (const version of NAMES) {
    const path = `/api/0/organizations/main/releases/${encodeURIComponent(version)}/`;
    const made = await api.request('POST', '/api/0/organizations/main/releases/', {
      version,
      projects: [slug],
    });
    const found = await api.request('GET', path);
    const changed = await api.request('PUT', path, { ref: 'main' });
    const deploy = await api.request('POST', `${path}deploys/`, { environment: 'production' });
    const ofProject = await api.request('GET', path.replace('organizations/main', `projects/main/${slug}`));
    const gone = await api.request('DELETE', path);
    expect([
      version,
      made.status,
      found.status,
      changed.status,
      deploy.status,
      ofProject.status,
      gone.status,
    ]).toEqual([version, 201, 200, 200, 201, 200, 204]);
    expect([found.body, changed.body]).toMatchObject([{ version }, { version, ref: 'main' }]);
  }
});
