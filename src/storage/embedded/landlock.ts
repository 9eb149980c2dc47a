import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { DataType, load, open } from 'ffi-rs';

/**
 * Landlock, the Linux kernel's sandbox that needs no privileges. A restriction covers the calling thread and every
 * thread that it starts afterwards, for good.
 * Source: https://docs.kernel.org/userspace-api/landlock.html
 */

/** The first version that lets a file move between folders, which every mutation of a table does. Linux 5.19. */
const ABI_MIN = 2;
/** From here on TCP can be restricted as well. Linux 6.7. */
const ABI_TCP = 4;
/** From here on signals and abstract sockets of other processes are out of reach. Linux 6.12. */
const ABI_SCOPES = 6;

/** The same on every architecture. */
const SYSCALL = { createRuleset: 444, addRule: 445, restrictSelf: 446 } as const;
const CREATE_RULESET_VERSION = 1;
const RULE = { pathBeneath: 1, netPort: 2 } as const;
const PR_SET_NO_NEW_PRIVS = 38;

const EXECUTE = 1n << 0n;
const WRITE_FILE = 1n << 1n;
const READ_FILE = 1n << 2n;
const READ_DIR = 1n << 3n;
const TRUNCATE = 1n << 14n;
const NET_BIND_TCP = 1n << 0n;
const NET_CONNECT_TCP = 1n << 1n;
const SCOPE_ALL = 0b11n;

/** Every access to files that the version knows; what is handled and not allowed by a rule is refused. */
function accessKnownTo(abi: number): bigint {
  const bits = abi >= 5 ? 16n : abi >= 3 ? 15n : 14n;
  return (1n << bits) - 1n;
}

export type Confinement =
  /** `reaches`: what the kernel is too old to take away. */
  { kind: 'confined'; reaches: 'nothing else' | 'TCP' } | { kind: 'unavailable'; reason: string };

/**
 * Takes everything from this thread but reading and writing below `writable`, reading `readable` (folders or files;
 * what is missing is left out) and listening on one TCP port: no other file, no program, no connection to anywhere.
 * Throws when the kernel offers it and refuses one of its steps.
 */
export function confineThread(allowed: {
  writable: readonly string[];
  readable: readonly string[];
  tcpPort: number;
}): Confinement {
  if (process.platform !== 'linux')
    return { kind: 'unavailable', reason: `${process.platform} has no Landlock` };
  open({ library: 'libc', path: 'libc.so.6' });
  const abi = syscall(SYSCALL.createRuleset, null, 0, CREATE_RULESET_VERSION);
  if (abi < ABI_MIN) {
    const reason =
      abi < 0 ? 'the kernel does not support Landlock, or it is disabled' : `Landlock ${abi} is too old`;
    return { kind: 'unavailable', reason };
  }
  const handled = accessKnownTo(abi);
  // An older kernel takes the longer form, as long as what it does not know is zero.
  const attributes = rulesetFor(abi, handled);
  const ruleset = mustSucceed(
    'create the ruleset',
    syscall(SYSCALL.createRuleset, attributes, attributes.length, 0),
  );
  for (const path of allowed.writable) allowPath(ruleset, path, handled & ~EXECUTE);
  for (const path of allowed.readable) allowPath(ruleset, path, READ_FILE | READ_DIR);
  if (abi >= ABI_TCP) {
    const port = u64s(NET_BIND_TCP, BigInt(allowed.tcpPort));
    mustSucceed('allow the port', syscall(SYSCALL.addRule, ruleset, RULE.netPort, port, 0));
  }
  mustSucceed('give up new privileges', prctl(PR_SET_NO_NEW_PRIVS, 1));
  mustSucceed('restrict the thread', syscall(SYSCALL.restrictSelf, ruleset, 0));
  closeSync(ruleset);
  return { kind: 'confined', reaches: abi >= ABI_TCP ? 'nothing else' : 'TCP' };
}

function rulesetFor(abi: number, handledFiles: bigint): Buffer {
  return u64s(
    handledFiles,
    abi >= ABI_TCP ? NET_BIND_TCP | NET_CONNECT_TCP : 0n,
    abi >= ABI_SCOPES ? SCOPE_ALL : 0n,
  );
}

function allowPath(ruleset: number, path: string, access: bigint): void {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY);
  } catch {
    return;
  }
  try {
    const files = READ_FILE | WRITE_FILE | TRUNCATE;
    const rule = Buffer.alloc(12);
    rule.writeBigUInt64LE(fstatSync(descriptor).isDirectory() ? access : access & files, 0);
    rule.writeInt32LE(descriptor, 8);
    mustSucceed(`allow ${path}`, syscall(SYSCALL.addRule, ruleset, RULE.pathBeneath, rule, 0));
  } finally {
    closeSync(descriptor);
  }
}

function u64s(...values: bigint[]): Buffer {
  const bytes = Buffer.alloc(8 * values.length);
  values.forEach((value, index) => void bytes.writeBigUInt64LE(value, 8 * index));
  return bytes;
}

function mustSucceed(step: string, result: number): number {
  if (result < 0) throw new Error(`Landlock could not ${step}`);
  return result;
}

/** A number stands for itself, bytes for their address, null for no address. The result is negative after an error. */
function syscall(number: number, ...values: (number | Buffer | null)[]): number {
  return callLibc('syscall', [number, ...values]);
}

function prctl(option: number, value: number): number {
  return callLibc('prctl', [option, value, 0, 0, 0]);
}

function callLibc(funcName: string, values: (number | Buffer | null)[]): number {
  return load({
    library: 'libc',
    funcName,
    retType: DataType.I64,
    paramsType: values.map((value) => (Buffer.isBuffer(value) ? DataType.U8Array : DataType.I64)),
    paramsValue: values.map((value) => value ?? 0),
  });
}
