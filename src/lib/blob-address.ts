/** Where a bucket is, and how it is asked. */
export type BucketAddress = {
  bucket: string;
  /** In front of every key: empty, or with a slash at its end. */
  prefix: string;
  /** null: Amazon's, by the region. */
  endpoint: string | null;
  region: string;
  /** `<endpoint>/<bucket>/…` instead of `<bucket>.<endpoint>/…`. */
  isPathStyle: boolean;
};

/** What `ERRATA_BLOBS_URL` and `errata blobs migrate` name. */
export type BlobAddress = { kind: 'folder'; folder: string } | ({ kind: 'bucket' } & BucketAddress);

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^[A-Za-z0-9_.-]+(\/[A-Za-z0-9_.-]+)*$/;
const PREFIX_LENGTH_MAX = 512;
const REGION = /^[a-z0-9-]{1,64}$/;
/** What servers other than Amazon's take, and Amazon's first. */
const REGION_DEFAULT = 'us-east-1';
const PARAMETERS: ReadonlySet<string> = new Set(['endpoint', 'region', 'path-style']);

/**
 * `s3://bucket/prefix?endpoint=https://host&region=eu-central-1&path-style=on`, or `file:///absolute/folder`. With an endpoint
 * the path style is on unless it is switched off. Throws Error for everything else, in words for people.
 */
export function parseBlobAddress(text: string): BlobAddress {
  const url = URL.parse(text);
  if (url?.protocol === 'file:' && url.host === '' && url.pathname !== '/')
    return { kind: 'folder', folder: decodeURIComponent(url.pathname) };
  if (url?.protocol !== 's3:')
    throw new Error('not an address of blobs: use s3://bucket/prefix or file:///folder');
  if (url.username !== '' || url.password !== '')
    throw new Error(
      'keys do not belong into the URL: set ERRATA_S3_ACCESS_KEY_ID and ERRATA_S3_SECRET_ACCESS_KEY',
    );
  if (!BUCKET.test(url.hostname)) throw new Error(`"${url.hostname}" is not the name of a bucket`);
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.has(name)) throw new Error(`"${name}" is unknown: use ${[...PARAMETERS].join(', ')}`);
  }
  const folder = url.pathname.replace(/^\/+|\/+$/g, '');
  if (folder !== '' && (!PREFIX.test(folder) || folder.length > PREFIX_LENGTH_MAX || hasDots(folder)))
    throw new Error(`"${folder.slice(0, 200)}" is not a prefix: use letters, digits, "-", "_", "." and "/"`);
  const endpoint = url.searchParams.get('endpoint');
  const region = url.searchParams.get('region') ?? REGION_DEFAULT;
  if (!REGION.test(region)) throw new Error(`"${region.slice(0, 200)}" is not a region`);
  const pathStyle = url.searchParams.get('path-style');
  if (pathStyle !== null && pathStyle !== 'on' && pathStyle !== 'off')
    throw new Error(`path-style "${pathStyle}" is neither on nor off`);
  return {
    kind: 'bucket',
    bucket: url.hostname,
    prefix: folder === '' ? '' : `${folder}/`,
    endpoint: endpoint === null ? null : parseEndpoint(endpoint),
    region,
    isPathStyle: pathStyle === null ? endpoint !== null : pathStyle === 'on',
  };
}

const hasDots = (folder: string): boolean => folder.split('/').some((part) => /^\.+$/.test(part));

function parseEndpoint(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search !== '')
    throw new Error('the endpoint must be an http or https URL');
  return url.href.replace(/\/+$/, '');
}

/** What `parseBlobAddress` reads the same from. It holds no keys. */
export function bucketUrl({ endpoint, region, isPathStyle, ...place }: BucketAddress): string {
  const parameters = new URLSearchParams({
    ...(endpoint !== null && { endpoint }),
    region,
    'path-style': isPathStyle ? 'on' : 'off',
  });
  return `${describeBucket(place)}?${parameters}`;
}

/** As people and errors name it. */
export const describeBucket = ({ bucket, prefix }: Pick<BucketAddress, 'bucket' | 'prefix'>): string =>
  `s3://${bucket}/${prefix}`.replace(/\/$/, '');
