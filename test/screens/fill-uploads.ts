import { createApiClient } from '../harness/api-client.ts';
import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { findEvent } from '../harness/find-event.ts';
import { makeSourceMap } from '../harness/make-source-map.ts';
import type { ErrataServer } from '../harness/start-errata.ts';
import { scriptWithMap, uploadBundle } from '../harness/upload-bundle.ts';

const SCOPES = 'org:read,org:integrations,project:read,project:write,project:releases,event:read,event:write';
const RELEASE = 'checkout@4.2.0';
const SITE = 'https://shop.example.com/assets';
const APP_ID = '3f9d2b7a-5c1e-4e8a-9b60-2d7f41c8a9e0';
const VENDOR_ID = '8a61c0d4-97b2-4f35-8e1d-60b3f2a7c915';
const SOURCE = `import { byCode, type Cart } from './cart';

/** What is to be paid once the coupon is taken off. */
export function applyCoupon(cart: Cart, code: string): number {
  const coupon = cart.coupons.find(byCode(code));
  const total = cart.items.reduce((sum, item) => sum + item.price, 0);
  return total - coupon.amount;
}

export async function pay(cart: Cart, code: string): Promise<void> {
  await charge(cart, applyCoupon(cart, code));
}
`;
const MAP = makeSourceMap(
  [{ name: 'src/checkout/coupon.ts', content: SOURCE }],
  [
    { at: [0, 0], from: [0, 6, 24], name: 'amount' },
    { at: [0, 900], from: [0, 10, 21], name: 'applyCoupon' },
  ],
);

/** A project whose build was uploaded, all but one script of it, and what the build told of its release. */
export async function fillUploads(server: ErrataServer): Promise<void> {
  const dsn = parseDsn(await server.project('checkout', 'javascript-react'));
  const token = await server.token(SCOPES);
  const api = createApiClient(server.url, token);
  const upload = { url: server.url, token, api };
  await uploadBundle(upload, { projects: ['checkout'], version: RELEASE }, scriptWithMap(APP_ID, MAP));
  const event = { ...thrown(), event_id: newEventId() };
  await postEnvelope(dsn, eventEnvelope(event));
  await findEvent(api, 'checkout', event.event_id);

  const release = `/api/0/organizations/main/releases/${encodeURIComponent(RELEASE)}/`;
  const send = async (method: string, address: string, body: object) => {
    const { status } = await api.request(method, address, body);
    if (status >= 300) throw new Error(`${address} was answered ${status}`);
  };
  const commits = [
    ['5e1c7d20', 'Take coupons off after the items are summed', 'src/checkout/coupon.ts'],
    ['b07f6a94', 'Say which fields of the address are missing', 'src/checkout/address.ts'],
  ].map(([id = '', message, path]) => ({
    id: id.repeat(5),
    repository: 'acme/shop',
    message,
    author_name: 'Ana Silva',
    author_email: 'ana@example.com',
    timestamp: new Date(Date.now() - 5 * 3_600_000).toISOString(),
    patch_set: [{ path, type: 'M' }],
  }));
  await send('PUT', release, { commits, dateReleased: new Date(Date.now() - 4 * 3_600_000).toISOString() });
  await send('POST', `${release}deploys/`, { environment: 'production', name: 'shop 1184' });
}

/** As a browser sends it: the script of the vendor has a debug id that nobody uploaded. */
function thrown() {
  const frame = (script: string, name: string, colno: number) => ({
    function: name,
    abs_path: `${SITE}/${script}`,
    filename: `/assets/${script}`,
    lineno: 1,
    colno,
    in_app: true,
  });
  return {
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    level: 'error',
    release: RELEASE,
    environment: 'production',
    exception: {
      values: [
        {
          type: 'TypeError',
          value: "Cannot read properties of undefined (reading 'amount')",
          stacktrace: {
            frames: [frame('vendor.js', 'o', 48_213), frame('app.js', 'pay', 901), frame('app.js', 'a', 88)],
          },
        },
      ],
    },
    debug_meta: {
      images: [
        { type: 'sourcemap', code_file: `${SITE}/app.js`, debug_id: APP_ID },
        { type: 'sourcemap', code_file: `${SITE}/vendor.js`, debug_id: VENDOR_ID },
      ],
    },
  };
}
