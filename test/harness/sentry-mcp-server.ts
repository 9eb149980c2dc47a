import path from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { attachMcp, type McpTester } from './mcp-client.ts';
import { childEnv, ROOT } from './start-errata.ts';

const PROGRAM = path.join(ROOT, 'node_modules/@sentry/mcp-server/dist/index.js');

/** Sentry's own MCP server as a child, told to use the instance at the address, which speaks plain HTTP. */
export function startSentryMcpServer(url: string, token: string): Promise<McpTester> {
  const { host } = new URL(url);
  return attachMcp(
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, `--host=${host}`, '--insecure-http', `--access-token=${token}`],
      env: Object.fromEntries(
        Object.entries(childEnv({})).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
      stderr: 'ignore',
    }),
  );
}
