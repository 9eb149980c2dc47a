import { createNoMailer } from '#delivery/smtp/no-mailer.ts';
import type { Services } from '#product/services.ts';
import { createAuthenticator } from '#storage/postgres/authenticator.ts';
import { type Product, PUBLIC_URL } from './open-product.ts';

/** What the web process has, over a product of the tests; without a mail server. */
export const servicesOf = (product: Product): Services => ({
  stores: {
    ...product.stores,
    authenticator: createAuthenticator({
      pool: product.pool,
      secret: 'fe5c1c0f4b1d4b7f9d8f4f6f2c6f0a3b9e7d5c3b1a',
      publicUrl: PUBLIC_URL,
      trustedProxies: [],
    }),
    changes: { subscribe: () => () => {} },
  },
  publicUrl: PUBLIC_URL,
  now: () => product.clock.nowMs,
  mailer: createNoMailer(),
  findIngestLag: () => null,
  findSelfReporting: async () => null,
});
