export type Random = () => number;

/** One problem of a small shop. */
export type Sample = {
  /** Events over the fortnight. */
  count: number;
  /** 1 is even; larger means that most happened lately. */
  growth: number;
  lastAgoMs: number;
  make(random: Random): Record<string, unknown>;
};

export const SAMPLES: readonly Sample[] = [
  { count: 160, growth: 2.2, lastAgoMs: 40_000, make: couponError },
  {
    count: 60,
    growth: 1,
    lastAgoMs: 180_000,
    make: (random) =>
      failure(
        random,
        'TimeoutError',
        'The payment provider did not answer within 10 s',
        'charge',
        'src/payment/charge.ts',
        51,
      ),
  },
  {
    count: 35,
    growth: 1.4,
    lastAgoMs: 600_000,
    make: (random) =>
      failure(random, 'RangeError', 'Invalid time value', 'formatDelivery', 'src/delivery/dates.ts', 18),
  },
  {
    count: 24,
    growth: 1,
    lastAgoMs: 2_400_000,
    make: (random) => ({
      ...around(random),
      level: 'warning',
      logentry: {
        message: 'Stock of %s is below %d',
        params: ['A-1', 5],
        formatted: 'Stock of A-1 is below 5',
      },
    }),
  },
  {
    count: 18,
    growth: 3,
    lastAgoMs: 900_000,
    make: (random) =>
      failure(
        random,
        'SyntaxError',
        'Unexpected token < in JSON at position 0',
        'readCatalogue',
        'src/catalogue/read.ts',
        33,
      ),
  },
  {
    count: 9,
    growth: 1,
    lastAgoMs: 7_200_000,
    make: (random) => ({
      ...failure(
        random,
        'QuotaExceededError',
        'The local store is full',
        'remember',
        'src/cart/store.ts',
        12,
      ),
      level: 'fatal',
    }),
  },
  {
    count: 5,
    growth: 1,
    lastAgoMs: 15_000_000,
    make: (random) => ({
      ...around(random),
      level: 'info',
      logentry: { formatted: 'The nightly import found 3 unknown products' },
    }),
  },
];

const BROWSERS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
];

function around(random: Random): Record<string, unknown> {
  return {
    platform: 'javascript',
    level: 'error',
    environment: 'production',
    release: random() < 0.7 ? 'web@2.1.0' : 'web@2.0.9',
    transaction: '/cart',
    sdk: { name: 'sentry.javascript.react', version: '11.1.0' },
    user: { id: `u_${Math.floor(random() * 70)}`, email: 'marta@example.com' },
    tags: { route: random() < 0.8 ? '/cart' : '/checkout', plan: random() < 0.5 ? 'pro' : 'free' },
    request: {
      url: 'https://shop.example/cart?coupon=SPRING',
      method: 'POST',
      headers: {
        'User-Agent': BROWSERS[Math.floor(random() * BROWSERS.length)] ?? '',
        Referer: 'https://shop.example/',
      },
    },
    breadcrumbs: {
      values: [
        { type: 'navigation', category: 'navigation', data: { from: '/products/17', to: '/cart' } },
        { category: 'ui.click', message: 'main.checkout > button.apply-coupon' },
        {
          type: 'http',
          category: 'fetch',
          data: { method: 'GET', url: '/api/coupons/SPRING', status_code: 404 },
        },
      ],
    },
  };
}

function failure(
  random: Random,
  type: string,
  value: string,
  name: string,
  filename: string,
  lineno: number,
) {
  return {
    ...around(random),
    exception: {
      values: [
        {
          type,
          value,
          stacktrace: { frames: [{ function: name, filename, lineno, colno: 9, in_app: true }] },
        },
      ],
    },
  };
}

function couponError(random: Random): Record<string, unknown> {
  const library = (name: string, colno: number) => ({
    function: name,
    filename: 'node_modules/react-dom/cjs/react-dom-client.production.js',
    lineno: 1,
    colno,
    in_app: false,
  });
  return {
    ...around(random),
    exception: {
      values: [
        {
          type: 'TypeError',
          value: "Cannot read properties of undefined (reading 'id')",
          mechanism: { type: 'onunhandledrejection', handled: false },
          stacktrace: {
            frames: [
              library('dispatchEvent', 41_022),
              library('batchedUpdates', 38_011),
              {
                function: 'onSubmit',
                filename: 'src/checkout/cart-page.tsx',
                lineno: 41,
                colno: 9,
                in_app: true,
                pre_context: ['  async function onSubmit(event: FormEvent) {', '    event.preventDefault();'],
                context_line: '    const total = await applyCoupon(cart, code);',
                post_context: ['    setTotal(total);', '  }'],
              },
              {
                function: 'applyCoupon',
                filename: 'src/checkout/cart.ts',
                lineno: 84,
                colno: 17,
                in_app: true,
                pre_context: [
                  'export async function applyCoupon(cart: Cart, code: string) {',
                  '  const coupon = cart.coupons.find(byCode(code));',
                  '  // The server has the last word on prices.',
                ],
                context_line: '  return price(cart, coupon.id);',
                post_context: ['}', '', 'export function price(cart: Cart, couponId: string) {'],
                vars: { code: 'SPRING', cart: { id: 'c_81723', coupons: [], items: [{ sku: 'A-1' }] } },
              },
            ],
          },
        },
      ],
    },
  };
}
