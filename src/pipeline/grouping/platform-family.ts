/** Platforms whose frames are alike. */
export type PlatformFamily = 'native' | 'javascript' | 'other';

const NATIVE: ReadonlySet<string> = new Set(['objc', 'cocoa', 'swift', 'native', 'c']);
const JAVASCRIPT: ReadonlySet<string> = new Set(['javascript', 'node']);

export function platformFamily(platform: string): PlatformFamily {
  if (NATIVE.has(platform)) return 'native';
  return JAVASCRIPT.has(platform) ? 'javascript' : 'other';
}
