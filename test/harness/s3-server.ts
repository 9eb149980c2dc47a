import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { until } from './until.ts';

const MODULE = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';
/** For tests: whoever sees it can do nothing with it. */
export const S3_CREDENTIALS = {
  accessKeyId: 'errata-test',
  secretAccessKey: randomBytes(20).toString('hex'),
};
export const S3_BUCKET = 'errata-test';

/** Why the tests of S3 are skipped; null when there is a server to run them against. */
export const s3Missing = (): string | null =>
  findProgram() === null ? `no versitygw: go install ${MODULE}` : null;

/** In the path, or where `go install` puts it. */
function findProgram(): string | null {
  const folders = [...(process.env.PATH ?? '').split(':'), path.join(process.env.HOME ?? '/', 'go/bin')];
  return folders.map((folder) => path.join(folder, 'versitygw')).find(existsSync) ?? null;
}

/** Builds the server where there is Go and the run is a full one; false when it cannot be had. */
export function installS3Server(): boolean {
  if (findProgram() !== null) return true;
  try {
    execFileSync('go', ['install', MODULE], { stdio: 'ignore', timeout: 10 * 60_000 });
  } catch {
    return false;
  }
  return findProgram() !== null;
}

export type S3Server = {
  /** Without a bucket: `http://127.0.0.1:<port>`. */
  endpoint: string;
  stop(): Promise<void>;
  /** On the same port, over the same objects. */
  start(): Promise<void>;
  remove(): Promise<void>;
};

/** A real S3 server over a folder, with an empty bucket. */
export async function startS3Server(): Promise<S3Server> {
  const program = findProgram();
  if (program === null) throw new Error(s3Missing() ?? '');
  const folder = mkdtempSync(path.join(tmpdir(), 'errata-s3-'));
  mkdirSync(path.join(folder, 'objects'));
  const port = await findPort();
  const endpoint = `http://127.0.0.1:${port}`;
  let child: ReturnType<typeof spawn> | null = null;
  const stop = async () => {
    const ended = child;
    child = null;
    if (!ended || ended.exitCode !== null) return;
    const exited = new Promise((resolve) => ended.once('exit', resolve));
    ended.kill('SIGKILL');
    await exited;
  };
  const start = async () => {
    child = spawn(program, ['--port', `127.0.0.1:${port}`, 'posix', path.join(folder, 'objects')], {
      stdio: 'ignore',
      env: {
        ...process.env,
        ROOT_ACCESS_KEY: S3_CREDENTIALS.accessKeyId,
        ROOT_SECRET_KEY: S3_CREDENTIALS.secretAccessKey,
      },
    });
    await until('the S3 server answers', () =>
      fetch(endpoint).then(
        () => true,
        () => false,
      ),
    );
  };
  await start();
  const client = new S3Client({
    region: 'us-east-1',
    endpoint,
    credentials: S3_CREDENTIALS,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  await client.send(new CreateBucketCommand({ Bucket: S3_BUCKET }));
  client.destroy();
  return {
    endpoint,
    stop,
    start,
    async remove() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function findPort(): Promise<number> {
  const server = createSocketServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** What the next requests with a method meet on their way. */
export type S3Fault = {
  method: string;
  times: number;
  kind: 'status 503' | 'cut the request' | 'change a byte of the body' | 'cut the answer' | 'say nothing';
};

/** A way to an S3 server on which requests fail as they are told to. */
export async function startS3Proxy(endpoint: string): Promise<{
  endpoint: string;
  faults: S3Fault[];
  requests: string[];
  close(): Promise<void>;
}> {
  const faults: S3Fault[] = [];
  const requests: string[] = [];
  const target = new URL(endpoint);
  const pass = (message: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '' } = message;
    requests.push(`${method} ${url.split('?')[0]}`);
    const fault = faults.find((each) => each.method === method && each.times > 0);
    if (fault) fault.times -= 1;
    if (fault?.kind === 'status 503') {
      message.resume();
      response.writeHead(503, { connection: 'close' }).end();
      return;
    }
    if (fault?.kind === 'say nothing') return;
    const onward = request(
      { host: target.hostname, port: target.port, method, path: url, headers: message.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        if (fault?.kind === 'cut the answer') {
          answer.once('data', (chunk: Buffer) => {
            response.write(chunk.subarray(0, chunk.length / 2));
            setImmediate(() => response.destroy());
          });
        } else answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    let isFirst = true;
    message.on('data', (chunk: Buffer) => {
      if (isFirst && fault?.kind === 'change a byte of the body') chunk[0] = (chunk[0] ?? 0) ^ 0xff;
      isFirst = false;
      if (fault?.kind !== 'cut the request') {
        onward.write(chunk);
        return;
      }
      onward.write(chunk.subarray(0, chunk.length / 2));
      setImmediate(() => {
        onward.destroy();
        message.destroy();
      });
    });
    message.on('end', () => onward.end());
  };
  const server = createServer(pass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    faults,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
