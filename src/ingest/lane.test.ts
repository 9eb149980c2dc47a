import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Lane, type LaneLimits, type LaneRefusal, type LaneSlot } from './lane.ts';

const LIMITS: LaneLimits = {
  totalMax: 4,
  ofAddressMax: 3,
  ofSessionMax: 2,
  waitingMax: 10,
  waitingOfAddressMax: 5,
  waitMs: 10_000,
};
const never = new AbortController().signal;

function openLane(limits: Partial<LaneLimits> = {}, reclaims: 'stalled' | 'oldest' = 'stalled') {
  const lane = new Lane({ ...LIMITS, ...limits }, reclaims);
  const lost: string[] = [];
  const enter = (address: string, session: string | null = null, signal = never) =>
    lane.enter({ address, session }, { giveUp: () => lost.push(address) }, signal);
  /** With a client that sends so fast. */
  const send = (address: string, name: string, speed: { bytesPerSecond: number }) =>
    lane.enter(
      { address, session: null },
      { giveUp: () => lost.push(name), bytesPerSecond: () => speed.bytesPerSecond },
      never,
    );
  const take = async (address: string, session: string | null = null): Promise<LaneSlot> => {
    const result = await enter(address, session);
    if ('busy' in result) throw new Error(`busy: ${result.busy}`);
    return result;
  };
  return { lane, lost, enter, take, send };
}

/** What it is now: `waits` while nothing is decided. */
const now = async (entering: Promise<LaneSlot | LaneRefusal>): Promise<string> => {
  const result = await Promise.race([entering, new Promise<null>((resolve) => setImmediate(resolve, null))]);
  if (result === null) return 'waits';
  return 'busy' in result ? result.busy : 'in';
};

describe('a lane', () => {
  test('lets an address and a session have their share, and makes what is beyond wait', async () => {
    const { take, enter } = openLane();
    await take('a', 'one');
    const second = await take('a', 'one');
    const third = enter('a', 'one');
    expect(await now(third)).toBe('waits');
    await take('a', 'two');
    const fourth = enter('a', 'two');
    expect(await now(enter('b'))).toBe('in');
    second.leave();
    expect([await now(third), await now(fourth)]).toEqual(['in', 'waits']);
  });

  test('gives a free slot to the address that holds fewest, not to who came first', async () => {
    const { take, enter } = openLane();
    const slots = [await take('a'), await take('a'), await take('b'), await take('c')];
    const ofA = enter('a');
    const ofD = enter('d');
    slots[2]?.leave();
    expect([await now(ofA), await now(ofD)]).toEqual(['waits', 'in']);
  });

  test('refuses who finds too many waiting, waits too long or goes away', async () => {
    const { lane, take, enter } = openLane({
      totalMax: 1,
      waitingOfAddressMax: 1,
      waitingMax: 2,
      waitMs: 30,
    });
    await take('a');
    const leaving = new AbortController();
    const [first, second] = [enter('a'), enter('b', null, leaving.signal)];
    expect(await now(enter('a'))).toBe('server');
    expect(await now(enter('c'))).toBe('server');
    leaving.abort();
    expect(await now(second)).toBe('server');
    expect(await first).toEqual({ busy: 'server' });
    expect([lane.active, lane.waiting]).toEqual([1, 0]);
  });

  test('takes a slot from a client that does not take its answer, once somebody needs it', async () => {
    const { take, enter, lost } = openLane();
    const [slow, , later] = [await take('slow'), await take('slow'), await take('b'), await take('b')];
    slow?.setStalled(true);
    expect(lost).toEqual([]);
    expect(await now(enter('c'))).toBe('in');
    expect(lost).toEqual(['slow']);
    // The other way round: somebody waits, and then it stalls.
    const waiting = enter('d');
    expect(await now(waiting)).toBe('waits');
    later?.setStalled(true);
    expect([await now(waiting), lost]).toEqual(['in', ['slow', 'b']]);
  });

  test('leaves a stalled client alone that is in nobody’s way', async () => {
    const { take, enter, lost } = openLane();
    const [stalled] = [await take('b'), await take('a', 's'), await take('a', 's')];
    const waiting = enter('a', 's');
    expect(await now(waiting)).toBe('waits');
    stalled?.setStalled(true);
    expect([await now(waiting), lost]).toEqual(['waits', []]);
  });

  test('of endless answers takes the oldest of the address that holds most, and refuses others', async () => {
    const { take, enter, lost } = openLane({ waitingMax: 0, waitingOfAddressMax: 0 }, 'oldest');
    for (const address of ['a', 'a', 'a', 'b']) await take(address);
    expect(await now(enter('a'))).toBe('address');
    expect(await now(enter('c'))).toBe('in');
    expect(lost).toEqual(['a']);
    // Now a holds two, b and c one each: another of b would take no more than it has.
    expect(await now(enter('b'))).toBe('server');
    expect(await now(enter('d'))).toBe('in');
    expect(lost).toEqual(['a', 'a']);
  });

  describe('of uploads, when it is full,', () => {
    const limits = { ofAddressMax: 2, decentBytesPerSecond: 100 };

    test('takes the slowest one of the address that holds most, for whoever holds less', async () => {
      const { lost, send, enter } = openLane(limits);
      const [slow, slower, alone] = [{ bytesPerSecond: 50 }, { bytesPerSecond: 9 }, { bytesPerSecond: 1 }];
      for (const [address, name, speed] of [
        ['a', 'slow', slow],
        ['a', 'slower', slower],
        ['b', 'alone', alone],
        ['c', 'alone too', alone],
      ] as const)
        await send(address, name, speed);
      expect(lost).toEqual([]);
      expect(await now(enter('d'))).toBe('in');
      expect(lost).toEqual(['slower']);
      // Now each holds one: only who holds none takes another.
      expect(await now(enter('a'))).toBe('waits');
      expect(lost).toEqual(['slower']);
      expect(await now(enter('e'))).toBe('in');
      expect(lost).toEqual(['slower', 'alone']);
    });

    test('leaves uploads alone that are fast enough, until they are not', async () => {
      const { lost, send, enter } = openLane(limits);
      const speed = { bytesPerSecond: 100 };
      for (const address of ['a', 'a', 'b', 'b']) await send(address, address, speed);
      const waiting = enter('c');
      expect(await now(waiting)).toBe('waits');
      await sleep(1_200);
      expect([await now(waiting), lost]).toEqual(['waits', []]);
      speed.bytesPerSecond = 99;
      await waiting;
      expect(lost).toEqual(['a']);
    });
  });

  test('that too many wait for sends away one of the address of which most wait', async () => {
    const { take, enter } = openLane({ totalMax: 1, waitingMax: 3 });
    await take('a');
    const waiting = [enter('a'), enter('b'), enter('b')];
    expect(await now(enter('c'))).toBe('waits');
    expect(await Promise.all(waiting.map(now))).toEqual(['waits', 'waits', 'server']);
    expect(await now(enter('d'))).toBe('server');
  });

  test('counts a slot back once, however often it is left', async () => {
    const { lane, take } = openLane();
    const slot = await take('a', 's');
    slot.leave();
    slot.leave();
    expect(lane.active).toBe(0);
    for (const address of ['a', 'a', 'a', 'b']) await take(address);
    expect(lane.active).toBe(4);
  });
});
