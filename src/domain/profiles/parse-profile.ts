import { FrameTable, type ProfileFrame } from './profile-frames.ts';

/** Samples that are read of one profile or chunk; later ones are left out. */
export const PROFILE_SAMPLES_MAX = 200_000;
/** Stacks that are read of one profile or chunk. */
const STACKS_MAX = 100_000;
/** Frames of all its stacks together. */
const STACK_ENTRIES_MAX = 1_000_000;
/** Frames of one stack; the outermost are kept. */
export const PROFILE_DEPTH_MAX = 512;
/** Threads of one profile. */
export const PROFILE_THREADS_MAX = 500;
/** Characters of the id or the name of a thread. */
const THREAD_CHARS_MAX = 100;
/** A time later than this after the beginning of a profile is no time: one day, in microseconds. */
const OFFSET_US_MAX = 86_400_000_000;
/** The last moment that JavaScript can date, in microseconds since the epoch. */
const MOMENT_US_MAX = 8_640_000_000_000_000_000 / 1_000;

export type ThreadSamples = {
  id: string;
  name: string | null;
  /**
   * By time. Microseconds: after the beginning of the profile (version 1), since the epoch (version 2). `stacks` are
   * indexes of the profile's `stacks`.
   */
  atUs: readonly number[];
  stacks: readonly number[];
};

export type ParsedProfile = {
  version: 1 | 2;
  frames: readonly ProfileFrame[];
  /** Indexes of `frames`, the outermost call first. */
  stacks: readonly (readonly number[])[];
  /** Those with the most samples first. */
  threads: readonly ThreadSamples[];
  /** The thread that the transaction ran on; null when the profile does not say. */
  activeThreadId: string | null;
  /** Something was beyond a bound and is left out. */
  isCut: boolean;
};

type Fields = Readonly<Record<string, unknown>>;

/**
 * A profile in the sample format of Sentry's SDKs, of a transaction (version 1) or a chunk of a continuous one (version 2).
 * What cannot be read in it is left out; null when it is another format, such as Android's.
 */
export function parseProfile(body: unknown): ParsedProfile | null {
  if (!isFields(body) || !isFields(body.profile)) return null;
  const { profile } = body;
  const { samples, stacks: sentStacks } = profile;
  if (!Array.isArray(samples) || !Array.isArray(sentStacks)) return null;
  const version = String(body.version) === '2' || typeof body.profiler_id === 'string' ? 2 : 1;
  const table = new FrameTable(typeof body.platform === 'string' ? body.platform : '');
  const frameOf = table.addAll(Array.isArray(profile.frames) ? profile.frames : []);
  const { stacks, isCut: areStacksCut } = readStacks(sentStacks, frameOf);
  const threads = readThreads(samples, stacks.length, version);
  const names = isFields(profile.thread_metadata) ? profile.thread_metadata : {};
  return {
    version,
    frames: table.frames,
    stacks,
    threads: threads.byId
      .map(({ id, atUs, stacks: indexes }) => ({ id, name: nameOf(names, id), ...inOrder(atUs, indexes) }))
      .toSorted((a, b) => b.atUs.length - a.atUs.length),
    activeThreadId: activeThreadOf(body, profile),
    isCut: areStacksCut || threads.isCut || table.isCut,
  };
}

/** They are sent with the innermost call first. */
function readStacks(
  sent: readonly unknown[],
  frameOf: readonly number[],
): { stacks: number[][]; isCut: boolean } {
  let left = STACK_ENTRIES_MAX;
  let isCut = sent.length > STACKS_MAX;
  const stacks = sent.slice(0, STACKS_MAX).map((stack) => {
    const own: number[] = [];
    if (!Array.isArray(stack)) return own;
    const length = Math.min(stack.length, PROFILE_DEPTH_MAX, left);
    if (length < stack.length) isCut = true;
    left -= length;
    for (let at = stack.length - 1; at >= stack.length - length; at--) {
      const sentFrame: unknown = stack[at];
      const frame = typeof sentFrame === 'number' ? frameOf[sentFrame] : undefined;
      if (frame !== undefined) own.push(frame);
    }
    return own;
  });
  return { stacks, isCut };
}

type OwnSamples = { id: string; atUs: number[]; stacks: number[] };

function readThreads(
  samples: readonly unknown[],
  stackCount: number,
  version: 1 | 2,
): { byId: OwnSamples[]; isCut: boolean } {
  const byId = new Map<string, OwnSamples>();
  let isCut = samples.length > PROFILE_SAMPLES_MAX;
  const count = Math.min(samples.length, PROFILE_SAMPLES_MAX);
  for (let index = 0; index < count; index++) {
    const sample: unknown = samples[index];
    if (!isFields(sample)) continue;
    const id = threadIdOf(sample.thread_id) ?? NO_THREAD;
    const atUs = version === 1 ? offsetUs(sample.elapsed_since_start_ns) : momentUs(sample.timestamp);
    const stack = sample.stack_id;
    if (atUs === null || typeof stack !== 'number' || !(stack >= 0 && stack < stackCount)) continue;
    if (!Number.isInteger(stack)) continue;
    let own = byId.get(id);
    if (!own) {
      if (byId.size >= PROFILE_THREADS_MAX) {
        isCut = true;
        continue;
      }
      own = { id, atUs: [], stacks: [] };
      byId.set(id, own);
    }
    own.atUs.push(atUs);
    own.stacks.push(stack);
  }
  return { byId: [...byId.values()], isCut };
}

/** What samples without a thread belong to. */
const NO_THREAD = '0';

function offsetUs(value: unknown): number | null {
  const ns = numberOf(value);
  return ns !== null && ns >= 0 && ns / 1_000 <= OFFSET_US_MAX ? Math.round(ns / 1_000) : null;
}

/** Seconds since the epoch in microseconds. */
function momentUs(value: unknown): number | null {
  const seconds = numberOf(value);
  const us = seconds === null ? -1 : Math.round(seconds * 1_000_000);
  return us > 0 && us <= MOMENT_US_MAX ? us : null;
}

const NUMBER_CHARS_MAX = 40;

/** SDKs send large numbers as text. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.length > NUMBER_CHARS_MAX || value.trim() === '') return null;
  const parsed = Number(value);
  return Number.isFinite(parsed) ? parsed : null;
}

/** By time; of samples of one moment the order stays. */
function inOrder(atUs: readonly number[], stacks: readonly number[]): Pick<ThreadSamples, 'atUs' | 'stacks'> {
  let isOrdered = true;
  for (let index = 1; index < atUs.length && isOrdered; index++) {
    isOrdered = (atUs[index] as number) >= (atUs[index - 1] as number);
  }
  if (isOrdered) return { atUs, stacks };
  const order = Uint32Array.from(atUs, (_, index) => index).sort(
    (a, b) => (atUs[a] as number) - (atUs[b] as number) || a - b,
  );
  return {
    atUs: Array.from(order, (index) => atUs[index] as number),
    stacks: Array.from(order, (index) => stacks[index] as number),
  };
}

/** Where SDKs say it: in the transaction, in the first of several, or at the top. */
function activeThreadOf(body: Fields, profile: Fields): string | null {
  const [first] = Array.isArray(body.transactions) ? (body.transactions as readonly unknown[]) : [];
  for (const owner of [body.transaction, first, body, profile]) {
    const id = isFields(owner) ? threadIdOf(owner.active_thread_id) : null;
    if (id !== null) return id;
  }
  return null;
}

/** Text or a number; null for anything else. */
function threadIdOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value.slice(0, THREAD_CHARS_MAX) : null;
}

function nameOf(names: Fields, id: string): string | null {
  const metadata = Object.hasOwn(names, id) ? names[id] : null;
  const name = isFields(metadata) ? metadata.name : null;
  return typeof name === 'string' && name.trim() !== '' ? name.slice(0, THREAD_CHARS_MAX) : null;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
