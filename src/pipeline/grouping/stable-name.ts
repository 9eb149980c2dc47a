/** What builds and machines put into names and what differs between two releases of the same code. */
const VERSION = /\bv?\d+(?:\.\d+)+(?:[-+][\w.]+)?/g;
const HASH = /(?<![a-z])(?=[a-f]*\d)[0-9a-f]{6,}(?![a-z])/gi;
const DIGITS = /\d+/g;
const ADDRESS = /0x[0-9a-f]+/gi;

/** A module or file name without versions, hashes and numbers. */
export function stableLocation(location: string): string {
  if (location.startsWith('<') || location === '') return '';
  return location
    .replaceAll('\\', '/')
    .replace(/\$\$(?:EnhancerBy|FastClassBy|Lambda)\w*[$/\w]*/g, '')
    .replace(VERSION, '')
    .replace(HASH, '')
    .replace(DIGITS, '');
}

/** A function's name without addresses, numbers of generated code, and the ways that engines name the unnamed. */
export function stableFunction(name: string): string {
  if (name === '' || /^(?:\?|<(?:unknown|anonymous|redacted)>|anonymous)$/.test(name)) return '';
  return name
    .replace(/^(?:async |new )/, '')
    .replace(/^(?:Object|Module|Function|Window)\.(?=.)/, '')
    .replace(ADDRESS, '')
    .replace(/\$\$(?:EnhancerBy|FastClassBy|Lambda)\w*[$/\w]*/g, '')
    .replace(DIGITS, '');
}
