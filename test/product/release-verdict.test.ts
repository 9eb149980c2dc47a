import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Organization, Project } from '#domain/projects.ts';
import { createDeploy } from '#product/releases/deploys.ts';
import { getReleaseVerdict } from '#product/releases/verdict/get-release-verdict.ts';
import type { VerdictMeasure } from '#product/releases/verdict/release-verdict.ts';
import { HOUR_MS, hashOf, MINUTE_MS, NOON_MS } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { openProduct, type Product } from './open-product.ts';

const OLD = { version: 'shop@1.0.0', startMs: NOON_MS - 20 * HOUR_MS };
const NEW = { version: 'shop@1.1.0', startMs: NOON_MS - 2 * HOUR_MS };

describe('the verdict about a release', () => {
  let product: Product;
  let organization: Organization;
  let web: Project;
  let member: Awaited<ReturnType<Product['join']>>;

  beforeAll(async () => {
    product = await openProduct();
    organization = await product.createOrganization();
    web = await product.createProject(organization, 'web');
    member = await product.join(organization, 'member');
    const own = { organizationId: organization.id, projectId: web.id };
    const event = (release: string, title: string, occurredAt: number) => ({
      ...{ projectId: web.id, release, title, groupingHash: hashOf(title), occurredAt },
      environment: 'production',
    });
    await product.ingest(organization, [
      event(OLD.version, 'old', OLD.startMs),
      event(NEW.version, 'old', NEW.startMs),
      event('lonely@1', 'lonely', NOON_MS - HOUR_MS),
      ...Array.from({ length: 30 }, (_, index) =>
        event(NEW.version, `new ${index}`, NEW.startMs + MINUTE_MS),
      ),
    ]);
    const transaction = (release: string, atMs: number, index: number, slower: number) =>
      makeRow('spans', {
        ...{ ...own, release, environment: 'production', isSegment: true, op: 'http.server' },
        startedAtUs: (atMs + index * 1_000) * 1_000,
        durationUs: (10 + index + slower) * 1_000,
        status: index % 20 === 0 ? 'internal_error' : 'ok',
      });
    const sessions = (release: string, startedAt: number, crashed: number, exited: number) =>
      makeRow('sessions', {
        ...{ ...own, release, startedAt, occurredAt: startedAt, environment: 'production' },
        ...{ sessionId: randomBytes(16).toString('hex'), exited, crashed, errored: 0, abnormal: 0 },
      });
    const line = (release: string, atMs: number, body: string, index: number) =>
      makeRow('logs', {
        ...{ ...own, release, body, level: 'error', environment: 'production' },
        occurredAtUs: (atMs + index * 1_000) * 1_000,
      });
    const numbers = Array.from({ length: 200 }, (_, index) => index);
    await product.stores.telemetry.insert(
      {
        spans: [
          ...numbers.map((index) => transaction(OLD.version, OLD.startMs, index, 0)),
          ...numbers.map((index) => transaction(NEW.version, NEW.startMs, index, 100)),
          // Later than the new release has lived: not compared.
          ...numbers.map((index) => transaction(OLD.version, OLD.startMs + 5 * HOUR_MS, index, 9_000)),
        ],
        sessions: [sessions(OLD.version, OLD.startMs, 30, 970), sessions(NEW.version, NEW.startMs, 2, 998)],
        logs: [
          ...[1, 2, 3].map((index) => line(OLD.version, OLD.startMs, `Order ${index * 17} paid`, index)),
          ...[1, 2, 3].map((index) => line(NEW.version, NEW.startMs, `Order ${index * 19} paid`, index)),
          ...[1, 2, 3].map((index) => line(NEW.version, NEW.startMs, `Card ${index * 11} "refused"`, index)),
          ...[1, 2].map((index) => line(NEW.version, NEW.startMs, `Slow ${index * 11} query`, index)),
          line('other@1', NEW.startMs - HOUR_MS, 'Slow 5 query', 0),
        ],
      },
      'verdict',
    );
  });
  afterAll(async () => {
    await product?.close();
  });

  const ask = (version: string, environments: readonly string[] = []) =>
    getReleaseVerdict(member, { version, projectSlugs: [], environments });

  test('each measure with its numbers, its samples and whether it is more than chance', async () => {
    const found = await ask(NEW.version);
    const line = (measure: VerdictMeasure) => found.lines.find((each) => each.measure === measure);
    expect(found).toMatchObject({ before: OLD.version, verdict: 'worse' });
    expect(found.windows.own.toMs - found.windows.own.fromMs).toBe(
      found.windows.before!.toMs - found.windows.before!.fromMs,
    );
    expect(line('p95')).toMatchObject({ own: { sample: 200 }, before: { sample: 200 }, verdict: 'worse' });
    expect(line('failure_rate')).toMatchObject({ own: { value: 0.05, sample: 200 }, verdict: 'chance' });
    expect(line('crash_free_sessions')).toEqual({
      measure: 'crash_free_sessions',
      own: { value: 0.998, sample: 1_000 },
      before: { value: 0.97, sample: 1_000 },
      verdict: 'better',
    });
    expect(line('crash_free_users')).toMatchObject({ verdict: 'too_few' });
    expect(line('new_issues')).toMatchObject({ own: { value: 30 }, before: { value: 1 }, verdict: 'worse' });
    expect(line('regressed_issues')).toMatchObject({ verdict: 'too_few' });
  });

  test('log patterns that neither the release before nor another one wrote', async () => {
    const { logPatterns } = await ask(NEW.version);
    expect(logPatterns).toMatchObject([{ pattern: 'Card <int> "refused"', level: 'error', lines: 3 }]);
  });

  test('a deploy is where the time begins, of the environment that is asked for', async () => {
    const finishedAt = NEW.startMs + 30 * MINUTE_MS;
    const deploy = { environment: 'staging', name: null, url: null, startedAt: null, finishedAt };
    await createDeploy(member, { version: NEW.version, projectSlugs: [], deploy });
    expect((await ask(NEW.version, ['staging'])).windows.own).toMatchObject({
      since: 'deploy',
      fromMs: finishedAt,
    });
    expect((await ask(NEW.version, ['production'])).windows.own.since).toBe('event');
  });

  test('the first release is compared with none', async () => {
    expect(await ask(OLD.version)).toMatchObject({ before: null, lines: [], verdict: 'too_few' });
    await expect(ask('unknown@1')).rejects.toThrow('not found');
  });
});
