import type { Frame } from '#protocol/event.ts';

/** A directory of built files, or one named by a version or hash: it tells nothing about the code. */
const NOISE_DIRECTORY =
  /^(?:\.{1,2}|_next|static|chunks|assets|dist|build|js|javascripts?|scripts?|public|v?\d[\d.]*|[0-9a-f]{7,}|~)$/i;
const SCRIPT_EXTENSION =
  /(?:\.(?:min|bundle|prod|production|chunk|legacy|esm|es5))*\.(?:[cm]?[jt]sx?|vue|svelte|html?)$/i;
const FILE_HASH = /[.-](?=[0-9a-z_]*\d)[0-9a-z_]{7,}$/i;

export const isJavaScript = (platform: string): boolean =>
  platform === 'node' || platform.startsWith('javascript') || platform.startsWith('node-');

/** What a frame's code is called: its module, else for scripts the file without host, build directories and hashes, else its file. */
export function codeLocation(frame: Frame, platform: string): string {
  if (frame.module) return frame.module;
  const file = frame.filename || frame.abs_path || '';
  return isJavaScript(frame.platform || platform) ? scriptModule(file) : file;
}

/** `/static/js/checkout/cart.3f2a91bc.min.js` is `checkout/cart`. */
export function scriptModule(file: string): string {
  if (file === '' || file.startsWith('<') || /^(?:node|internal|native|data|blob):/.test(file)) return file;
  const path = file.replace(/^[a-z][\w+.-]*:\/\/[^/]*/i, '').replace(/[?#].*$/s, '');
  const directories = path.split(/[\\/]/).filter((part) => part !== '');
  const name = directories.pop();
  if (name === undefined) return file;
  const bareName = name.replace(SCRIPT_EXTENSION, '').replace(FILE_HASH, '');
  const kept = directories.filter((part) => !NOISE_DIRECTORY.test(part));
  return [...kept, bareName === '' ? name : bareName].join('/');
}

/** A frame's function for people: PHP names an anonymous class by its file and address, after a NUL. */
export const shownFunction = (frame: Frame): string =>
  (frame.function ?? '').replace(/@anonymous\ufffd.*?(?=::|$)/s, '@anonymous');

/** The last part of a path, with slashes of either kind. */
export const baseName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

/** The same in every run of one build; null when the frame does not say where its module begins. */
export function offsetInModule({ instruction_addr: at, image_addr: base }: Frame): string | null {
  if (!at || !base || !ADDRESS.test(at) || !ADDRESS.test(base)) return null;
  const offset = BigInt(at) - BigInt(base);
  return offset < 0n ? null : `+0x${offset.toString(16)}`;
}

const ADDRESS = /^0x[0-9a-f]{1,16}$/i;
