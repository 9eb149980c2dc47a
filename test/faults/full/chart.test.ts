import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { SETTINGS } from '#config/settings.ts';
import { ROLES } from '#config.ts';
import { CHART, findGoProgram, runGoProgram } from '../../harness/helm.ts';

const helm = findGoProgram('helm');
const LABELS = z.record(z.string(), z.string());
const POD = z.object({
  metadata: z.object({ labels: LABELS }),
  spec: z.looseObject({
    volumes: z.array(z.looseObject({ name: z.string() })),
    containers: z.array(
      z.looseObject({
        args: z.array(z.string()),
        env: z.array(z.object({ name: z.string(), value: z.string() })),
        volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
      }),
    ),
  }),
});
const OBJECT = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({}).optional(),
});
type Manifest = z.infer<typeof OBJECT>;

const SECRET_KEYS = 'secrets.keys={DATABASE_URL,CLICKHOUSE_URL,ERRATA_SECRET,ERRATA_METRICS_TOKEN}';
const DISTRIBUTED = [
  ...['--set', 'mode=distributed,url=https://errata.example.com,secrets.existingSecret=errata'],
  ...['--set', SECRET_KEYS],
  ...['--set', 'settings.ERRATA_SPOOL_URL=kafka://kafka:9092/errata,settings.ERRATA_BLOBS_URL=s3://blobs'],
];
const EVERYTHING = [
  ...DISTRIBUTED,
  ...['--set', 'edge.autoscaling.enabled=true,web.autoscaling.enabled=true,digest.autoscaling.enabled=true'],
  ...['--set', 'ingress.enabled=true,ingress.tlsSecret=tls,ingress.className=nginx,podMonitor.enabled=true'],
  ...[
    '--set',
    'httpRoute.enabled=true,httpRoute.parentRefs[0].name=gateway,httpRoute.hostnames[0]=errata.example.com',
  ],
  ...[
    '--set',
    'networkPolicy.egress.enabled=true,networkPolicy.from[0].namespaceSelector.matchLabels.name=ingress',
  ],
  ...['--set', 'jobs.podDisruptionBudget.enabled=true,serviceAccount.annotations.role=blobs'],
];
const FORMS = { single: [], distributed: DISTRIBUTED, everything: EVERYTHING };

const template = (args: readonly string[]) => {
  const result = runGoProgram(helm ?? 'helm', ['template', 'one', CHART, '--namespace', 'errata', ...args]);
  if (result.code !== 0) throw new Error(result.stderr);
  return result.stdout;
};
const render = (args: readonly string[]): Manifest[] =>
  parseAllDocuments(template(args)).flatMap((document) => {
    const object: unknown = document.toJS();
    return object === null ? [] : [OBJECT.parse(object)];
  });
const podsOf = (objects: readonly Manifest[]) =>
  objects
    .filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
    .map(({ kind, metadata, spec }) => ({ kind, name: metadata.name, spec, pod: POD.parse(spec?.template) }));

describe.skipIf(helm === null)(helm === null ? 'the chart (skipped: no helm)' : 'the chart', () => {
  test.each(Object.entries(FORMS))('%s passes the linter of helm', (_name, args) => {
    const { code, stdout, stderr } = runGoProgram(helm ?? '', ['lint', '--strict', CHART, ...args]);
    expect([code, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('0 chart(s) failed')]);
  });

  test.each(Object.entries(FORMS))('%s: nothing runs or scales while it is stopped', (_name, args) => {
    const objects = render([...args, '--set', 'stopped=true']);
    expect(podsOf(objects).map(({ spec }) => spec?.replicas)).toEqual(podsOf(objects).map(() => 0));
    expect(objects.filter(({ kind }) => /Autoscaler|ScaledObject/.test(kind))).toEqual([]);
    expect(podsOf(render(args)).map(({ spec }) => spec?.replicas)).not.toContain(0);
  });

  test.each(Object.entries(FORMS))(
    '%s: whatever selects pods selects some, and every name leads somewhere',
    (name, args) => {
      const objects = render(args);
      const pods = podsOf(objects);
      expect(pods.length).toBe(name === 'single' ? 1 : ROLES.length);
      const matches = (selector: unknown) => {
        const wanted = Object.entries(LABELS.parse(selector));
        return pods.filter(({ pod }) =>
          wanted.every(([label, value]) => pod.metadata.labels[label] === value),
        );
      };
      for (const { kind, metadata, spec } of objects) {
        const at = `${kind} ${metadata.name}`;
        const selector = spec?.selector ?? spec?.podSelector;
        if (selector) {
          const labels = z.object({ matchLabels: LABELS }).safeParse(selector);
          expect(matches(labels.success ? labels.data.matchLabels : selector).length, at).toBeGreaterThan(0);
        }
        const target = z.object({ scaleTargetRef: z.object({ name: z.string() }) }).safeParse(spec);
        if (target.success)
          expect(
            pods.map((each) => each.name),
            at,
          ).toContain(target.data.scaleTargetRef.name);
      }
      const services = objects.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
      const named = JSON.stringify(objects.filter(({ kind }) => kind === 'Ingress' || kind === 'HTTPRoute'));
      for (const [, service] of named.matchAll(/"(?:service|backendRefs)":[[{]+"name":"([^"]+)"/g))
        expect(services).toContain(service);
      for (const { name: owner, pod, spec } of pods) {
        const claims = z
          .array(z.object({ metadata: z.object({ name: z.string() }) }))
          .safeParse(spec?.volumeClaimTemplates);
        const volumes = [
          ...pod.spec.volumes.map((volume) => volume.name),
          ...(claims.success ? claims.data.map((claim) => claim.metadata.name) : []),
        ];
        const mounts = pod.spec.containers.flatMap(({ volumeMounts }) =>
          volumeMounts.map((mount) => mount.name),
        );
        expect([...new Set(mounts)].sort(), owner).toEqual(volumes.sort());
      }
    },
  );

  test('each role is started with its settings, and no secret is in an environment', () => {
    const known = new Set(SETTINGS.map(({ name }) => name));
    const pods = podsOf(render(EVERYTHING));
    expect(Object.fromEntries(pods.map(({ name, pod }) => [name, pod.spec.containers[0]?.args]))).toEqual({
      'one-errata-edge': ['serve', '--roles', 'edge'],
      'one-errata-web': ['serve', '--roles', 'edge,web'],
      'one-errata-digest': ['serve', '--roles', 'digest'],
      'one-errata-jobs': ['serve', '--roles', 'jobs'],
    });
    for (const { name, pod } of pods) {
      const env = pod.spec.containers.flatMap((container) => container.env);
      expect(env.filter((each) => !known.has(each.name))).toEqual([]);
      expect(env.map((each) => each.name)).not.toContain('DATABASE_URL');
      expect(env).toContainEqual({ name: 'DATABASE_URL_FILE', value: '/run/secrets/errata/DATABASE_URL' });
      expect(
        env.some((each) => each.name === 'ERRATA_HEALTH_PORT'),
        name,
      ).toBe(/digest|jobs/.test(name));
    }
  });

  test('what scales has no fixed number of replicas, and what does not has one', () => {
    const replicasOf = (args: readonly string[]) =>
      Object.fromEntries(
        podsOf(render(args)).map(({ name, spec }) => [name.replace('one-errata-', ''), spec?.replicas]),
      );
    expect(replicasOf(DISTRIBUTED)).toEqual({ edge: 2, web: 2, digest: 2, jobs: 1 });
    expect(replicasOf(EVERYTHING)).toEqual({ edge: undefined, web: undefined, digest: undefined, jobs: 1 });
  });

  test.each([
    [['--set', 'mode=distributed'], 'mode distributed needs DATABASE_URL'],
    [['--set', 'settings.ERRATA_RETENTION=30'], 'ERRATA_RETENTION'],
    [['--set', 'secrets.existingSecret=one'], 'secrets.keys'],
    [['--set', 'secrets.existingSecret=one,secrets.values.ERRATA_SECRET=two'], 'choose one of'],
    [['--set', 'podMonitor.enabled=true'], 'podMonitor needs'],
    [['--set', 'httpRoute.enabled=true'], 'httpRoute.parentRefs'],
    [['--set', 'replicas=3'], 'replicas'],
  ])('refused with the reason: %j', (args, reason) => {
    expect(() => template(args)).toThrow(reason);
  });
});

const kubeconform = findGoProgram('kubeconform');
/** A folder or an address with the schemas of Kubernetes; the usual one where it can be reached. */
const SCHEMAS = process.env.ERRATA_TEST_KUBE_SCHEMAS ?? 'default';
const noSchemas = helm === null || kubeconform === null || !hasSchemas();

function hasSchemas(): boolean {
  const pod = '{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a"}}';
  const { code } = runGoProgram(kubeconform ?? '', ['-schema-location', SCHEMAS, '-'], pod);
  return code === 0;
}

describe.skipIf(noSchemas)(
  noSchemas ? 'manifests (skipped: no kubeconform, or no schemas of Kubernetes)' : 'manifests',
  () => {
    test.each(Object.entries(FORMS))('%s is as Kubernetes has it', (_name, args) => {
      const { code, stdout } = runGoProgram(
        kubeconform ?? '',
        ['-strict', '-summary', '-ignore-missing-schemas', '-schema-location', SCHEMAS, '-'],
        template(args),
      );
      expect([code, stdout]).toEqual([0, expect.stringContaining('Invalid: 0')]);
    });
  },
);
