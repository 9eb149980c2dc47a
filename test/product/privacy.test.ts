import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Organization, Project } from '#domain/projects.ts';
import { previewPrivacyRules } from '#product/privacy/preview-privacy-rules.ts';
import {
  getOrganizationPrivacy,
  getProjectPrivacy,
  updateOrganizationPrivacy,
  updateProjectPrivacy,
} from '#product/privacy/privacy-settings.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import {
  type AdvancedRule,
  DEFAULT_INGEST_SETTINGS,
  type PrivacySettings,
} from '#protocol/ingest-settings.ts';
import { HOUR_MS, makeEvent, NOON_MS } from '../contract/sample-events.ts';
import { openProduct, type Product } from './open-product.ts';

let product: Product;
let organization: Organization;
let project: Project;

beforeAll(async () => {
  product = await openProduct();
});
afterAll(async () => {
  await product?.close();
});
beforeEach(async () => {
  organization = await product.createOrganization();
  project = await product.createProject(organization, 'web');
});

const DEFAULTS = DEFAULT_INGEST_SETTINGS.privacy;

const rule = (type: string, selector: string, more: Partial<AdvancedRule> = {}): AdvancedRule => ({
  method: 'mask',
  type,
  pattern: null,
  placeholder: null,
  selector,
  ...more,
});

const withRules = (...advancedRules: AdvancedRule[]): PrivacySettings => ({ ...DEFAULTS, advancedRules });

/** Stores an event with the payload's fields. */
async function store(fields: Partial<NormalizedEvent>, occurredAt = NOON_MS - HOUR_MS): Promise<string> {
  const { payload } = makeEvent({ organizationId: organization.id, projectId: project.id });
  const [event] = await product.ingest(organization, [
    { projectId: project.id, occurredAt, payload: { ...payload, ...fields } },
  ]);
  return event!.eventId;
}

describe('settings', () => {
  test('are the defaults until somebody decides, and what was not changed stays', async () => {
    const admin = await product.join(organization, 'admin');
    expect((await getProjectPrivacy(admin, 'web')).project).toEqual(DEFAULTS);
    await updateProjectPrivacy(admin, {
      projectSlug: 'web',
      change: { sensitiveFields: [' birth ', '', 'birth'], advancedRules: [rule('email', ' $string ')] },
    });
    const saved = await updateProjectPrivacy(admin, {
      projectSlug: 'web',
      change: { scrubIpAddresses: true },
    });
    const expected = {
      ...DEFAULTS,
      scrubIpAddresses: true,
      sensitiveFields: ['birth'],
      advancedRules: [rule('email', '$string')],
    };
    expect(saved).toEqual(expected);
    expect((await getProjectPrivacy(admin, 'web')).project).toEqual(expected);
  });

  test("digest gets the organization's first, then the project's", async () => {
    const manager = await product.join(organization, 'manager');
    await updateOrganizationPrivacy(manager, {
      scrubIpAddresses: true,
      advancedRules: [rule('email', '**')],
    });
    await updateProjectPrivacy(manager, {
      projectSlug: 'web',
      change: { advancedRules: [rule('ip', '**')] },
    });
    expect((await getOrganizationPrivacy(manager)).scrubIpAddresses).toBe(true);
    expect((await getProjectPrivacy(manager, 'web')).organization.advancedRules).toEqual([
      rule('email', '**'),
    ]);
    const effective = await product.stores.ingestSettings.listEffective(1_000);
    const own = effective.find(({ projectId }) => projectId === project.id);
    expect(own?.settings.privacy).toMatchObject({
      defaultRules: true,
      scrubIpAddresses: true,
      advancedRules: [rule('email', '**'), rule('ip', '**')],
    });
  });

  test.each<[string, Partial<PrivacySettings>, string, RegExp]>([
    [
      'a selector',
      { advancedRules: [rule('email', 'a'), rule('email', 'extra.(x)')] },
      'advancedRules',
      /^Advanced rule 2, selector, at character 7: /,
    ],
    [
      'a pattern',
      { advancedRules: [rule('pattern', '**', { pattern: '(?=a)' })] },
      'advancedRules',
      /pattern, at character 1: Lookahead/,
    ],
    ['no pattern', { advancedRules: [rule('pattern', '**')] }, 'advancedRules', /required/],
    [
      'an empty pattern',
      { advancedRules: [rule('pattern', '**', { pattern: '(?i)' })] },
      'advancedRules',
      /empty text/,
    ],
    ['a type', { advancedRules: [rule('passport', '**')] }, 'advancedRules', /type: Unknown/],
    [
      'a method',
      { advancedRules: [rule('ip', '**', { method: 'burn' as 'mask' })] },
      'advancedRules',
      /Unknown method/,
    ],
    [
      'a placeholder',
      { advancedRules: [rule('ip', '**', { method: 'replace', placeholder: 'x'.repeat(101) })] },
      'advancedRules',
      /at most 100/,
    ],
    [
      'too many rules',
      { advancedRules: Array(101).fill(rule('ip', '**')) },
      'advancedRules',
      /[Aa]t most 100/,
    ],
    ['a sensitive field', { sensitiveFields: ['a'] }, 'sensitiveFields', /two characters/],
    ['a long field', { sensitiveFields: ['a'.repeat(201)] }, 'sensitiveFields', /at most 200/],
    ['a safe field', { safeFields: ['ok', "extra.'x"] }, 'safeFields', /^Safe field 2, at character 7/],
  ])(
    '%s that cannot be used is refused by its place, and nothing changes',
    async (_name, change, field, message) => {
      const admin = await product.join(organization, 'admin');
      const manager = await product.join(organization, 'manager');
      const refusal = { code: 'invalid', field, message: expect.stringMatching(message) };
      await expect(updateProjectPrivacy(admin, { projectSlug: 'web', change })).rejects.toMatchObject(
        refusal,
      );
      await expect(updateOrganizationPrivacy(manager, change)).rejects.toMatchObject(refusal);
      expect((await getProjectPrivacy(admin, 'web')).project).toEqual(DEFAULTS);
    },
  );

  test('changing a project takes an admin, the organization a manager; others are named who can help', async () => {
    const [viewer, member, admin] = await Promise.all([
      product.join(organization, 'viewer'),
      product.join(organization, 'member'),
      product.join(organization, 'admin'),
    ]);
    for (const ctx of [viewer, member]) {
      await expect(updateProjectPrivacy(ctx, { projectSlug: 'web', change: {} })).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('"admin"'),
      });
      const input = { projectSlug: 'web', privacy: DEFAULTS, eventId: null };
      await expect(previewPrivacyRules(ctx, input)).rejects.toMatchObject({ code: 'forbidden' });
      expect((await getProjectPrivacy(ctx, 'web')).project).toEqual(DEFAULTS);
    }
    await expect(updateOrganizationPrivacy(admin, {})).rejects.toMatchObject({ code: 'forbidden' });
    await expect(
      previewPrivacyRules(admin, { projectSlug: null, privacy: DEFAULTS, eventId: null }),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('a project of another organization is not found', async () => {
    const stranger = await product.join(await product.createOrganization(), 'owner');
    await expect(getProjectPrivacy(stranger, 'web')).rejects.toMatchObject({ code: 'not_found' });
    await expect(updateProjectPrivacy(stranger, { projectSlug: 'web', change: {} })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(
      previewPrivacyRules(stranger, { projectSlug: 'web', privacy: DEFAULTS, eventId: null }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('preview', () => {
  test('tells what would be different in the latest event, and which rules match nothing', async () => {
    const admin = await product.join(organization, 'admin');
    await store({ extra: { old: 'a@b.test' } }, NOON_MS - 2 * HOUR_MS);
    const eventId = await store({
      extra: { note: 'mail ann@example.com', count: 4 },
      request: { headers: [['X-Own', 'ann@example.com']] },
      tags: [['who', 'ann@example.com']],
    });
    const preview = await previewPrivacyRules(admin, {
      projectSlug: 'web',
      privacy: withRules(
        rule('email', 'extra.note'),
        rule('ip', '**'),
        rule('anything', '$http.headers.x-own', { method: 'replace', placeholder: '#' }),
        rule('anything', 'extra.count', { method: 'remove' }),
      ),
      eventId: null,
    });
    expect(preview).toMatchObject({
      event: { eventId, projectId: project.id },
      problems: [],
      hits: [1, 0, 1, 1],
    });
    expect(preview.changes).toHaveLength(3);
    expect(preview.changes).toEqual(
      expect.arrayContaining([
        {
          path: 'extra.note',
          before: 'mail ann@example.com',
          after: 'mail ***************',
          rules: ['@email:mask'],
        },
        {
          path: 'request.headers.X-Own',
          before: 'ann@example.com',
          after: '#',
          rules: ['@anything:replace'],
        },
        { path: 'extra.count', before: '4', after: null, rules: ['@anything:remove'] },
      ]),
    );
    expect((await getProjectPrivacy(admin, 'web')).project).toEqual(DEFAULTS);
  });

  test('takes a given event, and says when there is none', async () => {
    const admin = await product.join(organization, 'admin');
    const privacy = withRules(rule('email', 'extra.old'));
    const none = await previewPrivacyRules(admin, { projectSlug: 'web', privacy, eventId: null });
    expect(none).toMatchObject({ event: null, changes: [], hits: [0] });
    const older = await store({ extra: { old: 'a@b.test' } }, NOON_MS - 2 * HOUR_MS);
    await store({ extra: { fresh: 'a@b.test' } });
    const found = await previewPrivacyRules(admin, { projectSlug: 'web', privacy, eventId: ` ${older} ` });
    expect(found).toMatchObject({ event: { eventId: older }, hits: [1] });
    await expect(
      previewPrivacyRules(admin, { projectSlug: 'web', privacy, eventId: 'nonsense' }),
    ).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining('"nonsense"') });
  });

  test('an event of another project is not found', async () => {
    const admin = await product.join(organization, 'admin');
    await product.createProject(organization, 'other');
    const eventId = await store({ extra: { a: 'b' } });
    await expect(
      previewPrivacyRules(admin, { projectSlug: 'other', privacy: DEFAULTS, eventId }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  test("counts the project's rules apart from the organization's, which are tried with them", async () => {
    const manager = await product.join(organization, 'manager');
    await updateOrganizationPrivacy(manager, { advancedRules: [rule('email', '**'), rule('mac', '**')] });
    await store({ extra: { a: 'ann@example.com', b: '10.0.0.1' } });
    const preview = await previewPrivacyRules(manager, {
      projectSlug: 'web',
      privacy: withRules(rule('ip', '**')),
      eventId: null,
    });
    expect(preview.hits).toEqual([1]);
    expect(preview.changes.map(({ path }) => path).sort()).toEqual(['extra.a', 'extra.b']);
    const own = await previewPrivacyRules(manager, {
      projectSlug: null,
      privacy: withRules(rule('email', '**')),
      eventId: null,
    });
    expect(own).toMatchObject({ hits: [1], event: { projectId: project.id } });
  });

  test('tries nothing while something is wrong, and says what', async () => {
    const admin = await product.join(organization, 'admin');
    await store({ extra: { a: 'ann@example.com' } });
    const preview = await previewPrivacyRules(admin, {
      projectSlug: 'web',
      privacy: withRules(rule('email', '**'), rule('email', '$nobody')),
      eventId: null,
    });
    expect(preview).toMatchObject({
      event: null,
      changes: [],
      problems: [{ list: 'advancedRules', index: 1, part: 'selector', position: 0 }],
    });
  });
});
