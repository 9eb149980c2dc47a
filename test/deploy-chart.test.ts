import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { SETTINGS } from '#config/settings.ts';
import { ROLES } from '#config.ts';
import { findIngestRoute } from '#ingest/ingest-routes.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const CHART = path.join(ROOT, 'deploy/helm/errata');
const read = (file: string) => readFileSync(path.join(CHART, file), 'utf8');

const FREE = z.record(z.string(), z.unknown());
const CHECKED = z.object({ properties: FREE, additionalProperties: z.literal(false) });
type Values = z.infer<typeof FREE>;
const values: Values = FREE.parse(parse(read('values.yaml')));
const schema = z.looseObject({ ...CHECKED.shape, $defs: FREE }).parse(parse(read('values.schema.json')));
const NAMES = SETTINGS.map(({ name }) => name);
/** Those that a file can hold. */
const SECRETS = NAMES.filter((name) => name.endsWith('_FILE')).map((name) => name.slice(0, -'_FILE'.length));
/** What the chart itself decides, and what is set for one command only. */
const OF_CHART = [
  'PORT',
  'ERRATA_HOST',
  'ERRATA_HEALTH_PORT',
  'ERRATA_URL',
  'ERRATA_DATA_DIR',
  'ERRATA_IMPORT_TOKEN',
];

const check = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);

describe('values', () => {
  test('the defaults are as the schema says, and have every value that it names', () => {
    expect(check.safeParse(values).error).toBeUndefined();
    expect(Object.keys(values).sort()).toEqual(
      Object.keys(schema.properties)
        .filter((name) => name !== 'global')
        .sort(),
    );
  });

  test.each([
    ['a name that is none', { images: {} }],
    ['a setting that is none', { settings: { ERRATA_RETENTION: '30' } }],
    ['a secret among the settings', { settings: { DATABASE_URL: 'postgres://…' } }],
    ['a setting among the secrets', { secrets: { keys: ['ERRATA_LOG_LEVEL'] } }],
    ['an address with a path', { url: 'https://example.com/errata/' }],
    ['no digest at all', { digest: { autoscaling: { minReplicas: 0 } } }],
    ['no yes or no', { stopped: 'yes' }],
    ['another mode', { mode: 'cluster' }],
  ])('refused: %s', (_name, change) => {
    expect(check.safeParse({ ...values, ...change }).success).toBe(false);
  });

  test('the schema knows every setting, secrets as such', () => {
    const enumOf = (place: unknown) => z.array(z.string()).parse(place);
    const settings = z
      .object({ propertyNames: z.object({ enum: z.array(z.string()) }) })
      .parse(schema.properties.settings);
    expect(settings.propertyNames.enum.sort()).toEqual(
      NAMES.filter(
        (name) => !name.endsWith('_FILE') && !SECRETS.includes(name) && !OF_CHART.includes(name),
      ).sort(),
    );
    const { properties } = CHECKED.parse(schema.properties.secrets);
    const keys = z.object({ items: z.object({ enum: z.unknown() }) }).parse(properties.keys);
    expect(enumOf(keys.items.enum).sort()).toEqual([...SECRETS].sort());
  });

  test('each value is explained beside it or above its group', () => {
    const lines = read('values.yaml').split('\n');
    const groups = lines.flatMap((line, index) => (/^\w+:/.test(line) ? [index] : []));
    const bare = groups.filter(
      (index) => !lines[index - 1]?.startsWith('#') && !/^(imagePullSecrets|image):/.test(lines[index] ?? ''),
    );
    expect(bare.map((index) => lines[index])).toEqual([]);
  });
});

test('every role has a deployment, and web an edge in front of it', () => {
  const declared =
    /range \$role, \$roles := dict ((?:"[\w,]+" ?)+)/.exec(read('templates/roles.yaml'))?.[1] ?? '';
  const pairs = [...declared.matchAll(/"([\w]+)" "([\w,]+)"/g)].map(([, role, roles]) => [role, roles]);
  expect(pairs.map(([role]) => role).sort()).toEqual([...ROLES].sort());
  expect(Object.fromEntries(pairs)).toEqual({
    edge: 'edge',
    web: 'edge,web',
    digest: 'digest',
    jobs: 'jobs',
  });
  for (const role of ROLES) expect(values).toHaveProperty([role, 'replicas']);
});

test('pods are read-only, and run as the user of the image', () => {
  const pod = read('templates/_pod.tpl');
  const user = /^USER (\d+):(\d+)$/m.exec(readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8'));
  expect(pod).toContain(`runAsUser: ${user?.[1]}`);
  expect(pod).toContain(`runAsGroup: ${user?.[2]}`);
  for (const line of [
    'runAsNonRoot: true',
    'readOnlyRootFilesystem: true',
    'allowPrivilegeEscalation: false',
    'drop: [ALL]',
  ])
    expect(pod).toContain(line);
});

test('what SDKs send goes to the edge, and what else is below /api to the pages', () => {
  const routes = read('templates/_routes.tpl');
  const toWeb = [...(/range list ((?:"[^"]+" ?)+)/.exec(routes)?.[1] ?? '').matchAll(/"([^"]+)"/g)].map(
    ([, at]) => at ?? '',
  );
  const folders = readdirSync(path.join(ROOT, 'src/app/api')).map((name) => `/api/${name}`);
  expect(toWeb.sort()).toEqual([...folders, '/'].sort());
  for (const at of toWeb) expect(findIngestRoute(`${at}/envelope/`)).toBeNull();
  expect(findIngestRoute('/api/1/envelope/')?.name).toBe('envelope');
});

test('chart and program have the same version', () => {
  const chart = z.object({ version: z.string(), appVersion: z.string() }).parse(parse(read('Chart.yaml')));
  const { version } = z
    .object({ version: z.string() })
    .parse(parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')));
  expect(chart).toEqual({ version, appVersion: version });
});
