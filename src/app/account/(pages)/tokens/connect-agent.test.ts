import { expect, test } from 'vitest';
import { agentConfigurations } from './connect-agent.tsx';

test('each names the MCP server of this instance', () => {
  const all = agentConfigurations('https://errors.example.com');
  for (const { text } of all) expect(text).toContain('https://errors.example.com/mcp');
  const [, cursor, code] = all;
  expect(JSON.parse(cursor?.text ?? '')).toHaveProperty('mcpServers.errata.url');
  expect(JSON.parse(code?.text ?? '')).toHaveProperty('servers.errata.type', 'http');
});
