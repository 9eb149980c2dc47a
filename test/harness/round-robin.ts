import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const LOOK_EVERY_MS = 100;
const INGEST = /^\/api\/\d+\/(envelope|store)\//;

/** A load balancer: each request goes to the next machine that says it is well, whoever sends it. */
export type RoundRobin = {
  url: string;
  port: number;
  /** Ports of the machines; may be changed at any time. */
  targets: number[];
  close(): Promise<void>;
};

/** As docs/scale.md has it: events go where they are taken, pages and the API where everything works. */
export async function startRoundRobin(): Promise<RoundRobin> {
  const agent = new Agent({ keepAlive: true });
  const targets: number[] = [];
  const well = { ingest: new Set<number>(), ready: new Set<number>() };
  let turn = 0;
  const look = async (kind: keyof typeof well) => {
    const answers = await Promise.all(
      targets.map(async (port) => {
        const answer = await fetch(`http://127.0.0.1:${port}/health/${kind}`).catch(() => null);
        await answer?.body?.cancel();
        return answer?.status === 200 ? port : null;
      }),
    );
    well[kind] = new Set(answers.filter((port) => port !== null));
  };
  const timer = setInterval(() => {
    void look('ingest');
    void look('ready');
  }, LOOK_EVERY_MS);
  const pass = (message: IncomingMessage, response: ServerResponse) => {
    const able = well[INGEST.test(message.url ?? '') ? 'ingest' : 'ready'];
    const ports = targets.filter((port) => able.has(port));
    const port = ports[turn++ % ports.length];
    if (port === undefined) {
      response.writeHead(502).end();
      return;
    }
    const onward = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        method: message.method,
        path: message.url,
        headers: { ...message.headers, 'x-forwarded-for': message.socket.remoteAddress ?? '' },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    response.on('close', () => {
      if (!response.writableEnded) onward.destroy();
    });
    message.pipe(onward);
  };
  const server = createServer(pass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    targets,
    async close() {
      clearInterval(timer);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
