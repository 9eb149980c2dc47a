import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

export type McpAnswer = { text: string; isError: boolean };

export type McpTester = AsyncDisposable & {
  client: Client;
  /** Names of the tools, in the order of the server. */
  list(): Promise<readonly string[]>;
  /** All text of the answer. */
  ask(tool: string, args?: Readonly<Record<string, unknown>>): Promise<McpAnswer>;
  /** The text; throws it when the tool refused. */
  tell(tool: string, args?: Readonly<Record<string, unknown>>): Promise<string>;
};

/** The SDK's own client at the address of an MCP server; `fetch` in place of the network. */
export async function connectMcp(
  url: string,
  { token, fetch }: { token: string; fetch?: (request: Request) => Promise<Response> },
): Promise<McpTester> {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    ...(fetch && { fetch: (address, init) => fetch(new Request(address, init)) }),
  });
  return attachMcp(transport);
}

/** The SDK's own client over any transport. */
export async function attachMcp(transport: Transport): Promise<McpTester> {
  const client = new Client({ name: 'errata-tests', version: '1' });
  await client.connect(transport);
  const ask = async (name: string, args: Readonly<Record<string, unknown>> = {}): Promise<McpAnswer> => {
    const answer = await client.callTool({ name, arguments: { ...args } });
    const content = answer.content as readonly { type: string; text?: string }[];
    return {
      text: content.map(({ text = '' }) => text).join('\n'),
      isError: answer.isError === true,
    };
  };
  return {
    client,
    ask,
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    tell: async (tool, args) => {
      const { text, isError } = await ask(tool, args);
      if (isError) throw new Error(`${tool}: ${text}`);
      return text;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
