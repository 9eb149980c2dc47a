import { expect, test } from 'vitest';
import { FEEDBACK_TYPE } from '#protocol/event.ts';
import { senderAddress } from './sender-address.ts';

const addressIn = (contact_email: unknown) =>
  senderAddress({ type: FEEDBACK_TYPE, contexts: { feedback: { contact_email } } });

test.each([
  'ana@example.com',
  'ana+shop@mail.example.co.uk',
  "o'neil@example.com",
  'a@xn--bcher-kva.example',
])('%j can be answered', (email) => {
  expect(addressIn(email)).toBe(email);
});

test.each([
  '',
  'ana',
  'ana@',
  'ana@localhost',
  'ana@[127.0.0.1]',
  'ana@example.com?bcc=all@example.com',
  'ana@example.com,bob@example.com',
  'ana@example.com\r\nBcc: bob@example.com',
  'ana@example.com\n',
  'ana@example.com%0Abcc:x@example.com',
  'ana@exa mple.com',
  'Ana <ana@example.com>',
  '[email]',
  '[Filtered]',
  '***************',
  '***@example.com',
  `${'a'.repeat(65)}@example.com`,
  `ana@${'example.'.repeat(40)}com`,
  7,
  null,
])('%j cannot', (email) => {
  expect(addressIn(email)).toBeNull();
});

test('an event that is no feedback names nobody to answer', () => {
  expect(
    senderAddress({ type: 'error', contexts: { feedback: { contact_email: 'ana@example.com' } } }),
  ).toBeNull();
});
