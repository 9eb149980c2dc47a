import { BoundedCache } from '../../normalize/bounded-cache.ts';
import { platformFamily } from '../platform-family.ts';
import { trimNativeFunction } from './trim-native-function.ts';

/** Names come again and again: of each platform so many are remembered. */
const NAMES_MAX = 2_000;

const native = new Map<string, BoundedCache<string>>();

/** A function's name without signature and build marks, where the platform's SDKs send it with them. */
export function trimFunction(name: string, platform: string): string {
  // Unity sends the whole signature, with a space before the arguments.
  if (platform === 'csharp') return name.split(' (', 1)[0] ?? name;
  if (platformFamily(platform) !== 'native') return name;
  const known = native.get(platform) ?? new BoundedCache(NAMES_MAX);
  native.set(platform, known);
  return known.getOrCompute(name, (written) => trimNativeFunction(written, platform));
}
