import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_INGEST_SETTINGS, NO_FILTERS } from '#protocol/ingest-settings.ts';
import { FIXTURES_RECEIVED_AT_MS, itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import { compileIngestRules } from '../ingest-rules.ts';
import type { ItemContext } from '../item.ts';
import { digestFeedback, digestUserReport } from './digest-feedback.ts';

const EVENT_ID = 'c4ca4238a0b923820dcc509a6f75849b';
const ASSOCIATED_ID = 'eccbc87e4b5ce2fe28308fd9f2a7baf3';

const feedback = (context: Record<string, unknown> = {}, event: Record<string, unknown> = {}) => ({
  event_id: EVENT_ID,
  timestamp: FIXTURES_RECEIVED_AT_MS / 1000 - 10,
  platform: 'javascript',
  environment: 'production',
  release: 'shop@1.0.0',
  contexts: {
    feedback: {
      message: '  The cart is empty  ',
      contact_email: 'ada@example.com',
      name: 'Ada',
      url: 'https://shop.example/cart',
      associated_event_id: ASSOCIATED_ID,
      source: 'widget',
      ...context,
    },
    trace: { trace_id: '4c79f60c11214eb38604f4ae0781bfb2', span_id: 'fa90fdead5f74052' },
    replay: { replay_id: 'a87ff679a2f3e71d9181a67b7542122c' },
  },
  ...event,
});
const digest = (payload: unknown, context: Partial<ItemContext> = {}) =>
  digestFeedback(rawItem('feedback', payload), itemContext(context));

describe('feedback', () => {
  test('is read from its context', () => {
    expect(digest(feedback()).rows.feedback?.[0]).toMatchObject({
      feedbackId: EVENT_ID,
      source: 'feedback',
      occurredAt: FIXTURES_RECEIVED_AT_MS - 10_000,
      message: 'The cart is empty',
      name: 'Ada',
      url: 'https://shop.example/cart',
      associatedEventId: ASSOCIATED_ID,
      replayId: 'a87ff679a2f3e71d9181a67b7542122c',
      traceId: '4c79f60c11214eb38604f4ae0781bfb2',
      release: 'shop@1.0.0',
      environment: 'production',
      platform: 'javascript',
    });
  });

  test('the contact stays for whoever wants to answer, else the user of the event', () => {
    expect(digest(feedback()).rows.feedback?.[0]?.email).toBe('ada@example.com');
    const other = feedback({ contact_email: null }, { user: { email: 'bob@example.com' } });
    expect(digest(other).rows.feedback?.[0]?.email).toBe('bob@example.com');
  });

  test('a long message is cut', () => {
    const row = digest(feedback({ message: 'x'.repeat(5_000) })).rows.feedback?.[0];
    expect(row?.message).toHaveLength(4_096);
    expect(JSON.stringify(row?.payload).length).toBeLessThan(6_000);
  });

  test.each([[{ message: '' }], [{ message: '   ' }], [{ message: 5 }], [{ message: null }]])(
    'without a message (%j) it is refused',
    (context) => {
      expect(digest(feedback(context)).outcomes).toEqual([
        { category: 'feedback', outcome: 'invalid', reason: 'missing_message', quantity: 1 },
      ]);
    },
  );

  test('what Unreal writes where nobody was asked is no feedback', () => {
    const [outcome] = digest(feedback({ message: 'Sent in unattended mode' })).outcomes;
    expect(outcome).toMatchObject({ outcome: 'filtered', reason: 'unattended' });
  });

  test('inbound filters hold', () => {
    const rules = compileIngestRules({
      ...DEFAULT_INGEST_SETTINGS,
      filters: { ...NO_FILTERS, releases: ['shop@*'] },
    });
    expect(digest(feedback(), { rules }).outcomes[0]).toMatchObject({
      outcome: 'filtered',
      reason: 'release-version',
    });
  });

  test('what a user typed is scrubbed', () => {
    const row = digest(feedback({ message: 'my card is 4242 4242 4242 4242' })).rows.feedback?.[0];
    expect(row?.message).not.toContain('4242');
    expect(JSON.stringify(row?.payload)).not.toContain('4242 4242');
  });
});

describe('a user report', () => {
  const report = { event_id: ASSOCIATED_ID, name: 'Ada', email: 'ada@example.com', comments: 'It broke' };
  const digestReport = (payload: unknown, context: Partial<ItemContext> = {}) =>
    digestUserReport(rawItem('user_report', payload), itemContext(context));

  test('is feedback about an event', () => {
    expect(digestReport(report).rows.feedback?.[0]).toMatchObject({
      feedbackId: '0123456789abcdef0123456789abcdef',
      source: 'user_report',
      message: 'It broke',
      name: 'Ada',
      email: 'ada@example.com',
      associatedEventId: ASSOCIATED_ID,
      occurredAt: FIXTURES_RECEIVED_AT_MS,
    });
    expect(digestReport(report).outcomes[0]).toMatchObject({
      category: 'user_report_v2',
      outcome: 'accepted',
    });
  });

  test('may leave the event to its envelope, and end with a line break', () => {
    const payload = Buffer.from(`${JSON.stringify({ comments: 'x' })}\n`);
    const row = digestReport(payload, { envelopeEventId: EVENT_ID }).rows.feedback?.[0];
    expect(row).toMatchObject({ associatedEventId: EVENT_ID, name: null, email: null });
  });

  test.each([
    [{ comments: 'x' }, 'missing_event_id'],
    [{ ...report, comments: '' }, 'missing_message'],
    [{ ...report, comments: 'Sent in unattended mode' }, 'unattended'],
    [[], 'invalid_json'],
  ])('%j is refused', (payload, reason) => {
    expect(digestReport(payload).outcomes[0]?.reason).toBe(reason);
  });
});

test('whatever is sent, each ends in exactly one outcome', () => {
  const names = ['message', 'contact_email', 'name', 'url', 'associated_event_id', 'replay_id'];
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.jsonValue(), fc.jsonValue(), (name, value, other) => {
      for (const payload of [
        feedback({ [name]: value }),
        feedback({}, { contexts: value, user: other }),
        { event_id: value, comments: other, name: value },
      ]) {
        expect(digest(payload).outcomes).toHaveLength(1);
        expect(
          digestUserReport(rawItem('user_report', payload), itemContext({ envelopeEventId: EVENT_ID }))
            .outcomes,
        ).toHaveLength(1);
      }
    }),
  );
});
