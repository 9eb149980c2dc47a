import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { SETTINGS } from '#config/settings.ts';
import { parseConfig, ROLES } from '#config.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const KNOWN = new Set(SETTINGS.map(({ name }) => name));

/** Names in capitals that look like settings. */
const settingsIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\b(?:ERRATA_[A-Z0-9_]+|DATABASE_URL(?:_FILE)?|CLICKHOUSE_URL(?:_FILE)?)\b/g)].map(
      ([name]) => name,
    ),
  ),
];
/** For those who start the containers, not for the server. */
const OF_COMPOSE = new Set(['ERRATA_IMAGE', 'ERRATA_PORT', 'ERRATA_MEMORY']);

test('every setting that the files name is one', () => {
  const files = [
    'Dockerfile',
    ...globSync('deploy/**/*', { cwd: ROOT, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('secrets'))
      .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name))),
  ];
  expect(files.length).toBeGreaterThan(10);
  const unknown = files.flatMap((file) =>
    settingsIn(read(file))
      .filter((name) => !KNOWN.has(name) && !KNOWN.has(`${name}_FILE`) && !OF_COMPOSE.has(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

describe('the image', () => {
  const lines = read('Dockerfile').replaceAll(/\\\n/g, ' ').split('\n');
  const final = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM')));
  const instruction = (name: string) => final.filter((line) => line.startsWith(`${name} `));

  test('runs as a fixed user without rights, in the exec form, and can be asked for its health', () => {
    expect(instruction('USER')).toEqual(['USER 10001:10001']);
    expect(instruction('ENTRYPOINT')).toEqual(['ENTRYPOINT ["errata"]']);
    expect(instruction('CMD')).toEqual(['CMD ["serve"]']);
    expect(instruction('STOPSIGNAL')).toEqual(['STOPSIGNAL SIGTERM']);
    expect(instruction('VOLUME')).toEqual(['VOLUME /data']);
    expect(instruction('HEALTHCHECK')[0]).toMatch(
      /--start-period=\d+m .*CMD \["node", "\/opt\/errata\/bin\/is-healthy\.mjs"\]$/,
    );
  });

  test('takes nothing that belongs to an architecture, and leaves the program to root', () => {
    expect(read('Dockerfile')).not.toMatch(/amd64|arm64|x64|x86|aarch64|TARGETARCH|--platform/);
    expect(lines.filter((line) => /^COPY .*--chown/.test(line))).toEqual([]);
  });

  test('everything that is copied is in the context', () => {
    const kept = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const copied = lines
      .filter((line) => /^COPY (?!--from)/.test(line))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(
      copied.filter((name) => !kept.some((each) => name === each || name.startsWith(`${each}/`))),
    ).toEqual([]);
  });
});

const COMPOSE = z.object({
  services: z.record(z.string(), z.looseObject({ image: z.string() })),
  volumes: z.record(z.string(), z.unknown()).optional(),
  secrets: z.record(z.string(), z.object({ file: z.string() })).optional(),
});
const readCompose = (name: string) =>
  COMPOSE.parse(parse(read(`deploy/compose/${name}.yaml`), { merge: true }));
const OURS = /ERRATA_IMAGE/;

describe.each(['small', 'large'])('compose, the %s form', (name) => {
  const { services, volumes = {}, secrets = {} } = readCompose(name);
  const ours = Object.entries(services).filter(([, { image }]) => OURS.test(image));

  test.each(ours)('%s can write nothing but its volumes, and has no rights', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  test('what is used is declared, and the other way around', () => {
    const usedVolumes = Object.values(services)
      .flatMap(({ volumes: mounts }) => (mounts as string[] | undefined) ?? [])
      .map((mount) => mount.split(':')[0] ?? '')
      .filter((volume) => !volume.startsWith('.'));
    expect([...new Set(usedVolumes)].sort()).toEqual(Object.keys(volumes).sort());
    const usedSecrets = Object.values(services).flatMap(
      (service) => (service.secrets as string[] | undefined) ?? [],
    );
    expect([...new Set(usedSecrets)].sort()).toEqual(Object.keys(secrets).sort());
  });

  test('images of others have a version', () => {
    const others = Object.values(services).filter(({ image }) => !OURS.test(image));
    expect(others.map(({ image }) => image).filter((image) => !/:v?\d/.test(image))).toEqual([]);
  });
});

test('the large form runs every role, and its settings are a configuration', () => {
  const { services, secrets = {} } = readCompose('large');
  const commands = Object.values(services).flatMap(({ command }) =>
    Array.isArray(command) && command[1] === '--roles' ? [String(command[2])] : [],
  );
  expect([...new Set(commands.flatMap((roles) => roles.split(',')))].sort()).toEqual([...ROLES].sort());
  // The web role is on loopback: an edge stands in front of it.
  expect(commands.filter((roles) => roles.includes('web'))).toEqual(['edge,web']);
  const made = read('deploy/compose/make-secrets');
  for (const name of Object.keys(secrets)) expect(made).toContain(name);
  for (const [name, service] of Object.entries(services)) {
    if (!OURS.test(service.image) || !service.environment) continue;
    const settings = service.environment as Record<string, string | number>;
    const inline = Object.entries(settings).map(([setting, value]): [string, string] =>
      setting.endsWith('_FILE')
        ? [setting.slice(0, -'_FILE'.length), exampleOf(setting)]
        : [setting, String(value).replace(/\$\{\w+:-(.*?)\}/, '$1')],
    );
    expect(parseConfig(Object.fromEntries(inline)), name).toMatchObject({ spool: { topic: 'errata' } });
  }
});

const exampleOf = (setting: string): string => {
  if (setting.startsWith('DATABASE')) return 'postgres://errata:secret@postgres:5432/errata';
  if (setting.startsWith('CLICKHOUSE')) return 'http://errata:secret@clickhouse:8123/errata';
  return '0123456789abcdef0123456789abcdef';
};

describe.each(['errata.service', 'errata@.service'])('the unit %s', (name) => {
  const unit = read(`deploy/systemd/${name}`);
  test.each([
    'User=errata',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    'ProtectHome=yes',
    'CapabilityBoundingSet=',
    'PrivateTmp=yes',
    'Restart=always',
    'KillMode=mixed',
  ])('has %s', (line) => {
    expect(unit.split('\n')).toContain(line);
  });

  test('gives the server time to stop, and enough files', () => {
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(30);
    expect(Number(/^LimitNOFILE=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(20_000);
  });
});
