import { describe, expect, it } from 'vitest';
import { contextViews } from './context-list.tsx';

const only = (name: string, facts: Record<string, unknown>) => {
  const [view] = contextViews({ [name]: facts });
  if (!view) throw new Error('a context has a view');
  return view;
};
const shown = (name: string, facts: Record<string, unknown>) =>
  only(name, facts).facts.map(({ label, text, value }) => `${label}: ${text ?? JSON.stringify(value)}`);

describe('a context', () => {
  it('leaves out what the SDK could not tell', () => {
    expect(shown('device', { processor_frequency: 0, processor_count: 8 })).toEqual(['Processor count: 8']);
    expect(shown('trace', { status: 'unknown', op: 'pageload' })).toEqual(['Operation: "pageload"']);
    expect(shown('trace', { status: 'ok' })).toEqual(['Status: "ok"']);
  });

  it('of a known kind is written for people, in the order in which it is read', () => {
    const device = {
      low_memory: false,
      memory_size: 4 * 1024 ** 3,
      battery_level: 42,
      model_id: 'D27AP',
      model: 'iPhone15,2',
      custom: { a: 1 },
      type: 'device',
    };
    expect(only('device', device)).toMatchObject({ title: 'Device', headline: 'iPhone15,2 (D27AP)' });
    expect(shown('device', device)).toEqual([
      'Model: "iPhone15,2"',
      'Model ID: "D27AP"',
      'Battery: 42%',
      'Memory: 4.0 GB',
      'Low memory: no',
      'custom: {"a":1}',
    ]);
  });

  it('is told by its type when it has another name', () => {
    expect(only('client_os', { type: 'os', name: 'iOS', version: '17.1', build: '21B74' })).toMatchObject({
      title: 'Operating system',
      headline: 'iOS 17.1 (21B74)',
    });
  });

  it('of no known kind is shown as sent', () => {
    expect(only('cart', { total: 3, type: 'default' })).toMatchObject({ title: 'cart', headline: '' });
    expect(shown('cart', { total: 3 })).toEqual(['total: 3']);
  });

  it('keeps a value that is not what its kind says', () => {
    expect(shown('device', { battery_level: 'full', simulator: 'maybe' })).toEqual([
      'Simulator: "maybe"',
      'Battery: "full"',
    ]);
    expect(shown('flags', { values: [{ flag: 'a', result: true }] })).toEqual(['Flags: a: true']);
    expect(shown('flags', { values: ['a'] })).toEqual(['Flags: ["a"]']);
  });
});

it('puts contexts that tell most first', () => {
  const views = contextViews({ zeta: { a: 1 }, trace: { op: 'x' }, device: { name: 'd' } });
  expect(views.map(({ name }) => name)).toEqual(['device', 'trace', 'zeta']);
});
