import { describe, expect, it } from 'vitest';
import { notFound, unavailable } from '#lib/errors.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';

describe('orUnavailable', () => {
  it('hands on what the store answers', async () => {
    expect(await orUnavailable(Promise.resolve(7))).toEqual({ ok: true, value: 7 });
  });

  it('turns a store that is away, or that hangs, into a reason', async () => {
    const away = await orUnavailable(Promise.reject(unavailable('ClickHouse is not reached')));
    expect(away).toEqual({ ok: false, reason: 'ClickHouse is not reached' });
    const hanging = await orUnavailable(new Promise<never>(() => {}), 10);
    expect(hanging).toEqual({ ok: false, reason: 'No response within 0.01 seconds' });
  });

  it('does not hide other errors', async () => {
    await expect(orUnavailable(Promise.reject(notFound('no such issue')))).rejects.toThrow('no such issue');
    await expect(orUnavailable(Promise.reject(new TypeError('a defect')))).rejects.toThrow('a defect');
  });
});
