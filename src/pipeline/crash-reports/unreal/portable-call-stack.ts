import type { Frame } from '#protocol/event.ts';

const FRAMES_MAX = 250;
const CALL = /(\S+) 0x([0-9a-f]{1,16}) \+ ([0-9a-f]{1,16})/gi;

/**
 * The frames of `PCallStack`, `<module> 0x<base> + <offset>` one after the other and innermost first; oldest call first
 * here. Source: `parse_portable_callstack` in sentry, src/sentry/lang/native/unreal.py.
 */
export function readPortableCallStack(text: string): Frame[] {
  const frames: Frame[] = [];
  for (const [, module, base, offset] of text.matchAll(CALL)) {
    if (frames.length >= FRAMES_MAX) break;
    const address = BigInt.asUintN(64, BigInt(`0x${base}`) + BigInt(`0x${offset}`));
    frames.unshift({ package: module ?? null, instruction_addr: `0x${address.toString(16)}` });
  }
  return frames;
}
