import { expect, test } from 'vitest';
import { digestEnvelope } from '../digest-envelope.ts';
import { itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import { compileGroupingRules } from '../grouping/compile-grouping-rules.ts';
import { groupEvent } from '../grouping/group-event.ts';
import { describeEvent } from '../title.ts';

const ID = 'a'.repeat(32);
const ERROR_ID = 'e'.repeat(32);
const feedback = (fields: object = {}, id = ID) => ({
  event_id: id,
  platform: 'javascript',
  timestamp: 1_790_000_005,
  environment: 'production',
  release: 'shop@1.2.3',
  contexts: {
    feedback: {
      message: 'The button does nothing.\nI clicked it twice.',
      name: 'Ana',
      contact_email: 'ana@example.com',
      url: 'https://shop.example.com/cart',
      associated_event_id: ERROR_ID,
    },
  },
  ...fields,
});
const digest = (payload: object, isKnown: (id: string) => boolean = () => false, context = {}) =>
  digestEnvelope([rawItem('feedback', payload)], itemContext(context), isKnown);

test('a feedback is a row and the event of an issue of its own', () => {
  const { events, rows, outcomes } = digest(feedback());
  expect(events).toMatchObject([
    {
      eventId: ID,
      type: 'feedback',
      level: 'info',
      title: 'The button does nothing.',
      metadata: { title: 'The button does nothing.', name: 'Ana', contact_email: 'ana@example.com' },
      culprit: 'https://shop.example.com/cart',
      environment: 'production',
      release: 'shop@1.2.3',
      user: { email: 'ana@example.com' },
      payload: {
        logentry: { formatted: 'The button does nothing.\nI clicked it twice.' },
        contexts: { feedback: { associated_event_id: ERROR_ID } },
      },
    },
  ]);
  expect(rows.feedback).toHaveLength(1);
  // It counts once, as what was sent.
  expect(outcomes).toEqual([{ category: 'feedback', outcome: 'accepted', reason: '', quantity: 1 }]);
});

test('each is an issue of its own, whatever it says and whatever the rules of the project are', () => {
  const { rules } = compileGroupingRules({ fingerprint: 'message:* -> everything', stackTrace: '' });
  const context = itemContext();
  const ruled = { rules: { ...context.rules, grouping: rules } };
  const [first] = digest(feedback(), undefined, ruled).events;
  const [second] = digest(feedback({}, 'b'.repeat(32)), undefined, ruled).events;
  expect(first?.groupingHash).not.toBe(second?.groupingHash);
  expect(digest(feedback()).events).toEqual([first]);
  expect(groupEvent(first!.payload, rules).hashes).toEqual(first?.groupingHashes);
  expect(describeEvent(first!.payload)).toEqual({ title: first?.title, metadata: first?.metadata });
});

test('sent again, it makes no second event', () => {
  const { events, outcomes } = digest(feedback(), (id) => id === ID);
  expect([events, outcomes[0]?.outcome]).toEqual([[], 'accepted']);
});

test('what is scrubbed of it is in no event either', () => {
  const message = 'My card is 4111 1111 1111 1111';
  const { events, rows } = digest(feedback({ contexts: { feedback: { message } } }));
  expect(rows.feedback[0]?.message).not.toContain('4111 1111');
  expect(JSON.stringify(events)).not.toContain('4111 1111');
});

test('a report about an error is one as well', () => {
  const report = { event_id: ERROR_ID, name: 'Ben', email: 'ben@example.com', comments: 'It broke' };
  const { events, rows } = digestEnvelope([rawItem('user_report', report)], itemContext(), () => false);
  expect(events).toMatchObject([
    {
      eventId: rows.feedback[0]?.feedbackId,
      type: 'feedback',
      title: 'It broke',
      metadata: { name: 'Ben', contact_email: 'ben@example.com' },
      payload: { contexts: { feedback: { associated_event_id: ERROR_ID } } },
    },
  ]);
});
