const MIME_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,99}$/;
const UNKNOWN = 'application/octet-stream';

/** What SDKs attach; everything else is bytes. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  bmp: 'image/bmp',
  css: 'text/css',
  csv: 'text/csv',
  dmp: 'application/x-dmp',
  gif: 'image/gif',
  gz: 'application/gzip',
  htm: 'text/html',
  html: 'text/html',
  ini: 'text/plain',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  log: 'text/plain',
  md: 'text/markdown',
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webm: 'video/webm',
  webp: 'image/webp',
  xml: 'text/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
};

/** The type of a file's content, lower-case and without parameters: as the header says, else by the name's extension. */
export function contentTypeOf(sent: string | null, name: string): string {
  const said = sent?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (MIME_TYPE.test(said) && said !== UNKNOWN) return said;
  const extension = /\.(\w{1,16})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(BY_EXTENSION, extension) ? (BY_EXTENSION[extension] ?? UNKNOWN) : UNKNOWN;
}
