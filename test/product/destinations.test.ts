import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SendJob, SendResult } from '#delivery/ports/destination-sender.ts';
import { listDeliveries } from '#product/deliveries/deliveries.ts';
import { testDestination } from '#product/deliveries/send-test.ts';
import { DESTINATION_KINDS } from '#product/destinations/destination-kinds.ts';
import {
  addDestination,
  DESTINATIONS_MAX,
  getDestination,
  listDestinations,
  removeDestination,
  updateDestination,
} from '#product/destinations/destinations.ts';
import { NOON_MS } from '../contract/sample-events.ts';
import { SERVICES } from '../harness/check-formats.ts';
import { openProduct, type Product } from './open-product.ts';

let product: Product;
let ctx: Awaited<ReturnType<Product['join']>>;
let number = 0;
const name = () => `Destination ${++number}`;

beforeAll(async () => {
  product = await openProduct();
  ctx = await product.join(await product.createOrganization(), 'manager');
});
afterAll(async () => {
  await product?.close();
});

const secretOf = async (id: number) => {
  const reading = await product.stores.destinations.readSecret(ctx.organization.id, id);
  return reading.kind === 'read' ? reading.secret : reading.kind;
};

describe('saving', () => {
  test.each(DESTINATION_KINDS)(
    '%s: what lets somebody post is hidden, in answers, in the list and in the audit log',
    async (kind) => {
      const fields = SERVICES[kind].fields('https://service.example.com');
      const saved = await addDestination(ctx, { kind, name: name(), fields });
      const secret = await secretOf(saved.destination.id);
      expect(Object.keys(secret)).not.toEqual([]);
      const audit = await product.stores.audit.list(ctx.organization.id, { action: 'destination.add' }, 1);
      const told = JSON.stringify([
        saved,
        await getDestination(ctx, saved.destination.id),
        await listDestinations(ctx),
        audit,
      ]);
      for (const value of Object.values(secret)) expect(told).not.toContain(value);
      expect(
        saved.destination.config[
          kind === 'pagerduty' || kind === 'telegram' || kind === 'ntfy' ? 'server' : 'host'
        ],
      ).toContain('service.example.com');
    },
  );

  test('what is left empty stays as it is, and the audit log tells only that a secret changed', async () => {
    const fields = {
      url: 'https://hooks.example.com/a',
      signingSecret: 'one signing secret'.replaceAll(' ', '-'),
    };
    const { destination } = await addDestination(ctx, { kind: 'webhook', name: name(), fields });
    const newest = async () =>
      (await product.stores.audit.list(ctx.organization.id, { action: 'destination.edit' }, 1))[0]?.data;
    await updateDestination(ctx, {
      destinationId: destination.id,
      name: name(),
      fields: { url: '', signingSecret: '' },
    });
    expect(await secretOf(destination.id)).toEqual(fields);
    expect(await newest()).toMatchObject({ isSecretChanged: false });
    const changed = {
      destinationId: destination.id,
      name: name(),
      fields: { url: 'https://hooks.example.com/b' },
    };
    await updateDestination(ctx, changed);
    expect(await secretOf(destination.id)).toEqual({ ...fields, url: 'https://hooks.example.com/b' });
    expect(await newest()).toEqual({ config: { host: 'hooks.example.com' }, isSecretChanged: true });
  });

  test('a signing secret is made when none is given, and answered once', async () => {
    const input = { kind: 'webhook' as const, name: name(), fields: { url: 'https://hooks.example.com/a' } };
    const { destination, generatedSecret } = await addDestination(ctx, input);
    expect(generatedSecret).toMatch(/^[\w-]{43}$/);
    expect(await secretOf(destination.id)).toMatchObject({ signingSecret: generatedSecret });
    const again = await updateDestination(ctx, { destinationId: destination.id, name: name(), fields: {} });
    expect(again.generatedSecret).toBeNull();
  });

  test('another server is told no secret that somebody saved for the first one', async () => {
    const fields = SERVICES.ntfy.fields('https://ntfy.example.com');
    const { destination } = await addDestination(ctx, { kind: 'ntfy', name: name(), fields });
    const moved = {
      destinationId: destination.id,
      name: name(),
      fields: { server: 'https://thief.example.com' },
    };
    await expect(updateDestination(ctx, moved)).rejects.toMatchObject({ code: 'invalid', field: 'topic' });
    const whole = { ...moved, fields: { ...moved.fields, topic: 'other', token: 'tk_other' } };
    expect((await updateDestination(ctx, whole)).destination.config).toEqual({
      server: 'https://thief.example.com',
    });
  });

  test.each([
    ['slack', {}, 'url', 'is required'],
    ['slack', { url: 'ftp://hooks.example.com/' }, 'url', 'valid URL'],
    ['slack', { url: 'https://user:word@hooks.example.com/' }, 'url', 'username or password'],
    ['slack', { url: 'https://hooks.example.com/', extra: 'x' }, 'extra', 'has no field'],
    ['pagerduty', { routingKey: 'short' }, 'routingKey', '32 letters'],
    [
      'pagerduty',
      { routingKey: 'a'.repeat(32), server: 'https://x.example.com/path' },
      'server',
      'Enter only the server',
    ],
    ['telegram', { botToken: '1', chatId: '1' }, 'botToken', 'looks like'],
    ['telegram', { botToken: `123456:${'a'.repeat(35)}`, chatId: 'a b' }, 'chatId', 'a chat ID'],
    ['ntfy', { topic: 'a/b' }, 'topic', 'letters'],
    ['webhook', { url: 'https://x.example.com/', signingSecret: 'short' }, 'signingSecret', '16 to 200'],
    ['mattermost', { url: 'https://x.example.com/', channel: 'Not A Channel' }, 'channel', 'town-square'],
  ] as const)('%s with %j: the field %s is named', async (kind, fields, field, sentence) => {
    await expect(addDestination(ctx, { kind, name: name(), fields })).rejects.toMatchObject({
      code: 'invalid',
      field,
      message: expect.stringContaining(sentence),
    });
  });

  test('a name is needed, and bounded', async () => {
    const fields = { url: 'https://hooks.example.com/' };
    for (const bad of ['', '   ', 'x'.repeat(81)]) {
      await expect(addDestination(ctx, { kind: 'slack', name: bad, fields })).rejects.toMatchObject({
        field: 'name',
      });
    }
  });

  test('an organization has so many, and no more', async () => {
    const full = await product.join(await product.createOrganization(), 'manager');
    const fields = { url: 'https://hooks.example.com/' };
    for (let index = 0; index < DESTINATIONS_MAX; index++) {
      const draft = { kind: 'slack' as const, name: `D${index}`, config: {}, secret: fields };
      await product.stores.destinations.add(full.organization.id, draft, null, NOON_MS);
    }
    await expect(addDestination(full, { kind: 'slack', name: 'One more', fields })).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  test('what is removed, and what others have, is not found', async () => {
    const fields = { url: 'https://hooks.example.com/' };
    const { destination } = await addDestination(ctx, { kind: 'slack', name: name(), fields });
    const stranger = await product.join(await product.createOrganization(), 'owner');
    await expect(getDestination(stranger, destination.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(removeDestination(stranger, destination.id)).rejects.toMatchObject({ code: 'not_found' });
    await removeDestination(ctx, destination.id);
    await expect(getDestination(ctx, destination.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(removeDestination(ctx, destination.id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the test button', () => {
  const press = async (result: SendResult) => {
    const fields = { url: 'https://hooks.example.com/' };
    const { destination } = await addDestination(ctx, { kind: 'slack', name: name(), fields });
    const jobs: SendJob[] = [];
    const sender = {
      send: async (job: SendJob) => {
        jobs.push(job);
        return result;
      },
    };
    const answer = await testDestination(ctx, sender, destination.id);
    const { deliveries } = await listDeliveries(ctx, {
      destinationId: destination.id,
      ruleId: null,
      limit: 10,
      cursor: null,
    });
    return { answer, jobs, deliveries, destination: await getDestination(ctx, destination.id) };
  };

  test('sends a real message that says what it is, and the log tells of it', async () => {
    const { answer, jobs, deliveries, destination } = await press({ kind: 'sent', status: 200 });
    expect(answer).toEqual({ kind: 'sent', deliveryId: jobs[0]!.deliveryId });
    expect(JSON.stringify(jobs[0]?.parts)).toContain('This is a test');
    expect(JSON.stringify(jobs[0]?.parts)).toContain('A manager');
    expect(deliveries).toMatchObject([
      { id: answer.deliveryId, kind: 'test', state: 'sent', summary: 'This is a test', lastStatus: 200 },
    ]);
    expect(destination).toMatchObject({ lastSentAt: NOON_MS, failingSince: null });
  });

  test('tells what went wrong', async () => {
    const refused = { kind: 'refused' as const, status: 404, reason: 'Slack refused the message (404)' };
    const { answer, deliveries, destination } = await press(refused);
    expect(answer).toMatchObject({ kind: 'failed', reason: 'Slack refused the message (404)' });
    expect(deliveries).toMatchObject([{ kind: 'test', state: 'failed', lastStatus: 404 }]);
    expect(destination).toMatchObject({
      failingSince: NOON_MS,
      lastError: 'Slack refused the message (404)',
    });
  });
});

test('the log of an organization whose members see only their teams does not tell what messages said', async () => {
  const fields = { url: 'https://hooks.example.com/' };
  const { destination } = await addDestination(ctx, { kind: 'slack', name: name(), fields });
  await testDestination(ctx, { send: async () => ({ kind: 'sent', status: 200 }) }, destination.id);
  const admin = await product.join(ctx.organization, 'admin');
  const closed = { ...admin, organization: { ...ctx.organization, isOpen: false } };
  const input = { destinationId: destination.id, ruleId: null, limit: 10, cursor: null };
  expect((await listDeliveries(closed, input)).deliveries).toMatchObject([{ state: 'sent', summary: null }]);
});
